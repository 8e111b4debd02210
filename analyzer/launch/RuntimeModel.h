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
#include "analyzer/launch/VectorUse.h"

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

/// The same for a method of std::vector, whichever it is.
Value modelVectorCall(HostEvaluator &Evaluator,
                      const clang::CXXMethodDecl *Callee, Address This,
                      llvm::ArrayRef<const clang::Expr *> Arguments);
/// The same for std::swap() of two vectors.
std::optional<Value>
modelVectorSwap(HostEvaluator &Evaluator, const clang::FunctionDecl *Callee,
                llvm::ArrayRef<const clang::Expr *> Arguments);
void modelVectorConstruction(HostEvaluator &Evaluator,
                             const clang::CXXConstructExpr *Construct,
                             Address This);
/// The std::vector at \p Place has an unknown size, and unknown elements.
void forgetVector(HostEvaluator &Evaluator, const clang::CXXRecordDecl *Class,
                  Address Place);
/// After a record that a function has made came to \p Place: the elements of
/// the vectors in it belong there from now on.
void adoptVectors(HostEvaluator &Evaluator, clang::QualType Type,
                  Address Place);
/// After the bytes of a record of type \p Type were copied: the vectors in it
/// have elements of their own, or, when it was moved, have none left at
/// \p From.
void separateVectors(HostEvaluator &Evaluator, clang::QualType Type,
                     Address From, Address To, bool IsMove);

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

/// The number that std::min or std::max of two integers refers to. Nothing for
/// other calls, which are not touched then.
std::optional<Value> modelExtreme(HostEvaluator &Evaluator,
                                  const clang::CallExpr *Call);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_RUNTIMEMODEL_H
