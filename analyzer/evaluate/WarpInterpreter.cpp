//===- WarpInterpreter.cpp - Runs one warp of a program -------------------===//

#include "analyzer/evaluate/WarpInterpreter.h"

#include "analyzer/evaluate/LaneArithmetic.h"
#include "analyzer/evaluate/LaneExchange.h"
#include "analyzer/evaluate/LoopCounting.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace warpwise::access {
namespace {

constexpr uint32_t Nowhere = NoSlot;

/// So many times the steps may be taken to count what is left: each of several
/// loops within each other, or one behind the other, takes a round more.
constexpr uint64_t MostOverdrawn = 8;

/// The address that all lanes of \p Active share, if they do and it is known.
std::optional<uint64_t> sharedAddress(const LaneValue &Address,
                                      uint32_t Active) {
  if (Address.Uniform)
    return Address.Lanes[0];
  if (Address.Unknown & Active)
    return std::nullopt;
  const uint64_t First = Address.Lanes[std::countr_zero(Active)];
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    if (Address.Lanes[std::countr_zero(Left)] != First)
      return std::nullopt;
  return First;
}

} // namespace

WarpInterpreter::WarpInterpreter(const Program &Code, const Environment &Where,
                                 const LoopLimits &Limits,
                                 const Decisions &Forced, Coverage &Seen,
                                 RequestSink &Sink)
    : Code(Code), Where(Where), Limits(Limits), Forced(Forced), Seen(Seen),
      Sink(Sink), Registers(Code.Slots), Defined(Code.Slots),
      Waiting(Code.Blocks.size()), WaitingBits((Code.Blocks.size() + 63) / 64),
      Rounds(Code.Loops.size()), Variables(Code.Loops.size()),
      Idle(Code.Loops.size()), Strides(Code.Loops.size(), 1),
      Stands(Code.Loops.size(), 1), Counted(Code.Loops.size()),
      Visits(Code.Blocks.size()), ByChance(Code.Blocks.size()),
      ExitTargets(Code.Blocks.size()) {
  for (uint32_t N = 0; N != Code.Blocks.size(); ++N) {
    const BlockCode &Block = Code.Blocks[N];
    if (Block.Loop < 0)
      continue;
    for (uint32_t T = 0; T != std::min<size_t>(32, Block.Targets.size()); ++T)
      if (!isWithin(Code.Loops, Code.Blocks[Block.Targets[T]].Loop, Block.Loop))
        ExitTargets[N] |= 1u << T;
  }
}

std::vector<uint8_t> openLoops(const Program &Code, const Coverage &Seen) {
  std::vector<uint8_t> Open(Code.Loops.size());
  for (uint32_t N = 0; N != Code.Blocks.size(); ++N) {
    if (!Seen.Undecided[N])
      continue;
    const BlockCode &Block = Code.Blocks[N];
    for (int32_t L = Block.Loop; L >= 0; L = Code.Loops[L].Parent)
      Open[L] |= std::ranges::any_of(Block.Targets, [&](uint32_t Target) {
        return !isWithin(Code.Loops, Code.Blocks[Target].Loop, L);
      });
  }
  // Loops stand behind those around them.
  for (size_t L = 0; L != Open.size(); ++L)
    if (const int32_t Around = Code.Loops[L].Parent; Around >= 0)
      Open[L] |= Open[Around];
  return Open;
}

void WarpInterpreter::setUp(const launch::Dim3 &Block, unsigned Warp) {
  std::fill(Defined.begin(), Defined.end(), 0);
  std::fill(Waiting.begin(), Waiting.end(), 0);
  std::fill(WaitingBits.begin(), WaitingBits.end(), 0);
  std::fill(Rounds.begin(), Rounds.end(), 0);
  std::fill(Stands.begin(), Stands.end(), 1);
  std::fill(Visits.begin(), Visits.end(), 0);
  SpeculativeUntil.fill(Nowhere);
  std::fill(ByChance.begin(), ByChance.end(), Chances());
  Speculative = 0;
  StepsTaken = 0;
  Private = PrivateMemory();
  for (const Preset &P : Code.Presets) {
    Registers[P.Slot] = Where.preset(P, Block, Warp);
    Defined[P.Slot] = ~0u;
    if (P.What == Preset::Kind::Private)
      for (const auto &[Slot, Bytes] : Code.Privates)
        if (Slot == P.Object)
          Private.add(Registers[P.Slot].Lanes[0], Bytes);
  }
}

