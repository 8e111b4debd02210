//===- Gathering.h - What threads put together at the end -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_GATHERING_H
#define WARPWISE_ANALYZER_EVALUATE_GATHERING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class LoopInfo;
} // namespace llvm

namespace warpwise::access {

/// The end of a kernel whose threads first each find something in global
/// memory, alone, and then put together what they have found: by shuffles, in
/// shared memory or by atomics. Threads that had found more each would put
/// together no more.
struct Gathering {
  /// What it begins with, in a block of which the rest belongs to it; null
  /// where it begins with a whole block, or there is no such end.
  const llvm::Instruction *First = nullptr;
  /// All of these belong to it.
  llvm::DenseSet<const llvm::BasicBlock *> Blocks;

  bool contains(const llvm::Instruction &I) const;
};

/// Of a kernel with the blocks \p Order, each before those that follow it but
/// for ways back in loops.
Gathering gatheringOf(llvm::ArrayRef<llvm::BasicBlock *> Order,
                      const llvm::DominatorTree &Dominators,
                      const llvm::LoopInfo &Loops);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_GATHERING_H
