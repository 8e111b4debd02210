//===- BlockOrder.h - The order in which lanes reconverge -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_BLOCKORDER_H
#define WARPWISE_ANALYZER_LOWERING_BLOCKORDER_H

#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
} // namespace llvm

namespace warpwise::lowering {

/// The reachable blocks of \p F so ordered that each comes after its forward
/// predecessors and that a loop's blocks stand together. When the lanes at the
/// first waiting block always run first, diverged lanes meet again where their
/// paths join, and those that left a loop wait for those still in it.
std::vector<llvm::BasicBlock *> convergentOrder(llvm::Function &F,
                                                llvm::LoopInfo &Loops);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_BLOCKORDER_H
