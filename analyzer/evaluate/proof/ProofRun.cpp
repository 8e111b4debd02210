//===- ProofRun.cpp - One warp, for every value of what is unknown --------===//

#include "analyzer/evaluate/proof/ProofRun.h"

#include "analyzer/evaluate/LaneArithmetic.h"
#include "analyzer/evaluate/LaneExchange.h"
#include "analyzer/evaluate/LoopCounting.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Casting.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <numeric>

namespace warpwise::access::proof {
namespace {

/// Rounds of a loop that are run one by one; tiles are rarely larger, and what
/// is generalised is only a little less precise.
constexpr unsigned MostRounds = 72;
/// Attempts to find how the variables of a loop change.
constexpr unsigned MostRestarts = 16;
/// The largest number of rounds that any loop makes: at a nanosecond each, 2^40
/// take a quarter of an hour.
constexpr Wide MostRoundsOfAnyLoop = Wide(1) << 40;
/// Loaded values that are told apart in one form.
constexpr size_t MostGroups = 4;
/// Where a loop that is run anew comes from.
constexpr uint32_t Restarted = NoSlot - 1;

} // namespace

ProofRun::ProofRun(const Program &Code, const launch::Shape &Shape,
                   const std::vector<launch::Argument> &Arguments,
                   const Environment &Where, ProofSink &Sink)
    : Code(Code), Shape(Shape), Arguments(Arguments), Where(Where), Sink(Sink),
      Registers(Code.Slots), Defined(Code.Slots), Waiting(Code.Blocks.size()),
      Loops(Code.Loops.size()), ReadsPrivate(Code.Steps.size()),
      ComputedIn(Code.Loops.size()) {
  for (const BlockCode &B : Code.Blocks)
    for (int32_t L = B.Loop; L >= 0; L = Code.Loops[L].Parent) {
      for (const Phi &P : B.Phis)
        ComputedIn[L].push_back(P.Slot);
      for (uint32_t S = B.FirstStep; S != B.EndStep; ++S)
        if (Code.Steps[S].Result != NoSlot)
          ComputedIn[L].push_back(Code.Steps[S].Result);
    }
  for (size_t N = 0; N != Code.Steps.size(); ++N) {
    const Step &S = Code.Steps[N];
    if (S.What != Code::Load || S.Site >= 0 || !S.From)
      continue;
    const MemoryReference Reference = memoryReference(*S.From);
    ReadsPrivate[N] =
        Reference.Pointer &&
        lowering::objectOf(Reference.Pointer).Memory == Space::Local;
  }
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

bool ProofRun::run(const Range &Which, uint32_t Lanes, uint64_t MostSteps) {
  assert(Which.Warp || hasSymbolicWarps(Shape.Block));
  Forms = Algebra();
  Around = Contexts();
  std::fill(Defined.begin(), Defined.end(), 0);
  for (std::vector<Arrival> &W : Waiting)
    W.clear();
  for (LoopState &L : Loops)
    L = LoopState();
  Private = PrivateMemory();
  Members.clear();
  Steps = Arrivals = 0;
  Place = 0;
  GaveUp = false;
  PresetForms Presets(Shape, Arguments, Where, Forms);
  for (const Preset &P : Code.Presets) {
    Registers[P.Slot] = Presets.of(P, Which);
    Defined[P.Slot] = ~0u;
    if (P.What == Preset::Kind::Private)
      for (const auto &[Slot, Bytes] : Code.Privates)
        if (Slot == P.Object)
          Private.add(uint64_t(Registers[P.Slot].Base[0]), Bytes);
  }
  arrive(0, Lanes, Restarted, {});
  while (const std::optional<uint32_t> Number = next()) {
    const uint32_t Active = enter(*Number);
    if (GaveUp)
      return false;
    if (Active == 0)
      continue;
    Context Common;
    Sure = Around.sureLanes(In, Active, Common);
    Taken = Around.waysOfBlock(Common);
    const BlockCode &B = Code.Blocks[*Number];
    for (int32_t L = B.Loop; L >= 0; L = Code.Loops[L].Parent)
      if (Loops[L].Widened)
        Taken.reset();
    for (uint32_t S = B.FirstStep; S != B.EndStep && !GaveUp; ++S)
      execute(Code.Steps[S], S, Active);
    Steps += B.EndStep - B.FirstStep + B.Phis.size() + 1;
    if (GaveUp || Steps > MostSteps)
      return false;
    leave(*Number, Active);
    if (GaveUp)
      return false;
  }
  return true;
}

void ProofRun::arrive(uint32_t Block, uint32_t Lanes, uint32_t From,
                      const std::array<Context, 32> &Contexts) {
  if (Lanes != 0)
    Waiting[Block].push_back({From, Lanes, ++Arrivals, Contexts});
}

/// The block to run: the first in the convergent order, but a round of a loop
/// is finished before the next one begins.
std::optional<uint32_t> ProofRun::next() const {
  std::optional<uint32_t> Chosen;
  for (uint32_t B = 0; B != Waiting.size(); ++B) {
    if (Waiting[B].empty())
      continue;
    if (!Chosen || (Code.Blocks[*Chosen].IsHeader &&
                    isInLoop(B, Code.Blocks[*Chosen].Loop)))
      Chosen = B;
    if (!Code.Blocks[*Chosen].IsHeader)
      break;
  }
  return Chosen;
}

/// What the slot holds, which takes \p Room if it is not there as it is.
const Form &ProofRun::viewed(uint32_t Slot, unsigned Bits, Form &Room) const {
  const Form &F = Registers[Slot];
  if (!F.isNumber() || F.Bits == Bits)
    return F;
  // One slot holds a constant for operands of all widths.
  Room = F;
  Room.Unsigned = makeCanonical(Room.Base, Bits);
  Room.Signed = true;
  Room.Bits = uint8_t(Bits);
  return Room;
}

Form ProofRun::viewed(uint32_t Slot, unsigned Bits) const {
  Form Room;
  return viewed(Slot, Bits, Room);
}

void ProofRun::assign(uint32_t Slot, Form Value, uint32_t Active) {
  if ((Defined[Slot] & ~Active) == 0) {
    Registers[Slot] = std::move(Value);
    Defined[Slot] = Active;
    return;
  }
  Registers[Slot] = Forms.blend(Value, Registers[Slot], Active);
  Defined[Slot] |= Active;
}

void ProofRun::setContexts(uint32_t Block, const std::vector<Arrival> &From) {
  uint32_t Seen = 0;
  for (const Arrival &A : From) {
    std::array<std::pair<Context, Context>, 2> Known{};
    for (uint32_t Left = A.Lanes; Left != 0; Left &= Left - 1) {
      const unsigned L = std::countr_zero(Left);
      if (Known[0].first != A.In[L])
        Known[0] = {A.In[L], Around.leave(A.In[L], Block)};
      const Context C = Known[0].second;
      In[L] = Seen >> L & 1 ? Around.merge(In[L], C) : C;
    }
    Seen |= A.Lanes;
  }
}

/// What a phi holds when lanes arrive as \p From says; a lane that may come by
/// several ways gets one value or another.
Form ProofRun::joinPhi(const Phi &P, const std::vector<Arrival> &From) {
  Form Joined;
  uint32_t Done = 0;
  for (const Arrival &A : From) {
    const auto Way =
        std::find_if(P.Incoming.begin(), P.Incoming.end(),
                     [&](const auto &I) { return I.first == A.From; });
    if (Way == P.Incoming.end()) {
      GaveUp = true;
      return Form::unknown(0, P.Bits);
    }
    const Form &Value = viewed(Way->second, P.Bits, Rooms[0]);
    if (Done == 0) {
      Joined = Value;
      Done = A.Lanes;
      continue;
    }
    const uint32_t Both = Done & A.Lanes;
    Form Next = Forms.blend(Value, Joined, A.Lanes & ~Done);
    if (Both) {
      // Lanes of one context come the same way.
      const Context C = A.In[std::countr_zero(Both)];
      bool Together = !Around.isOwn(C);
      for (uint32_t Left = Both; Left != 0; Left &= Left - 1)
        Together &= A.In[std::countr_zero(Left)] == C;
      const Form Either = Forms.either(Joined, Value, Both, Together);
      Next = Forms.blend(Either, Next, Both);
    }
    Joined = std::move(Next);
    Done |= A.Lanes;
  }
  return Joined;
}

std::vector<Form> ProofRun::joinPhis(const BlockCode &Block,
                                     const std::vector<Arrival> &From) {
  // Phis read all old values before any of them is written.
  std::vector<Form> Made;
  for (const Phi &P : Block.Phis)
    Made.push_back(joinPhi(P, From));
  return Made;
}

/// Lanes that have left a loop one by one did so in rounds of their own: what
/// they bring along has nothing in common any more.
void ProofRun::partLanes(uint32_t Block, const std::vector<Arrival> &From) {
  for (const Arrival &A : From) {
    if (A.From == Restarted)
      continue;
    for (int32_t L = Code.Blocks[A.From].Loop; L >= 0 && !isInLoop(Block, L);
         L = Code.Loops[L].Parent) {
      if (!Loops[L].Widened || !Loops[L].OwnExit)
        continue;
      for (uint32_t Slot : ComputedIn[L]) {
        Form &F = Registers[Slot];
        F.forget(A.Lanes & Defined[Slot]);
        F.From |= OriginAssumed;
      }
    }
  }
}

/// The lanes that run block \p Number now.
uint32_t ProofRun::enter(uint32_t Number) {
  std::vector<Arrival> From = std::move(Waiting[Number]);
  Waiting[Number].clear();
  const BlockCode &Block = Code.Blocks[Number];
  uint32_t Lanes = 0;
  for (const Arrival &A : From)
    Lanes |= A.Lanes;
  setContexts(Number, From);
  partLanes(Number, From);
  if (Block.IsHeader)
    return enterHeader(Number, From, Lanes);
  std::vector<Form> Values = joinPhis(Block, From);
  for (size_t N = 0; N != Values.size(); ++N)
    assign(Block.Phis[N].Slot, std::move(Values[N]), Lanes);
  return Lanes;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Where the lanes that leave loop \p Loop are together again.
uint32_t ProofRun::exitOf(int32_t Loop) const {
  uint32_t At = Code.Loops[Loop].Header;
  while (At != NoSlot && isInLoop(At, Loop))
    At = Code.Blocks[At].Meets;
  return At;
}

/// Rounds still to come, this one included, if all lanes make as many.
std::optional<uint64_t> ProofRun::roundsLeft(const LoopInfo &L,
                                             uint32_t Active) {
  if (!L.Count)
    return std::nullopt;
  const Countdown &C = *L.Count;
  const Form Counter = viewed(C.Counter, C.Bits),
             Bound = viewed(C.Bound, C.Bits);
  const Countdown::Advance &Advance = C.Advances[C.CounterAdvance];
  bool AreNumbers = true, AreOpenAnywhere = false;
  uint32_t ItsPlace = 0;
  for (const Form *F :
       {&Counter, &Bound,
        Advance.Step == NoSlot ? &Bound : &Registers[Advance.Step]}) {
    AreNumbers &= isNumberIn(*F, Active);
    AreOpenAnywhere |= Forms.isOpenAnywhere(*F, Active);
    ItsPlace |= Forms.placeOf(*F, Active);
  }
  if (!AreNumbers) {
    if (!AreOpenAnywhere)
      Place |= ItsPlace;
    return std::nullopt;
  }
  // Lane by lane with the evaluator's own rule.
  std::vector<LaneValue> Values(Code.Slots);
  Values[C.Counter] = Counter.toLaneValue();
  Values[C.Bound] = Bound.toLaneValue();
  if (Advance.Step != NoSlot)
    Values[Advance.Step] = viewed(Advance.Step, Advance.Bits).toLaneValue();
  for (uint32_t Slot : {C.Counter, C.Bound})
    Values[Slot].From = 0;
  std::optional<uint64_t> Same;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const std::optional<uint64_t> Rounds =
        remainingRounds(C, Values, Left & -Left);
    if (!Rounds || (Same && *Same != *Rounds))
      return std::nullopt;
    Same = Rounds;
  }
  return Same;
}

uint32_t ProofRun::enterHeader(uint32_t Number,
                               const std::vector<Arrival> &From,
                               uint32_t Lanes) {
  const BlockCode &Block = Code.Blocks[Number];
  const int32_t Loop = Block.Loop;
  LoopState &S = Loops[Loop];
  auto assignAll = [&](auto ValueOf) {
    for (size_t N = 0; N != Block.Phis.size(); ++N)
      assign(Block.Phis[N].Slot, ValueOf(N), Lanes);
  };
  auto runGeneralised = [&] {
    generalise(Loop);
    Lanes = S.Lanes;
    In = S.In;
    if (S.OwnExit)
      for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1) {
        const unsigned L = std::countr_zero(Left);
        In[L] = Around.child(S.In[L], exitOf(Loop), /*Own=*/true);
      }
    assignAll([&](size_t N) { return S.Variables[N].Now; });
    return Lanes;
  };
  if (From.front().From == Restarted && S.Widened)
    return runGeneralised();
  unsigned Back = 0;
  for (const Arrival &A : From)
    Back += A.From != Restarted && isInLoop(A.From, Loop);
  if (Back != 0 && Back != From.size() && S.Widened) {
    GaveUp = true; // lanes of two visits of the loop at once
    return 0;
  }
  std::vector<Form> Values = joinPhis(Block, From);
  if (GaveUp)
    return 0;
  if (Back != 0 && S.Widened) {
    if (S.Finished) {
      GaveUp = true;
      return 0;
    }
    if (!isStable(Loop, Values, Lanes)) {
      restart(Loop);
      return 0;
    }
    Private.clear();
    if (!S.Left)
      return 0;
    // All rounds are run; what the variables hold after them is known.
    S.Finished = true;
    Lanes = S.Lanes;
    In = S.In;
    assignAll([&](size_t N) {
      const Generalised &V = S.Variables[N];
      if (V.How != Generalised::Kind::Counted)
        return V.Now;
      Form Total = Form::number(0, V.Start.Bits);
      for (unsigned L = 0; L != WarpLanes; ++L)
        Total.Base[L] = canonical(uint64_t(V.Step[L]) * *S.Left, Total.Bits);
      return Forms.add(V.Start, Total, V.Start.Bits, V.Signed, V.Unsigned,
                       false);
    });
    return Lanes;
  }
  if (Back == 0)
    S = LoopState();
  else
    ++S.Rounds;
  S.Lanes = Lanes;
  S.In = In;
  S.Variables.resize(Values.size());
  for (size_t N = 0; N != Values.size(); ++N)
    S.Variables[N].Start = Values[N];
  assignAll([&](size_t N) { return Values[N]; });
  const std::optional<uint64_t> Left =
      Back == 0 ? roundsLeft(Code.Loops[Loop], Lanes) : std::nullopt;
  const bool TooLong = (Left && *Left > MostRounds) || S.Rounds > MostRounds;
  if (!TooLong)
    return Lanes;
  S.Left = Left ? Left : roundsLeft(Code.Loops[Loop], Lanes);
  if (S.Left && *S.Left == 0)
    S.Left.reset();
  widen(Loop);
  return runGeneralised();
}

/// From here on the loop is run for all of its rounds at once.
void ProofRun::widen(int32_t Loop) {
  LoopState &S = Loops[Loop];
  S.Widened = true;
  S.WidenedSince = Arrivals + 1;
  S.Round =
      Forms.fresh({0, S.Left ? Wide(*S.Left) - 1 : MostRoundsOfAnyLoop}, 64, 0);
  for (Generalised &V : S.Variables) {
    V.How = Generalised::Kind::Untried;
    V.Signed = V.Start.Signed;
    V.Unsigned = V.Start.Unsigned;
  }
  Private.clear();
}

/// Runs the generalised round anew, since what it was run with does not hold.
void ProofRun::restart(int32_t Loop) {
  LoopState &S = Loops[Loop];
  if (++S.Restarts > MostRestarts) {
    GaveUp = true;
    return;
  }
  for (uint32_t B = 0; B != Waiting.size(); ++B)
    if (isInLoop(B, Loop))
      Waiting[B].clear();
    else
      std::erase_if(Waiting[B], [&](const Arrival &A) {
        return A.From != Restarted && isInLoop(A.From, Loop) &&
               A.Number >= S.WidenedSince;
      });
  Private.clear();
  arrive(Code.Loops[Loop].Header, S.Lanes, Restarted, S.In);
}

void ProofRun::generalise(int32_t Loop) {
  LoopState &S = Loops[Loop];
  for (Generalised &V : S.Variables) {
    const unsigned Bits = V.Start.Bits;
    V.Now = V.Start;
    switch (V.How) {
    case Generalised::Kind::Fixed:
      break;
    case Generalised::Kind::Counted: {
      Term T{S.Round.Terms[0].Symbol, V.Step};
      V.Now.Terms.push_back(T);
      V.Now.Signed = V.Signed;
      V.Now.Unsigned = V.Unsigned;
      break;
    }
    case Generalised::Kind::Untried:
    case Generalised::Kind::Shared: {
      if (Bits == 1) {
        V.Now = isUniform(V.Start, S.Lanes)
                    ? Forms.fresh({0, 1}, 1, V.Start.From | OriginAssumed)
                    : Form::unknown(V.Start.From | OriginAssumed, 1);
        break;
      }
      // (How it changes hangs on no place: isStable has seen to that.)
      Form Change = Forms.fresh({-MostRoundsOfAnyLoop * (Wide(1) << 50),
                                 MostRoundsOfAnyLoop * (Wide(1) << 50)},
                                64, V.Start.From & ~OriginPlace);
      Change.Terms[0].Factor.fill(V.Content);
      V.Now.Terms.push_back(Change.Terms[0]);
      V.Now.Signed = V.Signed;
      V.Now.Unsigned = V.Unsigned;
      break;
    }
    case Generalised::Kind::Anything:
      V.Now =
          Form::unknown((V.Start.From & ~OriginPlace) | OriginAssumed, Bits);
      break;
    }
    V.Now.From |= OriginAssumed;
  }
}

/// True when one more round, which ends with \p Next, leads to nothing that the
/// variables as generalised do not hold; else they hold more from now on.
bool ProofRun::isStable(int32_t Loop, const std::vector<Form> &Next,
                        uint32_t Lanes) {
  using Kind = Generalised::Kind;
  LoopState &S = Loops[Loop];
  bool Stable = true;
  for (size_t N = 0; N != Next.size(); ++N) {
    Generalised &V = S.Variables[N];
    if (V.How == Kind::Anything)
      continue;
    const Kind Before = V.How;
    const Form D = Forms.add(Next[N], V.Now, 64, true, true, /*Subtract=*/true);
    Place |= Forms.placeOf(D, Lanes);
    const bool Known = !(D.Top & Lanes) && !D.Torn;
    const bool Uniform = Known && isUniform(D, Lanes);
    const bool Number = Known && isNumberIn(D, Lanes);
    bool Zero = Number, SameStep = Number;
    for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1) {
      const unsigned L = std::countr_zero(Left);
      Zero &= D.Base[L] == 0;
      SameStep &= D.Base[L] == V.Step[L];
    }
    if (V.Start.Bits == 1) {
      const bool Same =
          isUniform(Next[N], Lanes) && isUniform(V.Start, S.Lanes);
      Place |= Forms.placeOf(V.Start, S.Lanes);
      V.How = isSame(Next[N], V.Now, Lanes) && Before == Kind::Fixed
                  ? Kind::Fixed
              : Same && Before != Kind::Fixed ? Kind::Shared
                                              : Kind::Anything;
      Stable &=
          V.How == Before || (Before == Kind::Untried && V.How == Kind::Shared);
      continue;
    }
    if (Before == Kind::Untried) {
      V.How = Zero      ? Kind::Fixed
              : Number  ? Kind::Counted
              : Uniform ? Kind::Shared
                        : Kind::Anything;
      if (V.How == Kind::Counted)
        V.Step = D.Base;
      if (V.How == Kind::Shared)
        V.Content = Forms.contentOf(D, Lanes);
      Stable = false;
      continue;
    }
    const bool Holds = Before == Kind::Fixed     ? Zero
                       : Before == Kind::Counted ? SameStep
                                                 : Uniform;
    if (!Holds) {
      V.How = Uniform ? Kind::Shared : Kind::Anything;
      V.Content = Uniform ? std::gcd(Forms.contentOf(D, Lanes),
                                     Before == Kind::Counted
                                         ? V.Step[std::countr_zero(Lanes)]
                                         : int64_t(0))
                          : 1;
      if (V.How == Kind::Shared && Before == Kind::Counted) {
        // The steps so far must be the same in all lanes, too.
        for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1)
          if (V.Step[std::countr_zero(Left)] != V.Step[std::countr_zero(Lanes)])
            V.How = Kind::Anything;
      }
      V.Content = std::max<int64_t>(1, V.Content);
      Stable = false;
    } else if (Before == Kind::Shared) {
      const int64_t Common = std::gcd(V.Content, Forms.contentOf(D, Lanes));
      Stable &= Common == V.Content;
      V.Content = std::max<int64_t>(1, Common);
    }
    // That the sum is the value itself holds if it holds after one more round.
    if ((V.Signed && !Next[N].Signed) || (V.Unsigned && !Next[N].Unsigned)) {
      V.Start.From |= Next[N].From & OriginPlace;
      V.Signed &= Next[N].Signed;
      V.Unsigned &= Next[N].Unsigned;
      Stable &= Before == Kind::Fixed && Holds;
    }
  }
  return Stable;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Adds the lanes whose way is known to \p Going; returns the others.
