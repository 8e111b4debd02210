//===- HostLoops.cpp - Loops of the host code -----------------------------===//
//
// What a launch in a loop gets depends on the iteration, so loops are run. Two
// things keep that cheap: loops that cannot launch get a small budget, and past
// the cap values with a constant stride are extrapolated to the last iteration.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostWalk.h"

#include "analyzer/launch/Arithmetic.h"
#include "analyzer/launch/RuntimeModel.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

using namespace clang;

namespace warpwise::launch {

/// Iterations past the cap that are looked at when the loop launches.
constexpr int64_t LaterIterations = 16;
/// Enough to go through most bodies once.
constexpr unsigned FewestSteps = 64;

bool HostWalk::walkStatementLoop(const Stmt *S) {
  Loop L;
  L.Statement = S;
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    if (!walk(For->getInit()))
      return false;
    L.Condition = For->getCond();
    L.Step = For->getInc();
    L.Parts = {For->getBody()};
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    if (!walk(While->getConditionVariableDeclStmt()))
      return false;
    L.Condition = While->getCond();
    L.Parts = {While->getBody()};
  } else {
    L.Condition = cast<DoStmt>(S)->getCond();
    L.Parts = {cast<DoStmt>(S)->getBody()};
    L.TestsFirst = false;
  }
  return walkLoop(L);
}

bool HostWalk::walkRange(const CXXForRangeStmt *For) {
  if (!walk(For->getInit()) || !walk(For->getRangeStmt()) ||
      !walk(For->getBeginStmt()) || !walk(For->getEndStmt()))
    return false;
  Loop L;
  L.Statement = For;
  L.Condition = For->getCond();
  L.Step = For->getInc();
  L.Parts = {For->getLoopVarStmt(), For->getBody()};
  return walkLoop(L);
}

/// What a loop that cannot launch may take. Benchmarks check each launch
/// against the CPU: a loop that was given up on before gets half as much each
/// time, as what it changes is not known after it anyway.
unsigned HostWalk::stepsFor(const Loop &L) const {
  return std::max(FewestSteps, Settings.StepsWithoutLaunch >>
                                   std::min(GivenUp.lookup(L.Statement), 31U));
}

bool HostWalk::walkLoop(const Loop &L) {
  bool SetsBudget = !InBoundedLoop && !Index.mayLaunch(L.Statement);
  unsigned OuterLimit = StepLimit;
  if (SetsBudget) {
    InBoundedLoop = true;
    StepLimit = std::min(StepLimit, Steps + stepsFor(L));
  }
  HostState Entry = State;
  JumpTarget Breaks;
  JumpTarget *Outer = std::exchange(BreakTarget, &Breaks);
  Value Conditions;
  bool Falls = walkTimes(L, Conditions);
  if (Falls && Conditions.Doubts && !Abandoned)
    walkOthers(L, Entry, Conditions);
  BreakTarget = Outer;
  if (Breaks.Arrived && !Abandoned) {
    State = Falls ? Branches.meet(nullptr, std::move(State), *Breaks.Arrived,
                                  Branches.getDoubt(L.Statement))
                  : std::move(*Breaks.Arrived);
    Falls = true;
  }
  if (SetsBudget) {
    InBoundedLoop = false;
    StepLimit = OuterLimit;
    if (Abandoned && Steps < StepLimit) {
      Abandoned = PathEnded = false;
      ++GivenUp[L.Statement];
      State.updateChanged(Entry,
                          [](const Value *, const Value &) { return Value(); });
      forgetElements(Entry);
      forgetVectors(L, /*All=*/true);
      State.Contradicted = Entry.Contradicted;
      State.Likely = Entry.Likely;
      State.Taken = Entry.Taken;
      return true;
    }
  }
  // How often the loop ran is in doubt, and so is what it left behind.
  if (Conditions.Doubts) {
    State.updateChanged(Entry, [&](const Value *, const Value &Now) {
      return Now.addDoubts(Conditions.Doubts).addFork(Conditions.LostAt);
    });
    if (Objects.haveElements())
      for (const ObjectId Changed : State.changedSince(Entry))
        if (Objects.isElements(Changed))
          State.doubt(Changed, Conditions.Doubts);
  }
  return Falls && !Abandoned;
}

