//===- LoopCounting.h - Loops whose rounds can be counted -------*- C++ -*-===//
//
// A loop that counts up to a bound need not be run round by round: every
// variable of it advances by a fixed step, so rounds can be skipped and those
// in between stand for them. An odd number is skipped each time, which visits
// every alignment equally often.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_LOOPCOUNTING_H
#define WARPWISE_ANALYZER_EVALUATE_LOOPCOUNTING_H

#include "analyzer/evaluate/LaneValue.h"
#include "analyzer/evaluate/Program.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace llvm {
class Loop;
}

namespace warpwise::access {

/// How \p L counts, if it leaves only through its header when a counter reaches
/// a bound, and all of its variables in \p Relevant advance by fixed steps or
/// follow one that does.
std::optional<Countdown>
countdownOf(const llvm::Loop &L,
            const llvm::DenseSet<const llvm::Instruction *> &Relevant,
            llvm::function_ref<uint32_t(const llvm::Value *)> SlotOf);

/// Rounds that are still to come, the current one included, for the lane of
/// \p Active that has the fewest, among those that stay; 0 when none stays.
/// Unset when it cannot be told.
std::optional<uint64_t> remainingRounds(const Countdown &C,
                                        const std::vector<LaneValue> &Registers,
                                        uint32_t Active);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_LOOPCOUNTING_H
