//===- SwapLoops.h - Loops around a compare-and-swap ------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_SWAPLOOPS_H
#define WARPWISE_ANALYZER_EVALUATE_SWAPLOOPS_H

#include "analyzer/model/AccessModel.h"

namespace llvm {
class Instruction;
class LoopInfo;
} // namespace llvm

namespace warpwise::access {

/// What the loop around \p Atomic, a compare-and-swap, does to one word until
/// no other thread has come between, if that is all it does: the sum of what
/// lies there and something else, say. None where no atomic does the same.
SwapLoop swapLoop(const llvm::Instruction &Atomic, const llvm::LoopInfo &Loops);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_SWAPLOOPS_H
