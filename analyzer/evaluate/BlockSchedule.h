//===- BlockSchedule.h - What a basic block takes of a warp -----*- C++ -*-===//
//
// An SM issues the instructions of a warp in order and stops at the first whose
// operands are not there yet; compilers start loads as early as they can. So
// the time that a warp takes by itself can be read off a basic block: which
// pipes its instructions need, how long the chain of results is, and how often
// it waits for loads before others can start.
//
// The instructions are those of canonical IR. What nvcc will do to them beyond
// that is taken into account where it is certain to: it moves what a loop does
// not change out of it, computes the same thing once, folds constant offsets
// into addresses, multiplies and adds in one instruction, and writes out small
// loops, others four rounds at a time.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_BLOCKSCHEDULE_H
#define WARPWISE_ANALYZER_EVALUATE_BLOCKSCHEDULE_H

#include "analyzer/evaluate/Unrolling.h"
#include "analyzer/model/AccessModel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <array>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
} // namespace llvm

namespace warpwise::access {

struct BlockSchedule {
  /// Instructions of one execution, by Pipe.
  std::array<float, PipeCount> Issued{};
  /// Of these, the ones that only say where accesses go (LeadingArithmetic.h).
  std::array<float, PipeCount> Leading{};
  /// Results that wait for each other one after the other, loads left out. A
  /// result of plain arithmetic counts 1.
  float ChainSteps = 0;
  /// Of both, what comes from \p From on, where that lies in the block.
  std::array<float, PipeCount> IssuedLast{};
  float StepsLast = 0;
  /// Of a load: how often its latency is waited for (less than 1 where rounds
  /// of a loop share the wait), and after how many other waits. Loads of the
  /// same rank are under way together.
  struct Wait {
    float Times = 0;
    /// The same as far as it is a matter of registers, which what is loaded
    /// beside it fills, too; 0 of what is not in global memory.
    float Least = 0;
    unsigned Rank = 0;
    /// See Access::RoundsAtOnce.
    unsigned RoundsAtOnce = 1;
    /// The same, wherever the loop begins (FirstRound::Aligned).
    unsigned MostRoundsAtOnce = 1;
  };
  llvm::DenseMap<const llvm::Instruction *, Wait> Waits;
  struct Store {
    /// After how many waits of its block it is made.
    unsigned Rank = 0;
    /// As those of a load.
    unsigned RoundsAtOnce = 1, MostRoundsAtOnce = 1;
  };
  llvm::DenseMap<const llvm::Instruction *, Store> Stores;
};

/// Whether nvcc switches lanes off that do not want \p Block, instead of
/// branching around it.
bool isPredicated(const llvm::BasicBlock &Block, const BlockSchedule &Its);

/// Of \p Block, whose innermost loop is \p Around or null, unrolled as in
/// \p Rounds. \p Leading: of its function, see LeadingArithmetic.h.
BlockSchedule
scheduleBlock(const llvm::BasicBlock &Block, const llvm::Loop *Around,
              const Unrolling &Rounds,
              const llvm::DenseSet<const llvm::Instruction *> &Leading = {},
              const llvm::Instruction *From = nullptr);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_BLOCKSCHEDULE_H