uint64_t WarpInterpreter::run(const launch::Dim3 &Block, unsigned Warp,
                              uint32_t Lanes) {
  assert(Lanes != 0 && "a warp without threads");
  setUp(Block, Warp);
  Alive = Lanes;
  wait(0, Lanes, 0);
  // A program that goes in circles without a loop exit ends here.
  const uint64_t GiveUp = 4 * Limits.Steps + 100000;
  for (uint32_t Next = firstWaiting(); Next != Nowhere; Next = firstWaiting()) {
    const uint32_t Active = Waiting[Next];
    Waiting[Next] = 0;
    WaitingBits[Next / 64] &= ~(uint64_t(1) << (Next % 64));
    enter(Next, Active);
    const BlockCode &B = Code.Blocks[Next];
    for (uint32_t S = B.FirstStep; S != B.EndStep; ++S)
      execute(Code.Steps[S], Active);
    Sink.endOfBlock(Next);
    StepsTaken += B.EndStep - B.FirstStep + B.Phis.size() + 1;
    if (StepsTaken > GiveUp) {
      Seen.Truncated = true;
      break;
    }
    leave(Next, Active);
  }
  return StepsTaken;
}

void WarpInterpreter::wait(uint32_t Block, uint32_t Lanes, uint32_t From) {
  if (Lanes == 0)
    return;
  Waiting[Block] |= Lanes;
  WaitingBits[Block / 64] |= uint64_t(1) << (Block % 64);
  for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1)
    CameFrom[std::countr_zero(Left)] = From;
}

uint32_t WarpInterpreter::firstWaiting() const {
  for (size_t N = 0; N != WaitingBits.size(); ++N)
    if (WaitingBits[N])
      return uint32_t(64 * N + std::countr_zero(WaitingBits[N]));
  return Nowhere;
}

uint32_t WarpInterpreter::keptIn(uint32_t Slot, uint32_t Active) const {
  return Defined[Slot] & ~Active & Alive;
}

void WarpInterpreter::assign(uint32_t Slot, const LaneValue &Value,
                             uint32_t Active) {
  assert((!Value.Uniform || Value.Unknown == 0) &&
         "what all lanes share is known");
  const uint32_t Kept = keptIn(Slot, Active);
  LaneValue &Into = Registers[Slot];
  if (Kept == 0) {
    Into = Value;
    Defined[Slot] = Active;
    return;
  }
  const bool Same =
      Into.Uniform && Value.Uniform && Into.Lanes[0] == Value.Lanes[0];
  Defined[Slot] |= Active;
  Into.From |= Value.From;
  if (Same)
    return;
  Into.spread();
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    Into.Lanes[L] = Value.lane(L);
  }
  Into.Unknown = (Into.Unknown & ~Active) | (Value.Unknown & Active);
}

void WarpInterpreter::enter(uint32_t Number, uint32_t Active) {
  const BlockCode &Block = Code.Blocks[Number];
  Seen.Visited[Number] = 1;
  for (uint32_t Left = Speculative & Active; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    Speculative &= ~(uint32_t(SpeculativeUntil[L] == Number) << L);
  }
  Chances Chosen = ByChance[Number];
  Chosen.Lanes &= Active;
  ByChance[Number].Lanes &= ~Active;
  if (ByChance[Number].Lanes == 0)
    ByChance[Number].From = 0;
  // Nobody knows whether they went the way that stores.
  if (Chosen.Lanes && Block.JoinsPrivateStores)
    Private.forget(Chosen.Lanes);
  if (Block.IsHeader)
    enterLoop(Block, Active, Chosen);
  else
    joinPhis(Block, Active, Chosen);
  tellRepeat(Block);
}