void HostWalk::forgetElements(const HostState &Before) {
  if (!Objects.haveElements())
    return;
  for (const ObjectId Changed : State.changedSince(Before))
    if (Objects.isElements(Changed))
      State.forget(Changed);
}

void HostWalk::forgetVectors(const Loop &L, bool All) {
  if (!Objects.haveElements())
    return;
  const auto [Known, IsNew] = VectorChanges.try_emplace(L.Statement);
  if (IsNew)
    Known->second = findVectorChanges(L.Statement);
  for (const VectorChange &Change : Known->second)
    if ((All || Change.IsConditional) && !Change.Vector->isTypeDependent() &&
        !Change.Vector->HasSideEffects(context())) {
      const QualType Type = Change.Vector->getType();
      const bool IsPointer = Type->isPointerType();
      const Value Pointer =
          IsPointer ? evaluate(Change.Vector) : Value(locate(Change.Vector));
      const CXXRecordDecl *Class =
          (IsPointer ? Type->getPointeeType() : Type)->getAsCXXRecordDecl();
      if (const Address *Place = Pointer.getAddress(); Place && isVector(Class))
        forgetVector(*this, Class, *Place);
    }
}

bool HostWalk::iterate(const Loop &L) {
  JumpTarget Continues;
  JumpTarget *Outer = std::exchange(ContinueTarget, &Continues);
  bool Falls = true;
  for (const Stmt *Part : L.Parts)
    Falls = Falls && walk(Part);
  ContinueTarget = Outer;
  if (Continues.Arrived) {
    State = Falls ? Branches.meet(nullptr, std::move(State), *Continues.Arrived,
                                  Branches.getDoubt(L.Statement))
                  : std::move(*Continues.Arrived);
    Falls = true;
  }
  return Falls && !Abandoned && (!L.Step || walkExpression(L.Step));
}

/// That `N > 0` on the way here makes the first of N iterations no launch of
/// its own.
Value HostWalk::test(const Loop &L) {
  const llvm::SaveAndRestore Here(IgnoresLimits, true);
  return evaluate(L.Condition);
}

bool HostWalk::walkTimes(const Loop &L, Value &Conditions) {
  HostState Older, Old;
  const unsigned IterationCap = Index.mayLaunch(L.Statement)
                                    ? Settings.LaunchIterations
                                    : Settings.Iterations;
  for (unsigned Iteration = 0; !Abandoned; ++Iteration) {
    const Within Here(*this, L.Statement, Iteration);
    if (L.Condition && (L.TestsFirst || Iteration > 0)) {
      Value Condition = test(L);
      endStatement();
      if (std::exchange(PathEnded, false))
        return false;
      std::optional<bool> True = holdsTrue(Condition);
      Conditions.Doubts |= Condition.Doubts;
      Conditions.LostAt = std::max(Conditions.LostAt, Condition.LostAt);
      if (!True) {
        // The order of a run has the body of a loop that is tested last once.
        const bool IsShown =
            !L.TestsFirst && Iteration == 1 && !Settings.Alternatives;
        const bool WasSilent = std::exchange(Silent, Silent || IsShown);
        walkUnknownTimes(L, Condition.LostAt);
        Silent = WasSilent;
        return true;
      }
      if (!*True) {
        if (Iteration == 0 && (Condition.Doubts || Branches.takesAll()))
          peekInto(L, Condition.Doubts);
        return true;
      }
    }
    if (Iteration == IterationCap)
      return skipAhead(L, Older, Old);
    if (Iteration + 2 >= IterationCap)
      Older = std::exchange(Old, State);
    if (!iterate(L))
      return false;
  }
  return false;
}

void HostWalk::walkUnknownTimes(const Loop &L, ForkNumber LostAt) {
  DoubtSet Reason = Branches.getDoubt(L.Statement);
  HostState Before = State;
  ++Branches.Repeated;
  const auto Leave = llvm::make_scope_exit([&] {
    --Branches.Repeated;
    State.Taken = Before.Taken;
  });
  // Once in silence, to know which values are those of the first iteration
  // only.
  if (!Silent && Index.mayLaunch(L.Statement)) {
    Silent = true;
    iterate(L);
    Silent = false;
    if (Abandoned)
      return;
    State.updateChanged(Before, [&](const Value *Was, const Value &) {
      return (Was ? Was->addDoubts(Reason) : Value()).addFork(LostAt);
    });
    forgetElements(Before);
    State.Contradicted = Before.Contradicted;
    State.Likely = Before.Likely;
    State.Taken = Before.Taken;
    Before = State;
  }
  if (iterate(L))
    State.updateChanged(Before, [&](const Value *Was, const Value &Now) {
      return joinAfterLoop(Was, Now, Reason).addFork(LostAt);
    });
  else
    State = Before;
  forgetElements(Before);
  forgetVectors(L, /*All=*/true);
}

