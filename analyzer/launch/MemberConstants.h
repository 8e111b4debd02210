//===- MemberConstants.h - Members that hold one value ----------*- C++ -*-===//
//
// A class often keeps the shape of its launches in members that its constructor
// sets and nothing else does. A walk that begins at another method sees an
// object of which it knows nothing; all code of the program together says what
// such a member holds.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_MEMBERCONSTANTS_H
#define WARPWISE_ANALYZER_LAUNCH_MEMBERCONSTANTS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <cstdint>
#include <optional>

namespace clang {
class CXXRecordDecl;
class Expr;
class FieldDecl;
} // namespace clang

namespace warpwise::launch {

/// Of members that only methods and friends can write to, integers and records
/// of integers such as dim3.
class MemberConstants {
public:
  /// An integer member, or one of a member that is a record.
  struct Path {
    const clang::FieldDecl *Member = nullptr;
    const clang::FieldDecl *Part = nullptr; ///< of Member, or null

    bool operator==(const Path &) const = default;
  };
  /// Nothing where it is written more than one value.
  using Values = llvm::MapVector<Path, std::optional<int64_t>>;

  /// The code writes \p From to \p To; null: who knows what.
  void noteWrite(const clang::Expr *To, const clang::Expr *From);
  /// What a constructor, or the class, makes of \p Member.
  void noteInitializer(const clang::FieldDecl *Member, const clang::Expr *From);

  /// What the members of \p Class hold that hold one value, those of its bases
  /// left out.
  Values of(const clang::CXXRecordDecl *Class) const;

private:
  llvm::DenseMap<const clang::FieldDecl *, Values> Written; ///< by member

  void note(Path To, std::optional<int64_t> Value);
  void noteAll(const clang::FieldDecl *Member, const clang::Expr *From);
};

} // namespace warpwise::launch

template <> struct llvm::DenseMapInfo<warpwise::launch::MemberConstants::Path> {
  using Path = warpwise::launch::MemberConstants::Path;
  using Field = DenseMapInfo<const clang::FieldDecl *>;
  static Path getEmptyKey() { return {Field::getEmptyKey(), nullptr}; }
  static Path getTombstoneKey() { return {Field::getTombstoneKey(), nullptr}; }
  static unsigned getHashValue(const Path &P) {
    return detail::combineHashValue(Field::getHashValue(P.Member),
                                    Field::getHashValue(P.Part));
  }
  static bool isEqual(const Path &A, const Path &B) { return A == B; }
};

#endif // WARPWISE_ANALYZER_LAUNCH_MEMBERCONSTANTS_H