/// The block that all active lanes come from, or Nowhere.
uint32_t WarpInterpreter::commonOrigin(uint32_t Active) const {
  const uint32_t First = CameFrom[std::countr_zero(Active)];
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    if (CameFrom[std::countr_zero(Left)] != First)
      return Nowhere;
  return First;
}

/// Sets \p Joined to what the active lanes bring along for \p P from where
/// they come: \p Common, unless that is Nowhere.
void WarpInterpreter::join(const Phi &P, uint32_t Active, uint32_t Common,
                           LaneValue &Joined) const {
  uint32_t Done = 0;
  for (const auto &[From, Slot] : P.Incoming) {
    uint32_t Lanes = 0;
    if (Common != Nowhere)
      Lanes = From == Common ? Active : 0;
    else
      for (uint32_t Left = Active & ~Done; Left != 0; Left &= Left - 1) {
        const unsigned L = std::countr_zero(Left);
        Lanes |= uint32_t(CameFrom[L] == From) << L;
      }
    if (Lanes == 0)
      continue;
    const LaneValue &Value = Registers[Slot];
    if (Done == 0) {
      Joined = Value;
    } else {
      Joined.spread();
      for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1) {
        const unsigned L = std::countr_zero(Left);
        Joined.Lanes[L] = Value.lane(L);
      }
      Joined.Unknown = (Joined.Unknown & ~Lanes) | (Value.Unknown & Lanes);
      Joined.From |= Value.From;
    }
    Done |= Lanes;
    if (Done == Active)
      break;
  }
  assert(Done == Active && "a lane comes from no predecessor");
}

/// The lanes among \p Lanes for which \p P need not be the same from wherever
/// they can come: from within the loop that \p Block starts, or from outside.
uint32_t WarpInterpreter::differing(const BlockCode &Block, const Phi &P,
                                    uint32_t Lanes) const {
  const auto comesAgain = [&](uint32_t From) {
    return Block.IsHeader &&
           isWithin(Code.Loops, Code.Blocks[From].Loop, Block.Loop);
  };
  const bool Again = comesAgain(CameFrom[std::countr_zero(Lanes)]);
  uint32_t First = NoSlot, Differ = 0;
  for (const auto &[From, Slot] : P.Incoming) {
    if (comesAgain(From) != Again || Slot == First)
      continue;
    if (First == NoSlot) {
      First = Slot;
      continue;
    }
    const LaneValue &A = Registers[First], &B = Registers[Slot];
    Differ |= ~(Defined[First] & Defined[Slot]) | A.Unknown | B.Unknown;
    for (uint32_t Left = Lanes & ~Differ; Left != 0; Left &= Left - 1) {
      const unsigned L = std::countr_zero(Left);
      Differ |= uint32_t(A.lane(L) != B.lane(L)) << L;
    }
  }
  return Differ & Lanes;
}

/// Whether \p Value is one of a signed number of 32 or 64 bits, as far as its
/// bits tell.
static bool isNegative(uint64_t Value) {
  return signExtend(Value, Value >> 32 ? 64 : 32) < 0;
}

/// Where \p P is a number that a counter hands out or, on the other ways,
/// negative or nothing: that number, if all \p Lanes have one. Lanes that got
/// none have no use for it: "if (Position >= 0)".
const LaneValue *WarpInterpreter::findNumber(const BlockCode &Block,
                                             const Phi &P,
                                             uint32_t Lanes) const {
  if (Block.IsHeader)
    return nullptr;
  const LaneValue *Number = nullptr;
  for (const auto &[From, Slot] : P.Incoming) {
    const LaneValue &V = Registers[Slot];
    if (V.From & OriginCounted) {
      if (Number || (V.Unknown | ~Defined[Slot]) & Lanes)
        return nullptr;
      Number = &V;
    } else if (!(V.From & OriginUndefined) &&
               !(V.Uniform && isNegative(V.Lanes[0]))) {
      return nullptr;
    }
  }
  return Number;
}

