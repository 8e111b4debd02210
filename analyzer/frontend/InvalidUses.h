//===- InvalidUses.h - Does a function rest on broken code? -----*- C++ -*-===//
//
// Clang recovers from errors by guessing: an unknown type becomes int, a class
// loses a member. A function that uses such a guess compiles, and every address
// computed in it may be wrong. This finds the first such use in a function.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_INVALIDUSES_H
#define WARPWISE_ANALYZER_FRONTEND_INVALIDUSES_H

#include "analyzer/frontend/ErrorPlaces.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace warpwise::frontend {

/// A use of something that the compiler had to guess.
struct InvalidUse {
  clang::SourceLocation Where;
  /// What is used; null for an expression that is broken in itself.
  const clang::NamedDecl *Used = nullptr;
};

class InvalidUses {
public:
  /// \p StrayErrors are the errors outside of functions: a class around one of
  /// them is not what its author wrote.
  InvalidUses(const clang::ASTContext &Context, const ErrorPlaces &StrayErrors)
      : Context(Context), StrayErrors(StrayErrors) {}

  /// The first invalid use in the signature or the body of \p Function. Call
  /// operators of lambdas that it calls are added to \p Lambdas.
  std::optional<InvalidUse>
  findIn(const clang::FunctionDecl &Function,
         llvm::SmallVectorImpl<const clang::FunctionDecl *> &Lambdas);

  bool isBroken(const clang::VarDecl &Variable);

private:
  friend class InvalidUseVisitor;

  const clang::NamedDecl *brokenPart(clang::QualType Type);
  const clang::NamedDecl *brokenPart(const clang::RecordDecl &Record);
  bool isBroken(const clang::ValueDecl &Value);

  const clang::ASTContext &Context;
  const ErrorPlaces &StrayErrors;
  llvm::DenseMap<const clang::RecordDecl *, const clang::NamedDecl *> Records;
};

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_INVALIDUSES_H
