//===- RuntimeModel.h - Library functions the walk knows --------*- C++ -*-===//
//
// What calls of the CUDA runtime, of C's mathematics and of a few container
// functions mean for launch shapes and arguments. Everything else is either
// walked or unknown.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_RUNTIMEMODEL_H
#define WARPWISE_ANALYZER_LAUNCH_RUNTIMEMODEL_H

#include "analyzer/launch/HostEvaluator.h"

namespace warpwise::launch {

/// The result of a call that is modelled, after its effects; empty when the
/// function is not one of those.
std::optional<Value> modelCall(HostEvaluator &Evaluator,
                               const clang::FunctionDecl *Callee,
                               llvm::ArrayRef<const clang::Expr *> Arguments);

/// The same for C's functions on strings: comparing, searching, converting.
std::optional<Value>
modelStringCall(HostEvaluator &Evaluator, llvm::StringRef Name,
                llvm::ArrayRef<const clang::Expr *> Arguments);

/// What the first two arguments of an occupancy function get.
struct OccupancyAnswer {
  Value First, Second;
};

/// The same for the occupancy functions, whose answers are left to be stored.
std::optional<OccupancyAnswer>
modelOccupancyCall(HostEvaluator &Evaluator, llvm::StringRef Name,
                   llvm::ArrayRef<const clang::Expr *> Arguments);

/// The same for launch functions: tells the evaluator about the launch.
std::optional<Value> modelLaunchCall(HostEvaluator &Evaluator,
                                     const clang::CallExpr *Call,
                                     const clang::FunctionDecl *Callee);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_RUNTIMEMODEL_H
