//===- VectorUse.h - What host code does with std::vector -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_VECTORUSE_H
#define WARPWISE_ANALYZER_LAUNCH_VECTORUSE_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

#include <vector>

namespace warpwise::launch {

/// A std::vector of whole elements, which that of bool is not.
bool isVector(const clang::CXXRecordDecl *Class);

/// Whether a method of std::vector may leave another size behind.
bool changesSize(const clang::CXXMethodDecl *Method);

/// An expression whose size a method or a function changes, or may change.
struct VectorChange {
  const clang::Expr *Vector = nullptr;
  /// An iteration may go without it, or do it several times.
  bool IsConditional = false;
  /// A function gets it.
  bool IsArgument = false;
};

/// Those in a loop, not in the functions that it calls; without arguments that
/// are the same in each iteration, as one iteration shows what becomes of them.
std::vector<VectorChange> findVectorChanges(const clang::Stmt *Loop);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_VECTORUSE_H