uint32_t ProofRun::sendLanes(const BlockCode &Block, const Form &Condition,
                             uint32_t Active, std::vector<uint32_t> &Going) {
  uint32_t Open = 0;
  const bool IsKnown = isNumberIn(Condition, Active);
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    if (!IsKnown && !isNumberIn(Condition, 1u << L)) {
      Open |= 1u << L;
      continue;
    }
    uint32_t Target = 0;
    if (Block.End == BlockCode::Ending::Branch) {
      Target = Condition.Base[L] & 1 ? 0 : 1;
    } else {
      const uint64_t Value =
          truncateTo(uint64_t(Condition.Base[L]), Condition.Bits);
      for (uint32_t N = 0; N != Block.Cases.size(); ++N)
        if (truncateTo(Block.Cases[N], Condition.Bits) == Value)
          Target = N + 1;
    }
    Going[Target] |= 1u << L;
  }
  return Open;
}

void ProofRun::leave(uint32_t Number, uint32_t Active) {
  const BlockCode &Block = Code.Blocks[Number];
  if (Block.End == BlockCode::Ending::None)
    return;
  std::vector<uint32_t> Going(Block.Targets.size()); ///< lanes, by target
  uint32_t Open = 0;
  bool Together = true;
  if (Block.End == BlockCode::Ending::Jump) {
    Going[0] = Active;
  } else {
    const Form &Condition = Block.End == BlockCode::Ending::Branch
                                ? viewed(Block.Condition, 1, Rooms[0])
                                : Registers[Block.Condition];
    Open = sendLanes(Block, Condition, Active, Going);
    Place |= Forms.placeOf(Condition, Open);
    Together = isUniform(Condition, Open);
  }

  // From the outermost loop inwards: is it left, and by whom?
  llvm::SmallVector<int32_t, 8> Enclosing;
  for (int32_t L = Block.Loop; L >= 0; L = Code.Loops[L].Parent)
    Enclosing.push_back(L);
  for (int32_t Loop : llvm::reverse(Enclosing)) {
    LoopState &S = Loops[Loop];
    uint32_t Leaves = 0, Stays = 0;
    bool MayLeave = false, MayStay = false;
    for (uint32_t T = 0; T != Block.Targets.size(); ++T) {
      const bool Out = !isInLoop(Block.Targets[T], Loop);
      (Out ? Leaves : Stays) |= Going[T];
      (Out ? MayLeave : MayStay) |= true;
    }
    if (!MayLeave)
      continue;
    // Lanes that are here in one of several cases go on in the others, and
    // would overwrite what those that leave bring along.
    const auto IsSure = [&](unsigned L) { return In[L] == S.In[L]; };
    if (!S.Widened && ((MayStay && Open) || !all(Leaves, IsSure))) {
      widen(Loop);
      return restart(Loop);
    }
    if (!S.Widened || S.Finished)
      continue;
    if (MayStay && S.Left && (Open || Leaves)) {
      S.Left.reset();
      widen(Loop);
      return restart(Loop);
    }
    // Lanes stay in step if all that began the round decide together.
    bool AllHere = Active == S.Lanes;
    if (Sure != Active)
      for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
        const unsigned L = std::countr_zero(Left);
        AllHere &= In[L] == S.In[L];
      }
    const bool OneByOne =
        (Leaves | Open) && (!AllHere || !Together ||
                            (Leaves != 0) + (Stays != 0) + (Open != 0) > 1);
    if (OneByOne && !S.OwnExit) {
      S.OwnExit = true;
      return restart(Loop);
    }
  }
  std::map<Context, Context> Children;
  for (uint32_t T = 0; T != Block.Targets.size(); ++T) {
    if (Open == 0) {
      arrive(Block.Targets[T], Going[T], Number, In);
      continue;
    }
    std::array<Context, 32> Contexts = In;
    Children.clear();
    for (uint32_t Left = Open; Left != 0; Left &= Left - 1) {
      const unsigned L = std::countr_zero(Left);
      auto [Child, New] = Children.try_emplace(In[L], 0);
      if (New)
        Child->second = Around.child(
            In[L], Block.Meets, !Together,
            Block.IsOfBlock ? std::optional(Way{Number, T}) : std::nullopt);
      Contexts[L] = Child->second;
    }
    arrive(Block.Targets[T], Going[T] | Open, Number, Contexts);
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void ProofRun::execute(const Step &S, uint32_t Number, uint32_t Active) {
  if (isLanewise(S.What)) {
    const bool Selects = S.What == Code::Select,
               Indexes = S.What == Code::AddScaled;
    const bool Funnel =
        S.What == Code::FunnelLeft || S.What == Code::FunnelRight;
    const Form &A = viewed(S.A,
                           Selects   ? 1
                           : Indexes ? 64
                           : Funnel  ? S.Bits
                                     : S.SourceBits,
                           Rooms[0]);
    const unsigned Others = Selects || Funnel ? S.Bits : S.SourceBits;
    const Form *B = S.B == NoSlot ? nullptr : &viewed(S.B, Others, Rooms[1]);
    const Form *C = S.C == NoSlot ? nullptr : &viewed(S.C, Others, Rooms[2]);
    return assign(S.Result, Forms.apply(S, A, B, C, Active), Active);
  }
  switch (S.What) {
  case Code::Load:
    return load(S, Number, Active);
  case Code::Store:
    return store(S, Active);
  case Code::Atomic:
    if (S.Site >= 0)
      request(S.Site, Registers[S.A], Active);
    if (S.Result != NoSlot)
      assign(S.Result, Form::unknown(OriginAtomic, S.Bits), Active);
    return;
  case Code::CallAccess:
    return request(S.Site, Registers[S.A], Active);
  case Code::Fragment:
    return fragment(S, Active);
  case Code::Unknown:
    return assign(S.Result, Form::unknown(uint32_t(S.Immediate), S.Bits),
                  Active);
  case Code::Extract:
  case Code::Opaque: {
    uint32_t From = S.What == Code::Opaque ? uint32_t(S.Immediate) : 0;
    bool Uniform = true;
    for (uint32_t Slot : {S.A, S.B, S.C})
      if (Slot != NoSlot) {
        Uniform &= isUniform(Registers[Slot], Active);
        From |= Registers[Slot].From;
      }
    return assign(S.Result,
                  Uniform ? Forms.fresh(S.Bits, From | OriginAssumed)
                          : Form::unknown(From, S.Bits),
                  Active);
  }
  case Code::Barrier:
    return;
  default:
    return assign(S.Result, exchange(S, Active), Active);
  }
}

void ProofRun::request(uint32_t Site, const Form &Address, uint32_t Active) {
  if (const uint32_t Lanes = Active & Code.Sites[Site].Lanes)
    Sink.request(Site, Address, Forms, Lanes, Sure & Lanes,
                 Sure & Lanes ? Taken : std::nullopt);
}

/// OriginPlace bits of what is loaded from \p Address: of its contents, if the
/// launch tells any, and of which lanes load the same.
uint32_t ProofRun::placeOfAddress(const Form &Address, uint32_t Active) const {
  const auto First = uint64_t(Address.Base[std::countr_zero(Active)]);
  if ((Address.Top & Active) || Address.Torn || Where.mayKnowContents(First))
    return Address.From & OriginPlace;
  uint32_t Its = 0;
  for (const Term &T : Address.Terms)
    if (!isUniformTerm(T, Active))
      Its |= Forms.placeOf(T);
  return Its;
}

/// What \p Load takes from a by-value argument at \p Address: the same each
/// time.
Form ProofRun::member(uint64_t Address, const Step &Load) {
  const auto [Its, IsNew] =
      Members.try_emplace({Address, unsigned(Load.Immediate), Load.Bits});
  if (IsNew)
    Its->second = Forms.fresh(Load.Bits, Load.From->getType()->isPointerTy()
                                             ? OriginAssumed | OriginLoadedByAll
                                             : OriginAssumed);
  return Its->second;
}

void ProofRun::load(const Step &S, uint32_t Number, uint32_t Active) {
  const Form Address = Registers[S.A];
  const unsigned Bytes = unsigned(S.Immediate);
  if (S.Site >= 0)
    request(S.Site, Address, Active);
  if (S.Result == NoSlot)
    return;
  if (ReadsPrivate[Number]) {
    // Each lane has an array of its own.
    Form R =
        Form::unknown(OriginPrivate | (Address.From & OriginPlace), S.Bits);
    if (isNumberIn(Address, Active))
      R = Form::of(Private.load(Address.toLaneValue(), Bytes, Active), S.Bits);
    return assign(S.Result, R, Active);
  }
  const uint32_t From =
      (Address.From & ~OriginPlace) | placeOfAddress(Address, Active);
  Form R = Form::unknown(OriginMemory | From, S.Bits);
  const bool Uniform = isUniform(Address, Active);
  if (isNumberIn(Address, Active)) {
    bool Complete = true;
    for (uint32_t Left = Active; Left != 0 && Complete; Left &= Left - 1) {
      const unsigned L = std::countr_zero(Left);
      const std::optional<uint64_t> Content =
          Where.contents(uint64_t(Address.Base[L]), Bytes);
      Complete = Content.has_value();
      if (!Complete)
        break;
      R.Base[L] = canonical(*Content, S.Bits);
      R.Top &= ~(1u << L);
    }
    if (Complete) {
      R.From = Address.From;
      R.Signed = true;
      R.Unsigned = true;
      for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
        R.Unsigned &= R.Base[std::countr_zero(Left)] >= 0;
      return assign(S.Result, R, Active);
    }
    R = Form::unknown(OriginMemory | From, S.Bits);
  }
  const auto First = uint64_t(Address.Base[std::countr_zero(Active)]);
  if (Uniform && isNumberIn(Address, Active) && Where.isMember(First))
    R = member(First, S);
  else if (Uniform)
    R = Forms.fresh(S.Bits, From | OriginAssumed | OriginLoadedByAll);
  else if (const std::optional<Form> Shared =
               loadInGroups(S, Address, From, Active))
    R = *Shared;
  assign(S.Result, R, Active);
}

/// What lanes load that share few addresses ("index[threadIdx.x / 8]"): one
/// symbol for each address.
std::optional<Form> ProofRun::loadInGroups(const Step &S, const Form &Address,
                                           uint32_t From, uint32_t Active) {
  if ((Address.Top & Active) || Address.Torn)
    return std::nullopt;
  llvm::SmallVector<uint32_t, MostGroups + 1> Groups;
  for (uint32_t Left = Active; Left != 0;) {
    const unsigned First = std::countr_zero(Left);
    uint32_t Group = 0;
    forEach(Left, [&](unsigned L) {
      Group |= uint32_t(Address.Base[L] == Address.Base[First]) << L;
    });
    for (const Term &T : Address.Terms)
      forEach(Group, [&](unsigned L) {
        Group &= ~(uint32_t(T.Factor[L] != T.Factor[First]) << L);
      });
    Left &= ~Group;
    Groups.push_back(Group);
    if (Groups.size() > MostGroups)
      return std::nullopt;
  }
  Form R;
  for (size_t N = 0; N != Groups.size(); ++N) {
    const Form Loaded =
        Forms.fresh(S.Bits, From | OriginAssumed | OriginMemory);
    R = N == 0 ? Loaded : Forms.blend(Loaded, R, Groups[N]);
  }
  return R;
}

void ProofRun::store(const Step &S, uint32_t Active) {
  const Form Address = Registers[S.A];
  if (S.Site >= 0)
    return request(S.Site, Address, Active);
  if (!isNumberIn(Address, Active)) {
    Place |= Forms.placeOf(Address, Active);
    Private.clear(); // it may have gone anywhere
    return;
  }
  bool Known = S.B != NoSlot;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    Known &= In[std::countr_zero(Left)] == Certain;
  LaneValue Value;
  if (Known) {
    const Form Stored = viewed(S.B, S.Bits);
    Place |= Forms.placeOf(Stored, Active);
    Known = Stored.isNumber();
    Value = Stored.toLaneValue();
    Value.From = 0;
  }
  Private.store(Address.toLaneValue(), Known ? &Value : nullptr,
                unsigned(S.Immediate), Active);
}

void ProofRun::fragment(const Step &S, uint32_t Active) {
  const FragmentStep &F = Code.Fragments[Code.Sites[S.Site].Fragment];
  Form Line = Form::number(0, 64), Element = Line;
  Line.Unsigned = Element.Unsigned = true;
  for (unsigned L = 0; L != WarpLanes; ++L) {
    Line.Base[L] = int64_t(F.Request.Line[L]) * F.ElementBytes;
    Element.Base[L] = int64_t(F.Request.Element[L]) * F.ElementBytes;
  }
  Step Widen{Code::SignExtend};
  Widen.SourceBits = 32;
  const Form Stride =
      Forms.apply(Widen, viewed(S.B, 32), nullptr, nullptr, Active);
  const Form Rows =
      Forms.apply(Step{Code::Mul}, Line, &Stride, nullptr, Active);
  const Form Start = Forms.add(Registers[S.A], Element, 64, true, false, false);
  request(S.Site, Forms.add(Start, Rows, 64, true, false, false), Active);
}

/// Lanes get the value of another lane.
Form ProofRun::shuffle(const Step &S, const Form &Value, uint32_t Active) {
  Form Lane = viewed(S.B, 32);
  const Form Clamp = S.C == NoSlot ? Form::number(31, 32) : viewed(S.C, 32);
  const uint32_t From = Value.From | Lane.From | OriginExchange;
  if (isUniform(Value, ~0u))
    return Value;
  if (Sure != Active || !isNumberIn(Clamp, Active))
    return Form::unknown(From, S.Bits);
  if (!isNumberIn(Lane, Active)) {
    // All read the same lane, whichever it is.
    const bool OneLane = S.What == Code::ShuffleIndex &&
                         isUniform(Lane, Active) && isUniform(Clamp, Active) &&
                         (Clamp.Base[std::countr_zero(Active)] & 0x1f1f) == 31;
    return OneLane ? Forms.fresh(S.Bits, From | OriginAssumed)
                   : Form::unknown(From, S.Bits);
  }
  LaneValue Own;
  Own.Uniform = false;
  for (unsigned L = 0; L != WarpLanes; ++L)
    Own.Lanes[L] = L;
  const LaneValue Lanes = Lane.toLaneValue(), Limits = Clamp.toLaneValue();
  const LaneValue Source = exchangeLanes(S, &Own, &Lanes, &Limits, Active);
  Form R = Value;
  R.From = From;
  R.Top = 0;
  bool SameSource = true;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    const unsigned At = unsigned(Source.lane(L));
    SameSource &= At == Source.lane(std::countr_zero(Active));
    R.Top |= (Value.Top >> At & 1) << L;
    if (!(Active >> At & 1))
      R.forget(1u << L);
    R.Base[L] = Value.Base[At];
    for (size_t N = 0; N != R.Terms.size(); ++N)
      R.Terms[N].Factor[L] = Value.Terms[N].Factor[At];
  }
  if (SameSource && (R.Top & Active))
    return Forms.fresh(S.Bits, From | OriginAssumed);
  return R;
}

Form ProofRun::exchange(const Step &S, uint32_t Active) {
  if (S.What == Code::ActiveMask)
    return Sure == Active ? Form::number(int64_t(Active), 32)
                          : Forms.fresh(32, OriginAssumed);
  if (S.What == Code::ShuffleIndex || S.What == Code::ShuffleUp ||
      S.What == Code::ShuffleDown || S.What == Code::ShuffleXor)
    return shuffle(S, viewed(S.A, S.Bits), Active);
  const Form Value = viewed(S.A, S.What == Code::WarpReduce ? S.Bits : 1);
  if (S.What != Code::WarpReduce && Sure == Active &&
      isNumberIn(Value, Active)) {
    const LaneValue Numbers = Value.toLaneValue();
    return Form::of(exchangeLanes(S, &Numbers, nullptr, nullptr, Active),
                    S.Bits);
  }
  // All lanes are told the same.
  return Forms.fresh(S.Bits, Value.From | OriginAssumed | OriginExchange);
}

} // namespace warpwise::access::proof
