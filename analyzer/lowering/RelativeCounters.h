//===- RelativeCounters.h - How far a loop has come -------------*- C++ -*-===//
//
// "for (X = First; X <= Last; ++X) ... Weights[X - First]": where the loop
// begins data decide, but X - First is 0, 1, 2 for all lanes alike. Whoever
// evaluates the difference of two numbers that are not known does not see it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_RELATIVECOUNTERS_H
#define WARPWISE_ANALYZER_LOWERING_RELATIVECOUNTERS_H

#include "llvm/IR/PassManager.h"

namespace warpwise::lowering {

/// Counts from a constant what grows by a constant from one.
struct RelativeCounters : llvm::PassInfoMixin<RelativeCounters> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_RELATIVECOUNTERS_H