void HostWalk::peekInto(const Loop &L, DoubtSet Doubts) {
  HostState Before = State;
  State.Contradicted |= Doubts;
  State.Likely = false;
  ++Branches.Repeated;
  bool Falls = iterate(L);
  --Branches.Repeated;
  State = Falls ? Branches.meet(&Before, Before, State, Doubts) : Before;
}

/// Iterations that no default shows: what the loop changes is not known there.
void HostWalk::walkOthers(const Loop &L, const HostState &Entry,
                          const Value &Conditions) {
  if (!Settings.Alternatives || Silent || !Index.mayLaunch(L.Statement))
    return;
  const HostState After = State;
  State.updateChanged(Entry, [&](const Value *, const Value &) {
    return Value().addFork(Conditions.LostAt);
  });
  forgetElements(Entry);
  forgetVectors(L, /*All=*/true);
  State.Contradicted |= Conditions.Doubts;
  State.Likely = false;
  ++Branches.Repeated;
  // Once in silence, for what only these iterations change.
  const HostState Before = State;
  Silent = true;
  iterate(L);
  Silent = false;
  State.updateChanged(Before, [&](const Value *, const Value &) {
    return Value().addFork(Conditions.LostAt);
  });
  forgetElements(Before);
  State.Contradicted = Before.Contradicted;
  State.Taken = Before.Taken;
  if (!Abandoned)
    iterate(L);
  --Branches.Repeated;
  State = After;
}

bool HostWalk::skipAhead(const Loop &L, const HostState &Older,
                         const HostState &Old) {
  walkOthers(L, Older, Value());
  // Left only by a break, which has arrived by now or never will.
  if (!L.Condition)
    return false;
  std::vector<HostState::Series> Moving = State.findSeries(Older, Old);
  // What is the same from here on, elements of arrays mostly, is put in place
  // once: each state that changes an array has a copy of it.
  const auto Still =
      std::partition(Moving.begin(), Moving.end(),
                     [](const HostState::Series &S) { return S.Stride != 0; });
  forgetElements(Older);
  State.advance({Still, Moving.end()}, 0);
  Moving.erase(Still, Moving.end());
  const HostState Now = State;
  auto MoveTo = [&](int64_t Iterations) {
    State = Now;
    State.advance(Moving, Iterations);
    forgetVectors(L, /*All=*/false);
  };
  auto Continues = [&](int64_t Iterations) {
    MoveTo(Iterations);
    return holdsTrue(test(L));
  };
  int64_t Last = 0, End = 1;
  std::optional<bool> Goes = Continues(End);
  for (; Goes == true && End < int64_t(1) << 40; Goes = Continues(End)) {
    Last = End;
    End *= 2;
  }
  if (Goes != false) {
    MoveTo(0);
    State.updateChanged(Older,
                        [](const Value *, const Value &) { return Value(); });
    return !isa<IntegerLiteral, CXXBoolLiteralExpr>(
        L.Condition->IgnoreParenImpCasts());
  }
  while (End - Last > 1) {
    int64_t Middle = Last + (End - Last) / 2;
    (Continues(Middle) == true ? Last : End) = Middle;
  }
  if (Index.mayLaunch(L.Statement) && !Silent)
    for (int64_t I = 1; I <= std::min(LaterIterations, Last); ++I) {
      MoveTo(Last * I / std::min(LaterIterations, Last));
      const bool WasAfterGap = std::exchange(AfterGap, true);
      ++Branches.Repeated;
      iterate(L);
      --Branches.Repeated;
      AfterGap = WasAfterGap;
    }
  MoveTo(End);
  return !Abandoned;
}

} // namespace warpwise::launch
