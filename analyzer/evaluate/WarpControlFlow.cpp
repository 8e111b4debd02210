//===- WarpControlFlow.cpp - Which way the lanes of a warp go -------------===//

#include "analyzer/evaluate/WarpInterpreter.h"

#include "analyzer/evaluate/LoopCounting.h"

#include "llvm/ADT/Hashing.h"

#include <algorithm>
#include <bit>

namespace warpwise::access {

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void WarpInterpreter::enterLoop(const BlockCode &Block, uint32_t Active) {
  const LoopInfo &L = Code.Loops[Block.Loop];
  const uint32_t From = CameFrom[std::countr_zero(Active)];
  const bool Again = isWithin(Code.Loops, Code.Blocks[From].Loop, Block.Loop);
  joinPhis(Block, Active);
  for (const Phi &P : Block.Phis)
    Registers[P.Slot].From |= OriginRound;
  uint64_t &Stride = Strides[Block.Loop], &Stands = this->Stands[Block.Loop];
  if (!Again) {
    Rounds[Block.Loop] = 0;
    Stride = Stands = 1;
  } else {
    Rounds[Block.Loop] += unsigned(Stands);
    if (Stands > 1)
      skipRounds(*L.Count, Stands - 1, Active);
  }
  if (!L.Count)
    return noteProgress(Block, Active, Again);
  const std::optional<uint64_t> Left =
      remainingRounds(*L.Count, Registers, Active);
  if (!Again && Left) {
    const uint64_t Samples =
        L.HasInner ? Limits.OuterSamples : Limits.InnerSamples;
    if (*Left >= 2 * Samples)
      Stride = *Left / Samples | 1;
  }
  // The first round stands for itself alone: what it loads for good, the others
  // have in registers.
  Stands = Again && Left ? std::clamp<uint64_t>(*Left, 1, Stride) : 1;
  Seen.Skipped |= Stands > 1;
}

void WarpInterpreter::noteProgress(const BlockCode &Block, uint32_t Active,
                                   bool Again) {
  uint64_t Now = llvm::hash_combine(Active, PrivateStores);
  for (const Phi &P : Block.Phis) {
    const LaneValue &V = Registers[P.Slot];
    Now = llvm::hash_combine(Now, V.Unknown, V.Uniform);
    if (V.Uniform)
      Now = llvm::hash_combine(Now, V.Lanes[0]);
    else
      Now = llvm::hash_combine(
          Now, llvm::hash_combine_range(V.Lanes.begin(), V.Lanes.end()));
  }
  uint64_t &Before = Variables[Block.Loop];
  Idle[Block.Loop] = Again && Before == Now ? Idle[Block.Loop] + 1 : 0;
  Before = Now;
}

void WarpInterpreter::skipRounds(const Countdown &Count, uint64_t Skipped,
                                 uint32_t Active) {
  for (const Countdown::Advance &A : Count.Advances) {
    LaneValue Moved = Registers[A.Slot];
    const LaneValue Step = A.Step == NoSlot
                               ? LaneValue::uniform(uint64_t(A.Constant))
                               : Registers[A.Step];
    if (!Step.Uniform)
      Moved.spread();
    Moved.Unknown |= Step.Unknown;
    Moved.From |= Step.From;
    for (unsigned N = 0; N != (Moved.Uniform ? 1 : WarpLanes); ++N) {
      const uint64_t Far = Skipped * uint64_t(signExtend(Step.lane(N), A.Bits));
      Moved.Lanes[N] = truncateTo(
          A.Subtract ? Moved.Lanes[N] - Far : Moved.Lanes[N] + Far, A.Bits);
    }
    assign(A.Slot, Moved, Active);
  }
}

void WarpInterpreter::tellRepeat(const BlockCode &Block) {
  double Now = 1;
  for (int32_t L = Block.Loop; L >= 0; L = Code.Loops[L].Parent)
    Now *= double(Stands[L]);
  if (Now != Times)
    Sink.repeat(Now);
  Times = Now;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

uint32_t WarpInterpreter::targetOf(const BlockCode &Block,
                                   uint64_t Condition) const {
  if (Block.End == BlockCode::Ending::Branch)
    return Condition & 1 ? 0 : 1;
  for (uint32_t N = 0; N != Block.Cases.size(); ++N)
    if (Block.Cases[N] == Condition)
      return N + 1;
  return 0;
}

/// True when the loop around \p Block has been followed far enough.
bool WarpInterpreter::mustLeave(const BlockCode &Block,
                                const LaneValue &Condition,
                                uint32_t Active) const {
  const unsigned Done = Rounds[Block.Loop];
  if (StepsTaken > Limits.Steps) {
    // An inner loop that is cut short would count for too little beside what
    // surrounds it: leave the outer one instead.
    const LoopInfo &L = Code.Loops[Block.Loop];
    const bool Inner = L.Parent >= 0 && !L.HasInner;
    if (!Inner || Done >= Limits.InnerKnown || StepsTaken > 8 * Limits.Steps)
      return true;
  }
  if (Idle[Block.Loop] >= Limits.Unknown)
    return true;
  if (Condition.Unknown & Active)
    return Done >= Limits.Unknown;
  if (Condition.From & OriginAssumed)
    return Done >= Limits.Assumed;
  return Done >= Limits.Known;
}

/// What the loop's variables hold at a forced exit is not what they would hold
/// at the real one.
void WarpInterpreter::truncate(const BlockCode &Block, uint32_t Unknown) {
  Seen.Truncated = true;
  const uint16_t From = Registers[Block.Condition].From;
  for (uint32_t Slot : Code.Loops[Block.Loop].Varying) {
    LaneValue &V = Registers[Slot];
    V.From |= OriginAssumed | OriginTruncated;
    if (Unknown == 0)
      continue;
    V.spread();
    V.Unknown |= Unknown; // each lane would leave after a round of its own
    V.From |= From;
  }
}

/// The way that lanes take where it is not known, or where a run is told to go
/// another way.
uint32_t WarpInterpreter::decide(uint32_t Number, uint32_t Lanes,
                                 bool Uncertain) {
  const BlockCode &Block = Code.Blocks[Number];
  if (Uncertain)
    for (uint32_t Left = Lanes & ~Speculative; Left != 0; Left &= Left - 1) {
      const unsigned L = std::countr_zero(Left);
      SpeculativeUntil[L] = Block.Meets;
      Speculative |= 1u << L;
    }
  if (auto Way = Forced.find(Number); Way != Forced.end())
    return Way->second;
  // In a loop: stay. Elsewhere: into what the branch guards first, then the
  // other way in turn.
  const uint32_t Count = uint32_t(Block.Targets.size());
  if (ExitTargets[Number])
    for (uint32_t T = 0; T != Count; ++T)
      if (!(ExitTargets[Number] >> T & 1))
        return T;
  const uint32_t First = Count > 1 && Block.Targets[0] == Block.Meets ? 1 : 0;
  return (First + Visits[Number]++) % Count;
}

void WarpInterpreter::leave(uint32_t Number, uint32_t Active) {
  const BlockCode &Block = Code.Blocks[Number];
  if (Block.End == BlockCode::Ending::None) {
    Alive &= ~Active;
    return;
  }
  if (Block.End == BlockCode::Ending::Jump)
    return wait(Block.Targets[0], Active, Number);

  const LaneValue &Condition = Registers[Block.Condition];
  const uint32_t Unknown = Condition.Unknown & Active;
  const bool Assumed = Condition.From & OriginAssumed;
  if (Unknown || Assumed)
    Seen.Undecided[Number] = 1;
  Seen.Assumed |= Assumed;

  uint32_t Left = Active;
  if (ExitTargets[Number] && mustLeave(Block, Condition, Active)) {
    // Lanes that know better than the limit still go their own way.
    const uint32_t Exit = std::countr_zero(ExitTargets[Number]);
    uint32_t Staying = 0;
    for (uint32_t Lanes = Active; Lanes != 0; Lanes &= Lanes - 1) {
      const unsigned L = std::countr_zero(Lanes);
      const uint32_t To = targetOf(Block, Condition.lane(L));
      if ((Unknown >> L & 1) || !(ExitTargets[Number] >> To & 1))
        Staying |= 1u << L;
    }
    if (Staying) {
      truncate(Block, Staying & Unknown);
      wait(Block.Targets[Exit], Staying, Number);
      Left &= ~Staying;
    }
  } else if (Unknown) {
    const uint32_t To = decide(Number, Unknown, /*Uncertain=*/true);
    wait(Block.Targets[To], Unknown, Number);
    Left &= ~Unknown;
  } else if (Assumed && Forced.count(Number)) {
    const uint32_t To = decide(Number, Left, /*Uncertain=*/false);
    return wait(Block.Targets[To], Left, Number);
  }
  if (Left == 0)
    return;
  if (Condition.Uniform)
    return wait(Block.Targets[targetOf(Block, Condition.Lanes[0])], Left,
                Number);
  for (; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    wait(Block.Targets[targetOf(Block, Condition.Lanes[L])], 1u << L, Number);
  }
}

} // namespace warpwise::access
