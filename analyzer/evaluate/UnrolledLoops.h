//===- UnrolledLoops.h - Loops that the compiler writes out -----*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_UNROLLEDLOOPS_H
#define WARPWISE_ANALYZER_EVALUATE_UNROLLEDLOOPS_H

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class DominatorTree;
class Function;
class Loop;
class LoopInfo;
} // namespace llvm

namespace warpwise::access {

struct UnrolledLoops {
  /// Loops with few rounds, whose number is a constant, in which nothing lets
  /// memory change behind the back of the warp. nvcc writes them out. With the
  /// number of their rounds, of which there may be a mean where the counter of
  /// a loop around decides.
  llvm::DenseMap<const llvm::Loop *, unsigned> Whole;
  /// The same where memory may change, as there are barriers or atomics. nvcc
  /// writes these out, too; what they load is loaded again.
  llvm::DenseMap<const llvm::Loop *, unsigned> WholeButForMemory;
  /// Those with more rounds, in which no other loop is left: so many are
  /// written out at a time. Also 1 for any loop that stays as it is, since the
  /// source wants that or since its rounds cannot be counted.
  llvm::DenseMap<const llvm::Loop *, unsigned> Parts;
};

UnrolledLoops unrolledLoops(llvm::Function &F, llvm::DominatorTree &Dominators,
                            llvm::LoopInfo &Loops);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_UNROLLEDLOOPS_H