/// Lanes that could as well have come another way may hold something else.
void WarpInterpreter::joinPhis(const BlockCode &Block, uint32_t Active,
                               Chances Chosen) {
  if (Block.Phis.empty())
    return;
  const uint32_t Common = commonOrigin(Active);
  // Phis read all old values before any of them is written.
  Made.clear();
  for (const Phi &P : Block.Phis) {
    LaneValue &Joined = Made.emplace_back();
    join(P, Active, Common, Joined);
    if (!Chosen.Lanes ||
        std::all_of(P.Incoming.begin(), P.Incoming.end(), [&](const auto &I) {
          return I.second == P.Incoming.front().second;
        }))
      continue;
    Joined.From |= OriginAssumed;
    const uint32_t Unknown = differing(Block, P, Chosen.Lanes);
    if (!Unknown)
      continue;
    if (const LaneValue *Number = findNumber(Block, P, Unknown)) {
      Joined.spread();
      for (uint32_t Left = Unknown; Left != 0; Left &= Left - 1) {
        const unsigned L = std::countr_zero(Left);
        Joined.Lanes[L] = Number->lane(L);
      }
      Joined.Unknown &= ~Unknown;
      Joined.From |= Number->From | OriginIfAny;
      continue;
    }
    Joined.spread();
    Joined.Unknown |= Unknown;
    Joined.From |= Chosen.From;
  }
  for (size_t N = 0; N != Made.size(); ++N)
    assign(Block.Phis[N].Slot, Made[N], Active);
}

/// Lanes that load from one address, or compute from one number, get the same,
/// whatever it is. Among the OriginApart bits those of the widths at which
/// \p Active lanes of \p Address differ; what is not known of it has bits of
/// its own.
static uint32_t apartAt(const LaneValue &Address, uint32_t Active) {
  for (unsigned Width = 2; Width <= WarpLanes; Width *= 2) {
    const uint32_t Group = Width == WarpLanes ? ~0u : (1u << Width) - 1;
    for (unsigned Begin = 0; Begin != WarpLanes; Begin += Width) {
      const uint32_t Known = Active & ~Address.Unknown & Group << Begin;
      if (!Known)
        continue;
      const uint64_t First = Address.lane(std::countr_zero(Known));
      for (uint32_t Left = Known & (Known - 1); Left != 0; Left &= Left - 1)
        if (Address.lane(std::countr_zero(Left)) != First) {
          // Wider groups hold this one.
          const unsigned Step = std::countr_zero(Width) - 1;
          return OriginApart & ~((OriginApart2 << Step) - 1);
        }
    }
  }
  return 0;
}

