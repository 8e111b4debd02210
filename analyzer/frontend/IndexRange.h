//===- IndexRange.h - The values that an index can have ---------*- C++ -*-===//
//
// Bounds of an integer expression in device code, by interval arithmetic over
// what is certain: constants, threads of a block, loops with plain bounds and
// variables that nothing changes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_INDEXRANGE_H
#define WARPWISE_ANALYZER_FRONTEND_INDEXRANGE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>

namespace clang {
class ASTContext;
class BinaryOperator;
class Expr;
class ForStmt;
class Stmt;
class VarDecl;
} // namespace clang

namespace warpwise::frontend {

/// Where \p E is an axis of \p Builtin ("threadIdx"), 0, 1, 2 for .x, .y, .z.
std::optional<unsigned> builtinAxis(const clang::Expr *E,
                                    llvm::StringRef Builtin);

/// Both ends belong to it.
struct Range {
  int64_t Low = 0, High = 0;
};

class IndexRanges {
public:
  /// Of the expressions in \p Body, one function's.
  IndexRanges(const clang::ASTContext &Context, const clang::Stmt &Body,
              const std::array<uint32_t, 3> &MostThreads);

  /// Nothing where no bounds are certain.
  std::optional<Range> of(const clang::Expr *E) { return of(E, 0); }

private:
  std::optional<Range> of(const clang::Expr *E, unsigned Depth);
  std::optional<Range> compute(const clang::Expr *E, unsigned Depth);
  std::optional<Range> ofBinary(const clang::BinaryOperator *B, unsigned Depth);
  std::optional<Range> ofVariable(const clang::VarDecl *V, unsigned Depth);
  std::optional<Range> ofCounter(const clang::VarDecl *V,
                                 const clang::ForStmt *Loop, unsigned Depth);
  void collect(const clang::Stmt *S, const clang::Stmt *Parent);

  const clang::ASTContext &Context;
  std::array<uint32_t, 3> MostThreads;
  /// Uses of local variables that are not plain reads.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Changes;
  llvm::DenseMap<const clang::VarDecl *, const clang::ForStmt *> LoopOf;
};

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_INDEXRANGE_H
