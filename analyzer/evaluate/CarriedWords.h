//===- CarriedWords.h - Sums that threads keep in shared memory -*- C++ -*-===//
//
// Sums[T] = Sums[T] + X in a loop loads and stores a word of shared memory in
// each round, if Sums is volatile. Where no other thread can look at the word
// while the loop runs, a register would carry it from round to round as well.
// What is not volatile nvcc keeps in a register by itself in such loops.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_CARRIEDWORDS_H
#define WARPWISE_ANALYZER_EVALUATE_CARRIEDWORDS_H

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
class Instruction;
class Loop;
class LoopInfo;
} // namespace llvm

namespace warpwise::access {

struct CarriedWord {
  /// The outermost loop during which the word could stay in a register.
  const llvm::Loop *Around = nullptr;
  /// Accesses with the same number are made to the same word, as seen from a
  /// thread.
  unsigned Word = 0;
};

using CarriedWords = llvm::DenseMap<const llvm::Instruction *, CarriedWord>;

/// The volatile loads and stores of shared memory in \p F that a register could
/// stand in for, provided that each thread has words of its own, which
/// BlockWords.h sees to. In the loop their addresses do not change, nothing
/// else is done with the array, and threads do not meet. Nor does anything else
/// access the array that may run, in other threads, at the same time as the
/// loop, without a barrier between the two.
CarriedWords carriedWords(llvm::Function &F, const llvm::LoopInfo &Loops);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_CARRIEDWORDS_H