void WarpInterpreter::execute(const Step &S, uint32_t Active) {
  const LaneValue *A = S.A == NoSlot ? nullptr : &Registers[S.A];
  if (isLanewise(S.What)) {
    // Nearly always what the register held is over: no copy is needed then.
    const bool Replaces = keptIn(S.Result, Active) == 0 && S.Result != S.A &&
                          S.Result != S.B && S.Result != S.C;
    LaneValue Apart;
    LaneValue &R = Replaces ? Registers[S.Result] : Apart;
    evaluate(S, *A, S.B == NoSlot ? nullptr : &Registers[S.B],
             S.C == NoSlot ? nullptr : &Registers[S.C], R);
    if (!Replaces)
      return assign(S.Result, Apart, Active);
    assert((!R.Uniform || R.Unknown == 0) && "what all lanes share is known");
    Defined[S.Result] = Active;
    return;
  }
  switch (S.What) {
  case Code::Load:
    return load(S, Active);
  case Code::Store:
    if (S.Site >= 0)
      return Sink.request(S.Site, *A, Active, Speculative & Active);
    ++PrivateStores;
    return Private.store(*A, S.B == NoSlot ? nullptr : &Registers[S.B],
                         unsigned(S.Immediate), Active);
  case Code::Atomic:
    if (S.Site >= 0)
      Sink.request(S.Site, *A, Active, Speculative & Active);
    if (S.Result != NoSlot)
      assign(S.Result, handedOut(S, *A, Active), Active);
    return;
  case Code::CallAccess:
    if (const uint32_t Lanes = Active & Code.Sites[S.Site].Lanes)
      Sink.request(S.Site, *A, Lanes, Speculative & Lanes);
    return;
  case Code::Fragment:
    return fragment(S, Active);
  case Code::Unknown:
    return assign(S.Result, LaneValue::unknown(uint32_t(S.Immediate)), Active);
  case Code::Extract:
  case Code::Opaque: {
    // Uniform in, uniform out; what comes out is made up.
    bool Uniform = true;
    uint64_t Key = uint64_t(S.Immediate) + S.Result;
    uint32_t From = S.What == Code::Opaque ? uint32_t(S.Immediate) : 0;
    uint32_t Apart = 0;
    for (uint32_t Slot : {S.A, S.B, S.C})
      if (Slot != NoSlot) {
        const std::optional<uint64_t> Shared =
            sharedAddress(Registers[Slot], Active);
        Uniform &= Shared.has_value();
        Key = Key * 31 + Shared.value_or(0);
        From |= Registers[Slot].From;
        Apart |= apartAt(Registers[Slot], Active);
        if (Registers[Slot].Unknown & Active)
          Apart |= Registers[Slot].From & OriginApart;
      }
    if (!Uniform) {
      LaneValue R = LaneValue::unknown(From);
      R.From = (R.From & ~OriginApart) | Apart;
      return assign(S.Result, R, Active);
    }
    return assign(S.Result,
                  LaneValue::uniform(Where.invent(Key, S.From->getType()),
                                     From | OriginAssumed),
                  Active);
  }
  case Code::Barrier:
    return Sink.barrier();
  default:
    return exchange(S, Active);
  }
}

void WarpInterpreter::load(const Step &S, uint32_t Active) {
  const LaneValue &Address = Registers[S.A];
  const unsigned Bytes = unsigned(S.Immediate);
  if (S.Site >= 0)
    Sink.request(S.Site, Address, Active, Speculative & Active);
  if (S.Result == NoSlot)
    return;
  // One table or private array holds the addresses of all lanes, or none.
  const bool IsPrivate =
      S.Site < 0 && !(Address.Unknown & Active) &&
      Where.isPrivate(Address.lane(std::countr_zero(Active)));
  if (IsPrivate)
    return assign(S.Result, Private.load(Address, Bytes, Active), Active);
  if (const std::optional<uint64_t> At = sharedAddress(Address, Active)) {
    const std::optional<uint64_t> Content = Where.contents(*At, Bytes);
    if (Content)
      return assign(S.Result, LaneValue::uniform(*Content), Active);
    if (Where.isMember(*At) && !S.From->getType()->isPointerTy())
      return assign(S.Result,
                    LaneValue::uniform(Where.inventMember(*At, Bytes, *S.From),
                                       OriginAssumed),
                    Active);
    const std::optional<uint64_t> Likely = Where.likelyContents(*At, Bytes);
    return assign(
        S.Result,
        Likely ? LaneValue::uniform(*Likely, OriginAssumed | OriginCopied)
               : LaneValue::uniform(Where.inventLoaded(*At, *S.From),
                                    OriginAssumed | OriginLoadedByAll),
        Active);
  }
  LaneValue R = LaneValue::unknown(OriginMemory);
  R.From = OriginMemory | Address.From | apartAt(Address, Active);
  uint32_t Copied = 0;
  for (uint32_t Left = Active & ~Address.Unknown; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    std::optional<uint64_t> Content = Where.contents(Address.lane(L), Bytes);
    if (!Content) {
      Content = Where.likelyContents(Address.lane(L), Bytes);
      Copied = OriginAssumed | OriginAssumedStep | OriginCopied;
    }
    if (!Content)
      break;
    R.Lanes[L] = *Content;
    R.Unknown &= ~(1u << L);
  }
  if (!(R.Unknown & Active))
    R.From = Address.From | Copied;
  R.From |= OriginIndexed;
  assign(S.Result, R, Active);
}

