//===- LoopHoisting.h - LICM without vain promotion -------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_LOOPHOISTING_H
#define WARPWISE_ANALYZER_LOWERING_LOOPHOISTING_H

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
}

namespace warpwise::lowering {

/// LLVM's LICM, with the same result. Before it puts a place of memory into a
/// register for the time of a loop it compares all places of the loop with each
/// other, and only then sees that a barrier forbids it; here barriers come
/// first. That is half of its time in a kernel that stages tiles.
struct LoopHoisting : llvm::PassInfoMixin<LoopHoisting> {
  llvm::PreservedAnalyses run(llvm::Loop &L, llvm::LoopAnalysisManager &AM,
                              llvm::LoopStandardAnalysisResults &Its,
                              llvm::LPMUpdater &Updater);
};

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_LOOPHOISTING_H
