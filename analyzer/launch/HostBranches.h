//===- HostBranches.h - Conditions and doubts of the walks ------*- C++ -*-===//
//
// Names the conditions that a walk comes to, says which side of them it takes
// for granted, notes on a path the sides that it is on, and lets paths meet.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_HOSTBRANCHES_H
#define WARPWISE_ANALYZER_LAUNCH_HOSTBRANCHES_H

#include "analyzer/launch/HostState.h"

#include "llvm/ADT/DenseMap.h"

namespace warpwise::launch {

class HostBranches {
public:
  /// Names the execution of what is walked: its calls and iterations.
  uint64_t Context = 0;
  /// Names the functions that are being walked, from the root on, each by the
  /// calls that led to it.
  std::vector<uint64_t> Frames = {0};
  /// Not 0: what is walked stands for several executions, and has no name.
  unsigned Repeated = 0;

  /// Begins a walk. \p Chosen outlives it. \p TakesAll: to see what no default
  /// path shows.
  void start(const Decisions *Chosen, bool TakesAll);
  bool takesAll() const { return TakesAll; }

  /// A doubt for one reason, the same in all walks.
  DoubtSet getDoubt(const void *Reason);
  /// The side of a condition that this walk takes for granted.
  std::optional<unsigned> decide(const clang::Stmt *Where, unsigned Sides);
  /// The path of \p State is on side \p Side of a condition.
  void turn(HostState &State, const clang::Stmt *Where, unsigned Side) const;
  /// The same, where a condition with the value \p Condition is not certain. A
  /// side that is not the default contradicts what is in doubt.
  void turn(HostState &State, const clang::Stmt *Where, const Value &Condition,
            bool Holds) const;

  Meeting meetingOf(const HostState &A, const HostState &B,
                    DoubtSet Reason) const;
  /// As HostState::join.
  HostState meet(const HostState *Before, HostState A, const HostState &B,
                 DoubtSet Reason) const;

  /// The conditions of the walk.
  const Forks &forks() const { return All; }

private:
  ForkKey keyOf(const clang::Stmt *Where) const;

  bool TakesAll = false;
  Forks All;
  llvm::DenseMap<const void *, unsigned> DoubtNumbers;
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_HOSTBRANCHES_H
