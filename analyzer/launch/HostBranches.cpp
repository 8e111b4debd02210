//===- HostBranches.cpp - Conditions and doubts of the walks --------------===//

#include "analyzer/launch/HostBranches.h"

#include "analyzer/launch/Arithmetic.h"

#include "llvm/ADT/Hashing.h"

namespace warpwise::launch {

void HostBranches::start(const Decisions *Chosen, bool Everything) {
  All.start(Chosen);
  Context = 0;
  Repeated = 0;
  TakesAll = Everything;
}

DoubtSet HostBranches::getDoubt(const void *Reason) {
  const unsigned Number =
      DoubtNumbers.try_emplace(Reason, DoubtNumbers.size()).first->second;
  return DoubtSet(1) << Number % 64;
}

ForkKey HostBranches::keyOf(const clang::Stmt *Where) const {
  return Repeated ? 0 : ForkKey(llvm::hash_combine(Context, Where));
}

std::optional<unsigned> HostBranches::decide(const clang::Stmt *Where,
                                             unsigned Sides) {
  return TakesAll ? std::nullopt : All.reach(keyOf(Where), Sides);
}

void HostBranches::turn(HostState &State, const clang::Stmt *Where,
                        unsigned Side) const {
  const Path &Before = State.Taken;
  State.Taken =
      std::make_shared<Turn>(Turn{Before, Before ? Before->Depth + 1 : 1,
                                  keyOf(Where), Where, Side, Frames.back()});
}

void HostBranches::turn(HostState &State, const clang::Stmt *Where,
                        const Value &Condition, bool Holds) const {
  turn(State, Where, Holds ? 0 : 1);
  if (const std::optional<bool> True = holdsTrue(Condition);
      True && *True != Holds)
    State.Contradicted |= Condition.Doubts;
}

Meeting HostBranches::meetingOf(const HostState &A, const HostState &B,
                                DoubtSet Reason) const {
  return {Reason, All.partedBy(A.Taken, B.Taken)};
}

HostState HostBranches::meet(const HostState *Before, HostState A,
                             const HostState &B, DoubtSet Reason) const {
  Meeting At = meetingOf(A, B, Reason);
  return HostState::join(Before, std::move(A), B, At);
}

} // namespace warpwise::launch
