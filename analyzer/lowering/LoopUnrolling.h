//===- LoopUnrolling.h - Loops written out as a whole -----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_LOOPUNROLLING_H
#define WARPWISE_ANALYZER_LOWERING_LOOPUNROLLING_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"

#include <cstdint>

namespace warpwise::lowering {

/// What LLVM knows of a function's loops.
struct LoopAnalyses {
  llvm::DominatorTree Tree;
  llvm::LoopInfo Loops;
  llvm::AssumptionCache Assumptions;
  llvm::TargetLibraryInfoImpl LibraryImpl;
  llvm::TargetLibraryInfo Library;
  llvm::ScalarEvolution Evolution;
  llvm::TargetTransformInfo Target;

  explicit LoopAnalyses(llvm::Function &F);

  /// Writes all \p Rounds of \p L out. False where LLVM cannot.
  bool writeOut(llvm::Loop &L, unsigned Rounds);
};

/// Instructions of one round of \p L.
uint64_t lengthOf(const llvm::Loop &L);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_LOOPUNROLLING_H
