//===- Layout.h - Which bytes a type and its members are --------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_LAYOUT_H
#define WARPWISE_ANALYZER_LAUNCH_LAYOUT_H

#include "analyzer/launch/Value.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <utility>

namespace clang {
class CXXBaseSpecifier;
class CXXRecordDecl;
class FieldDecl;
} // namespace clang

namespace warpwise::launch {

/// Where nothing is known to be.
inline constexpr Address Nowhere;

/// Bytes of \p Type, of a reference those of a pointer; 0: not known.
uint64_t sizeOf(const clang::ASTContext &Context, clang::QualType Type);

/// A member of the record at \p Base.
Address offsetTo(Address Base, const clang::FieldDecl *Field);

/// A base of the record at \p Derived; not known for virtual ones.
Address offsetToBase(Address Derived, const clang::CXXRecordDecl *Class,
                     const clang::CXXBaseSpecifier *Base);

/// Address of a named field of the record type \p Type; empty when it has
/// no such field.
std::optional<std::pair<Address, clang::QualType>>
findField(Address Base, clang::QualType Type, llvm::StringRef Name);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_LAYOUT_H