void WarpInterpreter::fragment(const Step &S, uint32_t Active) {
  const LaneValue &Base = Registers[S.A], &Stride = Registers[S.B];
  const FragmentStep &F = Code.Fragments[Code.Sites[S.Site].Fragment];
  LaneValue Address;
  Address.Uniform = false;
  Address.From = Base.From | Stride.From;
  Address.Unknown = Base.Unknown | Stride.Unknown;
  for (unsigned L = 0; L != WarpLanes; ++L) {
    const uint64_t Element =
        F.Request.Line[L] * uint64_t(signExtend(Stride.lane(L), 32)) +
        F.Request.Element[L];
    Address.Lanes[L] = Base.lane(L) + Element * F.ElementBytes;
  }
  if (const uint32_t Lanes = Active & Code.Sites[S.Site].Lanes)
    Sink.request(S.Site, Address, Lanes, Speculative & Lanes);
}

/// What lanes get that add the same to a counter: numbers in a row, in whatever
/// order, "Out[atomicAdd(&Count, 1)] = X" being a store of neighbours. Where
/// they begin is as good as an offset that all of them load.
LaneValue WarpInterpreter::handedOut(const Step &S, const LaneValue &Address,
                                     uint32_t Active) const {
  const auto *Modify = llvm::dyn_cast<llvm::AtomicRMWInst>(S.From);
  const auto *By =
      Modify ? llvm::dyn_cast<llvm::ConstantInt>(Modify->getValOperand())
             : nullptr;
  const unsigned First = unsigned(std::countr_zero(Active));
  bool IsOneCounter = By && !(Address.Unknown & Active);
  for (uint32_t Left = Active; Left != 0 && IsOneCounter; Left &= Left - 1)
    IsOneCounter =
        Address.lane(unsigned(std::countr_zero(Left))) == Address.lane(First);
  if (!IsOneCounter || (Modify->getOperation() != llvm::AtomicRMWInst::Add &&
                        Modify->getOperation() != llvm::AtomicRMWInst::Sub))
    return LaneValue::unknown(OriginAtomic);
  const uint64_t Begin = Where.invent(S.Result, S.From->getType());
  const uint64_t Each = Modify->getOperation() == llvm::AtomicRMWInst::Add
                            ? By->getZExtValue()
                            : 0 - By->getZExtValue();
  const unsigned Bits = By->getBitWidth();
  LaneValue R = LaneValue::unknown(0);
  R.Unknown = 0;
  R.From = Address.From | OriginAssumed | OriginLoadedByAll | OriginCounted;
  uint64_t Rank = 0;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    R.Lanes[std::countr_zero(Left)] =
        (Begin + Each * Rank++) & llvm::maskTrailingOnes<uint64_t>(Bits);
  return R;
}

void WarpInterpreter::exchange(const Step &S, uint32_t Active) {
  const LaneValue *A = S.A == NoSlot ? nullptr : &Registers[S.A];
  const LaneValue *B = S.B == NoSlot ? nullptr : &Registers[S.B];
  const LaneValue *C = S.C == NoSlot ? nullptr : &Registers[S.C];
  LaneValue R = exchangeLanes(S, A, B, C, Active);
  // The same unknown value in every lane is as good as an argument, or as what
  // all of them load.
  if (R.Uniform && R.Unknown) {
    if (R.From & (OriginMemory | OriginAtomic))
      R.From |= OriginLoadedByAll;
    R = LaneValue::uniform(Where.invent(S.Result, S.From->getType()),
                           R.From | OriginAssumed);
  }
  assign(S.Result, R, Active);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void WarpInterpreter::enterLoop(const BlockCode &Block, uint32_t Active,
                                Chances Chosen) {
  const LoopInfo &L = Code.Loops[Block.Loop];
  const uint32_t From = CameFrom[std::countr_zero(Active)];
  const bool Again = isWithin(Code.Loops, Code.Blocks[From].Loop, Block.Loop);
  joinPhis(Block, Active, Chosen);
  for (const Phi &P : Block.Phis)
    Registers[P.Slot].From |= OriginRound;
  uint64_t &Stride = Strides[Block.Loop], &Stands = this->Stands[Block.Loop];
  const uint64_t Passed = Again ? Stands : 0;
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
  // As long as no lane has left, those that leave first are as many rounds
  // nearer to it.
  CountedRounds &Counted = this->Counted[Block.Loop];
  if (Again && Counted.Active == Active && Counted.Left &&
      *Counted.Left > Passed)
    *Counted.Left -= Passed;
  else
    Counted = {Active, remainingRounds(*L.Count, Registers, Active)};
  if (Limits.EndsOnly && Again && Counted.Left && *Counted.Left > 1) {
    skipRounds(*L.Count, *Counted.Left - 1, Active);
    Counted.Left = 1;
    Seen.Skipped = true;
  }
  const std::optional<uint64_t> Left = Counted.Left;
  if (!Again && Left) {
    const uint64_t Samples =
        L.HasInner ? Limits.OuterSamples : Limits.InnerSamples;
    if (*Left >= 2 * Samples)
      Stride = *Left / Samples | 1;
  }
  if (Again && isRestCounted(Block.Loop))
    Stride = std::max(Stride, *Left);
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
  assert(Skipped != 0 && "what follows a variable stays where it is");
  for (const Countdown::Advance &A : Count.Advances) {
    const bool Follows = A.Follows != NoSlot;
    LaneValue Moved = Registers[Follows ? A.Follows : A.Slot];
    const LaneValue Step = A.Step == NoSlot
                               ? LaneValue::uniform(uint64_t(A.Constant))
                               : Registers[A.Step];
    if (!Step.Uniform)
      Moved.spread();
    Moved.Unknown |= Step.Unknown;
    Moved.From |= Step.From;
    for (unsigned N = 0; N != (Moved.Uniform ? 1 : WarpLanes); ++N) {
      const uint64_t Far =
          (Skipped - Follows) * uint64_t(signExtend(Step.lane(N), A.Bits));
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

/// True when the steps are spent and it is known how many rounds are left of
/// \p Loop.
bool WarpInterpreter::isRestCounted(int32_t Loop) const {
  return Limits.CountsRest && StepsTaken > Limits.Steps &&
         StepsTaken <= MostOverdrawn * Limits.Steps && Code.Loops[Loop].Count &&
         Counted[Loop].Left;
}

/// True when the loop around \p Block has been followed far enough.
bool WarpInterpreter::mustLeave(const BlockCode &Block,
                                const LaneValue &Condition,
                                uint32_t Active) const {
  assert(Block.Loop >= 0 && "only a loop can be left");
  const unsigned Done = Rounds[Block.Loop];
  if (StepsTaken > Limits.Steps && !isRestCounted(Block.Loop)) {
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
  const uint32_t From = Registers[Block.Condition].From;
  for (uint32_t Slot : Code.Loops[Block.Loop].Varying) {
    LaneValue &V = Registers[Slot];
    V.From |= OriginAssumed | OriginTruncated;
    if (Unknown == 0)
      continue;
    // Each lane would leave after a round of its own, as far from where it
    // began: what began in rows of their own stays there.
    const bool HasRows = V.Unknown == 0 && !V.Uniform;
    V.spread();
    V.Unknown |= Unknown;
    V.From |= From | (HasRows ? OriginRows : 0);
  }
}

/// The way that lanes take where it is not known, or where a run is told to go
/// another way.
uint32_t WarpInterpreter::decide(uint32_t Number, uint32_t Lanes,
                                 bool Uncertain) {
  const BlockCode &Block = Code.Blocks[Number];
  // "a && b && c" is one condition, of which half hold, and so are conditions
  // within conditions that end at one place.
  bool IsPartOfOne = llvm::is_contained(Block.Targets, Block.Meets) &&
                     (Lanes & ~Speculative) == 0;
  for (uint32_t Left = Lanes; Left != 0 && IsPartOfOne; Left &= Left - 1)
    IsPartOfOne = SpeculativeUntil[std::countr_zero(Left)] == Block.Meets;
  if (Uncertain)
    for (uint32_t Left = Lanes & ~Speculative; Left != 0; Left &= Left - 1) {
      const unsigned L = std::countr_zero(Left);
      SpeculativeUntil[L] = Block.Meets;
      Speculative |= 1u << L;
    }
  if (auto Way = Forced.find(Number); Way != Forced.end()) {
    assert(Way->second < Block.Targets.size() && "no such way");
    return Way->second;
  }
  // In a loop: stay. Elsewhere: into what the branch guards first, then the
  // other way in turn.
  const uint32_t Count = uint32_t(Block.Targets.size());
  if (ExitTargets[Number])
    for (uint32_t T = 0; T != Count; ++T)
      if (!(ExitTargets[Number] >> T & 1))
        return T;
  const uint32_t First = Count > 1 && Block.Targets[0] == Block.Meets ? 1 : 0;
  return IsPartOfOne ? First : (First + Visits[Number]++) % Count;
}

void WarpInterpreter::goEither(uint32_t Target, uint32_t Lanes, uint32_t From) {
  if (Lanes)
    wait(Target, Lanes, From);
  else if (Code.Blocks[Target].IsPredicated)
    Sink.passOver(Target);
}

/// Whether more hangs on the way that \p Block ends in than some arithmetic.
bool WarpInterpreter::decidesWork(const BlockCode &Block) const {
  return std::any_of(
      Block.Targets.begin(), Block.Targets.end(), [&](uint32_t Target) {
        const BlockCode &Arm = Code.Blocks[Target];
        const auto First = Code.Steps.begin() + Arm.FirstStep,
                   End = Code.Steps.begin() + Arm.EndStep;
        return Target != Block.Meets &&
               (Arm.End != BlockCode::Ending::Jump ||
                Arm.Targets[0] != Block.Meets || Arm.Barriers != 0 ||
                std::any_of(First, End,
                            [](const Step &S) { return S.Site >= 0; }));
      });
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
  if (Assumed && !Seen.AssumedWork)
    Seen.AssumedWork = ExitTargets[Number] || decidesWork(Block);

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
    if (Block.Meets != Nowhere) {
      ByChance[Block.Meets].Lanes |= Unknown;
      ByChance[Block.Meets].From |= Condition.From;
    }
    wait(Block.Targets[To], Unknown, Number);
    Left &= ~Unknown;
  } else if (Assumed && Forced.count(Number)) {
    const uint32_t To = decide(Number, Left, /*Uncertain=*/false);
    return wait(Block.Targets[To], Left, Number);
  }
  if (Left == 0)
    return;
  if (Block.End == BlockCode::Ending::Branch) {
    uint32_t True = Condition.Uniform && (Condition.Lanes[0] & 1) ? ~0u : 0;
    for (unsigned L = 0; !Condition.Uniform && L != WarpLanes; ++L)
      True |= uint32_t(Condition.Lanes[L] & 1) << L;
    goEither(Block.Targets[0], Left & True, Number);
    return goEither(Block.Targets[1], Left & ~True, Number);
  }
  if (Condition.Uniform)
    return wait(Block.Targets[targetOf(Block, Condition.Lanes[0])], Left,
                Number);
  for (; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    wait(Block.Targets[targetOf(Block, Condition.Lanes[L])], 1u << L, Number);
  }
}

} // namespace warpwise::access
