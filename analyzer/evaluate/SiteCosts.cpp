//===- SiteCosts.cpp - From the sums over an access to its cost -----------===//

#include "analyzer/evaluate/SiteCosts.h"

#include "analyzer/evaluate/Environment.h"
#include "analyzer/evaluate/ObjectSizes.h"
#include "analyzer/evaluate/RandomIndices.h"
#include "analyzer/evaluate/Tally.h"
#include "analyzer/evaluate/WarpInterpreter.h"
#include "analyzer/evaluate/proof/Proof.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Casting.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace warpwise::access {
namespace {

std::string describeOrigin(uint32_t From) {
  if (From & OriginMemory)
    return "the address is computed from values loaded from memory";
  if (From & OriginAtomic)
    return "the address is computed from the result of an atomic operation";
  if (From & OriginExchange)
    return "the address is computed from values of other lanes that are not "
           "known";
  if (From & OriginPrivate)
    return "the address is computed from a private array whose contents are "
           "not known";
  if (From & OriginAssembly)
    return "the address is computed in inline assembly";
  if (From & OriginCall)
    return "the address is computed by a function that cannot be evaluated";
  if (From & OriginUndefined)
    return "the address is computed from a variable that need not be assigned";
  if (From & OriginFloat)
    return "the address is computed in floating point";
  return "the address is not known";
}

/// What an address that only indices make unknown may rest on.
constexpr uint32_t FromIndices = OriginMemory | OriginIndexed | OriginApart |
                                 OriginAssumed | OriginLoadedByAll |
                                 OriginPointer | OriginAssumedStep |
                                 OriginRound | OriginRoundStep;

/// Of random indices: in the nearer half of the way to twice the least.
constexpr double RarelyMeet = 1.5;

/// Judges one access.
class SiteJudge {
  const LaunchEvidence &Known;
  const uint32_t N;
  const Program &Code = Known.Code;
  const LaunchPlan &Plan = Known.Plan;
  const profile::RequestLaw &Law = Known.Law;
  const Site &S = Code.Sites[N];
  const SiteTally &T = Known.Main.site(N);
  const proof::SiteProof &Proven = Known.Proven.Sites[N];

public:
  SiteJudge(const LaunchEvidence &Known, uint32_t Number)
      : Known(Known), N(Number) {}

  /// The likely numbers may not reach it, and bounds that are wide are narrowed
  /// by what is likely.
  bool asksForOthers() const {
    return T.Evaluated == 0 || !(Proven.isPoint() || isBounded()) ||
           (T.AssumedStep && !isStepProven());
  }

  SiteResult result() const {
    const Tally &Main = Known.Main;
    SiteResult Result;
    if (T.Evaluated == 0)
      return Result;
    Result.Group = Main.siblings().groupOf(N);
    Result.Slides = Main.siblings().slides(N);
    // A product of made-up numbers may be 0 of 2^32.
    Result.Repeats = Main.siblings().repeats(N);
    for (const Tally &Other : Known.Others)
      if (Other.site(N).Evaluated > 0)
        Result.Repeats = std::min(Result.Repeats, Other.siblings().repeats(N));
    if (!Known.Seen.Truncated && T.Warps > 0)
      Result.Trips = uint64_t(std::llround(T.Requests / T.Warps));
    Cost C;
    C.Requests = T.Evaluated;
    C.Weight = T.Requests;
    C.PerWarp = T.Warps > 0 ? T.Requests / T.Warps : 0;
    C.ActiveLanes = T.Lanes / T.Requests;
    C.ObjectBytes = likelyBytes(Code, Plan, S);
    if (const launch::Argument *Its = argumentOf(Plan, S)) {
      C.IsScratch = Its->IsScratch;
      C.IsShared = Its->IsShared;
      C.IsElsewhere = Its->IsElsewhere;
    }
    C.First = {T.FirstWarp, T.FirstMask};
    C.IsIndexed = T.Indexed && !(T.UnknownFrom & ~FromIndices);
    C.DataDecides = T.SpeculativeRequests > 0;
    if (T.UnknownRequests > 0) {
      C.State = Proof::DataDependent;
      C.Reason = describeOrigin(T.UnknownFrom);
      if (T.UnknownRequests >= T.Requests) {
        expect(1, C);
        if (C.State == Proof::DataDependent)
          trustRows(C);
        Result.Value = C;
        return Result;
      }
    }
    takeMeans(C);
    if (C.Worst && C.Worst->IsStepMadeUp)
      Result.StepFactors = stepFactors();
    if (C.State == Proof::DataDependent)
      expect(T.UnknownRequests / T.Requests, C);
    else
      judge(C);
    if (S.IsEmulated && Law.lanesOfPass(S.Bytes) < WarpLanes &&
        (C.State == Proof::Exact || C.State == Proof::Bounded)) {
      // Which phases still have lanes left is up to the other warps, too.
      C.State = Proof::Estimated;
      C.Reason = "nvcc makes a loop of this atomic, and one round of it is "
                 "listed";
      C.Low = C.Low ? C.Low : headlineOf(C);
      C.High = C.High ? C.High : headlineOf(C);
    }
    Result.Value = C;
    return Result;
  }

private:
  /// What the requests whose addresses are known cost, of which there are some.
  void takeMeans(Cost &C) const {
    const double Requests = T.Requests - T.UnknownRequests;
    const auto mean = [Requests](double Sum) {
      return Sum > 0 ? std::optional(Sum / Requests) : std::nullopt;
    };
    C.Lines = T.Lines / Requests;
    C.LinePasses = T.LinePasses / Requests;
    C.Sectors = mean(T.Sectors);
    C.IdealSectors = mean(T.IdealSectors);
    C.Wavefronts = mean(T.Wavefronts);
    C.IdealWavefronts = mean(T.IdealWavefronts);
    C.ConflictFreeWavefronts = mean(T.ConflictFreeWavefronts);
    C.JoinedWavefronts = mean(T.JoinedWavefronts);
    C.Words = mean(T.Words);
    C.SwapRounds = mean(T.SwapRounds);
    const SiblingSums &Group = Known.Main.siblings().of(N);
    // L1 keeps what a load leaves of a sector for the next; it sends each store
    // on by itself.
    if (Group.Requests > 0 && S.Op == Operation::Load)
      C.WithSiblings = {.Sectors = Group.Sectors / Group.Requests,
                        .IdealSectors = Group.IdealSectors / Group.Requests,
                        .Rounds = Group.Requests / Group.Rounds,
                        .Requests = Group.Different / Group.Rounds};
    else if (C.IdealSectors)
      C.WithSiblings = {.Sectors = C.Sectors.value_or(0),
                        .IdealSectors = *C.IdealSectors};
    if (Group.Joined > 0)
      C.SharedSectors = Group.Sectors / Group.Joined;
    if (T.WorstCost > 0) {
      C.Worst = T.Worst;
      C.Worst->StepVaries = S.LoopDepth > 0 && T.RoundStep;
      C.Worst->IsMadeUp = T.AssumedStep;
      C.Worst->IsStepMadeUp =
          C.Worst->IsMadeUp && !isStepProven() && !stepIsCommon();
    }
    if (S.LoopDepth > 0 && T.LeastCost < T.WorstCost) {
      C.Least = T.LeastCost;
      C.Most = T.WorstCost;
      if (const auto Most = mostWithin(Code, Plan, Law, S)) {
        C.Least = std::min(*C.Least, *Most);
        C.Most = std::min(*C.Most, *Most);
      }
    }
  }

  /// Bytes from the first active lane to the next one.
  static std::optional<int64_t> firstStep(const LanePattern &P) {
    std::optional<unsigned> First;
    for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
      if (P.ActiveMask >> Lane & 1) {
        if (First)
          return Lane == *First + 1
                     ? std::optional(int64_t(uint64_t(P.Offsets[Lane]) -
                                             uint64_t(P.Offsets[*First])))
                     : std::nullopt;
        First = Lane;
      }
    return std::nullopt;
  }

  /// Whether an interval says enough to be called a bound.
  static bool isNarrow(double Low, double High) { return High <= 2 * Low; }

  /// What is proven is as good as a number.
  bool isBounded() const {
    return Proven.Holds && isNarrow(Proven.Low, Proven.High);
  }

  /// Whether the first two active lanes move together whatever moves.
  bool isStepProven() const {
    return Proven.Holds && !Proven.IsScattered && T.Worst.ActiveMask != 0 &&
           !(Proven.Apart >> std::countr_zero(T.Worst.ActiveMask) & 1);
  }

  /// Whether neighbouring lanes lie equally far apart whatever numbers stand in
  /// for what is not known.
  bool stepIsCommon() const {
    const auto Step = firstStep(T.Worst);
    return Step && !Known.Others.empty() &&
           llvm::all_of(Known.Others, [&](const Tally &Other) {
             return firstStep(Other.site(N).Worst) == Step;
           });
  }

  /// What nobody knows of the distance between lanes, if it is taken to be
  /// large.
  std::vector<const llvm::Value *> stepFactors() const {
    constexpr int64_t Large = 256; // bytes; records are hardly as long
    std::vector<const llvm::Value *> Found;
    if (const auto Step = firstStep(T.Worst); Step && std::abs(*Step) < Large)
      return Found;
    for (const llvm::Value *Its : S.LaneStrides)
      if (!numberOf(Its))
        Found.push_back(Its);
    return Found;
  }

  /// Nobody says which index runs along memory: the launch would, if one of
  /// their strides is 1. Or how long a step is, see shortSteps().
  bool isLayoutOpen() const {
    return (!S.OpenStrides.empty() &&
            llvm::none_of(S.OpenStrides,
                          [&](const llvm::Value *Stride) {
                            return numberOf(Stride) == 1;
                          })) ||
           llvm::any_of(S.ShortSteps, [&](const llvm::Value *Step) {
             return !numberOf(Step);
           });
  }

  /// What the launch gives for an argument or a member of one.
  std::optional<int64_t> numberOf(const llvm::Value *Given) const {
    const auto argument =
        [&](const llvm::Value *V) -> const launch::Argument * {
      const auto *A = llvm::dyn_cast<llvm::Argument>(V);
      return A && A->getArgNo() < Plan.Arguments.size()
                 ? &Plan.Arguments[A->getArgNo()]
                 : nullptr;
    };
    if (const launch::Argument *Its = argument(Given))
      return Its->Integer;
    const auto *Load = llvm::dyn_cast<llvm::LoadInst>(Given);
    if (!Load)
      return std::nullopt;
    const llvm::DataLayout &Layout = Load->getModule()->getDataLayout();
    int64_t Offset = 0;
    const launch::Argument *Its = argument(GetPointerBaseWithConstantOffset(
        Load->getPointerOperand(), Offset, Layout));
    if (Its)
      for (const launch::Argument::Member &M : Its->Members)
        if (int64_t(M.Offset) == Offset && !M.IsPointer &&
            M.Bytes == Layout.getTypeStoreSize(Load->getType()))
          return M.Value;
    return std::nullopt;
  }

  /// Mixes into \p C what the requests cost, a \p Share of all, whose addresses
  /// come from memory: the expectation for random indices, within what is
  /// possible at all.
  void expect(double Share, Cost &C) const {
    // The lanes that the run came to may be fewer than take part.
    if (Proven.Holds && Proven.LanesVary)
      C.ActiveLanes = std::max(C.ActiveLanes, Proven.LanesFull);
    const unsigned Lanes = std::clamp<unsigned>(
        unsigned(std::lround(C.ActiveLanes)), 1, WarpLanes);
    const uint32_t Active = Lanes == WarpLanes ? ~0u : (1u << Lanes) - 1;
    const RandomIndices Random(Code, Plan, Law, S, T.UnknownFrom, Active);
    const auto mean = [&](double Seen, double Drawn) {
      return (1 - Share) * Seen + Share * Drawn;
    };
    const auto mix = [&](std::optional<double> &Mean, double Drawn) {
      Mean = mean(Mean.value_or(0), Drawn);
    };
    const double Bytes = double(Lanes) * S.Bytes;
    if (S.Memory == Space::Shared)
      mix(C.IdealWavefronts,
          S.Op == Operation::Atomic ? 1 : std::ceil(Bytes / Law.passBytes()));
    else if (S.Memory != Space::Constant)
      mix(C.IdealSectors, std::ceil(Bytes / Law.SectorBytes));
    std::optional<double> &Number = headlineOf(C);
    mix(Number, Random.cost().Expected);
    C.Low = Proven.Holds ? Proven.Low : 1;
    C.High = Proven.Holds ? Proven.High : Random.most();
    if (const auto Most = Random.mostOfPlaces())
      C.High = std::max(*C.Low, std::min(*C.High, *Most));
    if (S.Memory == Space::Constant)
      C.Reach = Footprint{.LostLines = Share * Random.lostLines()};
    assert(*C.Low <= *C.High && "an empty interval");
    Number = std::clamp(*Number, *C.Low, *C.High);
    if (S.Memory == Space::Global) {
      C.Lines = std::min(mean(C.Lines, Random.lines()), *Number);
      C.LinePasses = std::min(mean(C.LinePasses, Random.linePasses()), *Number);
      if (S.Op == Operation::Load && Share == 1) {
        const RandomIndices::Members Its = Random.membersBeside();
        C.SharedSectors = *Number * Its.Share;
        C.RecordSectors = Its.OfRecord;
      }
    }
    if (S.IsEmulated)
      mix(C.SwapRounds, Random.swapRounds());
    // Lanes that read the same need it once.
    if (std::optional<double> &Ideal = idealOf(C))
      Ideal = std::min(*Ideal, *Number);
    if (Proven.isPoint()) {
      // The data does not matter after all.
      C.State = Proof::Exact;
      C.Reason.clear();
      C.Low = C.High = std::nullopt;
    } else if (isBounded()) {
      C.State = Proof::Bounded;
    } else if (Lanes > 1 && S.Op != Operation::Atomic &&
               *Number <= RarelyMeet * *C.Low) {
      // A single lane is seldom what there is: the likely numbers kept others
      // out. Atomics on one word take turns, and data often have a favourite.
      trustFewLanes(C);
    }
  }

  /// Indices from memory that hardly ever cost more than the least, if they
  /// are random, cost less than twice that as a rule, whatever they are.
  /// Between no waste and some there is no likely value.
  void trustFewLanes(Cost &C) const {
    C.State = Proof::Estimated;
    C.Possible = {*C.Low, *C.High};
    C.High = std::min(*C.High, 2 * *C.Low);
    headlineOf(C).reset();
  }

  /// Lanes that have rows of their own are as far apart as these, whatever the
  /// index within the row is.
  void trustRows(Cost &C) const {
    if (T.RowRequests < T.Requests)
      return;
    C.State = Proof::Estimated;
    C.Reason = "data choose an element in a row of each lane's own, and are "
               "taken not to lead out of it";
    C.Possible = {*C.Low, *C.High};
    C.Sectors = std::clamp(T.RowSectors / T.Requests, *C.Low, *C.High);
    C.Low = std::clamp(T.LeastRowSectors / T.Requests, *C.Low, *C.Sectors);
    // Of the lanes that memory chooses as many may stay away as take part.
    if (T.SpeculativeRequests > 0)
      C.Low = std::max((*C.Possible)[0], *C.Low / 2);
    C.High = std::clamp(C.ActiveLanes, *C.Sectors, *C.High);
  }

  std::optional<double> &headlineOf(Cost &C) const {
    switch (S.Memory) {
    case Space::Shared:
      return C.Wavefronts;
    case Space::Constant:
      return C.Words;
    default:
      return C.Sectors;
    }
  }

  std::optional<double> &idealOf(Cost &C) const {
    return S.Memory == Space::Shared ? C.IdealWavefronts : C.IdealSectors;
  }

  /// How far the number that the run came to can be trusted.
  void judge(Cost &C) const {
    judgeAlone(C);
    allowForJoinedRounds(C);
  }

  /// nvcc may join an access with those of the rounds beside it or leave it
  /// alone, and does both where a loop does not begin at a boundary of what it
  /// can join: it is between the two, and joined where its rows are known to
  /// begin at one.
  void allowForJoinedRounds(Cost &C) const {
    if (S.MostRoundsAtOnce <= 1 || T.WideWavefronts == T.Wavefronts ||
        (C.State != Proof::Exact && C.State != Proof::Bounded))
      return;
    const double Wide = T.WideWavefronts / (T.Requests - T.UnknownRequests);
    if (C.State == Proof::Exact) {
      C.Low = C.High = headlineOf(C);
      C.Reason = S.Op == Operation::Store
                     ? "nvcc may store the words of neighbouring rounds at once"
                     : "nvcc may load the words of neighbouring rounds at once";
    }
    C.Low = std::min(*C.Low, Wide);
    C.High = std::max(*C.High, Wide);
    C.State = isNarrow(*C.Low, *C.High) ? Proof::Bounded : Proof::Estimated;
    if (C.State != Proof::Estimated)
      return;
    C.Possible = {*C.Low, *C.High};
    if (C.JoinedWavefronts)
      C.Wavefronts = std::clamp(*C.JoinedWavefronts, *C.Low, *C.High);
  }

  void judgeAlone(Cost &C) const {
    std::optional<double> &Likely = headlineOf(C);
    // Where a pointer of unknown origin starts is part of no run.
    const bool Starts =
        Proven.Holds ? Proven.PointerMoves : hasLoosePointers(Code, Plan);
    if (Proven.isPoint() || (Known.Whole && isWhole(T) && !Starts)) {
      C.State = Proof::Exact;
      if (Proven.isPoint())
        Likely = Proven.Low;
      return;
    }
    if (!Known.Seen.Assumed && isWhole(T) && !Starts) {
      // Everything is known, but not all of it was run.
      C.State = Proof::Estimated;
      C.Reason = "from a sample of the launch's blocks and loop iterations";
      if (Proven.Holds)
        C.Possible = {Proven.Low, Proven.High};
      return;
    }
    bool Agree = false; // the likely numbers, as far as there are several
    C.Reason = reason();
    if (isBounded()) {
      C.State = Proof::Bounded;
      C.Low = Proven.Low;
      C.High = Proven.High;
    } else {
      C.State = Proof::Estimated;
      Agree = estimate(C);
    }
    if (Likely.value_or(0) < *C.Low && Proven.LanesVary) {
      // The lanes that the run came to are fewer than the bounds speak of.
      const double Ideal = idealOf(C).value_or(0);
      idealOf(C) = std::max(Ideal, Proven.IdealFull);
      C.ActiveLanes = std::max(C.ActiveLanes, Proven.LanesFull);
      if (C.Sectors && C.WithSiblings) {
        // As many more take part in all that belongs together.
        const double Before = *C.Sectors;
        assert(Ideal > 0 && "lanes that need nothing");
        C.Sectors = std::max({Before, *C.IdealSectors, *C.Low});
        C.WithSiblings->Sectors *= *C.Sectors / Before;
        C.WithSiblings->IdealSectors *= *C.IdealSectors / Ideal;
      }
    }
    assert(*C.Low <= *C.High && "an empty interval");
    const double Run = Likely.value_or(0);
    double Number = std::clamp(Run, *C.Low, *C.High);
    Likely = Number;
    // Whether an offset from memory is aligned is anybody's guess, and where an
    // argument starts is not for the kernel to say: what another start would
    // save is not called waste.
    if (S.Memory != Space::Global)
      return;
    const bool OnlyStarts =
        Proven.PointerMoves && !Proven.RowsMove && !Proven.IsScattered;
    const double Ideal = C.IdealSectors.value_or(0);
    // A warp with fewer lanes is no better start: the least that full ones cost
    // is held against what they need.
    const bool StartSaves =
        Proven.Holds ? Proven.LowFull <= Proven.IdealFull : *C.Low <= Ideal;
    const bool Offset = (T.Filled && !Proven.RowsMove && Number <= Ideal + 1) ||
                        (T.LoadedByAll && StartSaves);
    // Rows at a pitch that is not known do not touch, as a rule.
    const double Least =
        Proven.RowsMove && !Proven.IsScattered
            ? Proven.LowApart
            : std::min(*C.Low, C.Possible ? (*C.Possible)[0] : *C.Low);
    // The run may have come to one of the layouts alone.
    const bool MayCostMore =
        Number > Ideal || (C.Possible && (*C.Possible)[1] > 2 * Ideal + 1);
    const bool Stride = isLayoutOpen() && !T.Copied &&
                        C.State == Proof::Estimated && MayCostMore;
    // A wide interval whose end is near what full warps need is as wide as it
    // is because lanes may stay away, which costs nothing beside what they
    // need.
    const bool LanesStayAway =
        !isNarrow(*C.Low, *C.High) && *C.High <= 2 * Ideal + 1;
    if (Stride || (Offset && !Agree && !LanesStayAway)) {
      Likely.reset(); // between no waste and some there is no likely value
      if (Stride) {
        C.Low = std::min(*C.Low, Ideal);
        C.High = std::max(*C.High, C.Possible ? (*C.Possible)[1] : *C.High);
      }
    } else if (Offset && !Agree) {
      Likely = std::clamp(Ideal, *C.Low, *C.High);
    } else if (OnlyStarts) {
      C.Low = std::min(*C.Low, Proven.LowFull);
      Likely = std::min(Number, Proven.LowFull);
      // The sector that another start saves its siblings need not either.
      if (std::optional<GroupCost> &All = C.WithSiblings)
        All->Sectors = std::max(All->IdealSectors,
                                All->Sectors - std::max(0.0, Run - *Likely));
    } else if (C.State == Proof::Estimated && !T.Copied && Number > Ideal &&
               Number <= Ideal + 1 && Least <= Ideal) {
      // One sector more than needed comes from an offset that happens not to be
      // aligned, and offsets that nobody knows are as likely to be.
      Likely = Ideal;
      if (C.WithSiblings)
        C.WithSiblings->Sectors = Ideal;
      C.Low = std::min(*C.Low, *Likely);
    }
    if (T.HandedOut && T.SpeculativeRequests > 0 && Number <= Ideal + 1 &&
        C.State == Proof::Estimated)
      // What a counter hands out begins anywhere in a sector, if data decide
      // how many have taken from it.
      Likely = std::clamp(Ideal + 1 - double(S.Bytes) / Law.SectorBytes, *C.Low,
                          *C.High);
  }

  /// The interval beside a likely number. Where lanes move together it is what
  /// full warps can cost at any offset and any pitch; else what other likely
  /// numbers lead to. True when they all lead to the same.
  bool estimate(Cost &C) const {
    const double Mean = headlineOf(C).value_or(0);
    double Low = Mean, High = std::max<double>(Mean, T.WorstCost);
    for (const Tally &Other : Known.Others) {
      const SiteTally &O = Other.site(N);
      if (O.Evaluated == 0 || O.UnknownRequests > 0)
        continue;
      const double OtherMean = meanOf(O);
      Low = std::min(Low, OtherMean);
      High = std::max({High, OtherMean, double(O.WorstCost)});
    }
    Low = std::min<double>(Low, C.Least.value_or(Low));
    const bool Agree = High - Low <= 1e-9 * High;
    if (Proven.Holds) {
      C.Possible = {Proven.Low, Proven.High};
      if (!Proven.IsScattered && !T.Copied) {
        Low = Proven.RowsMove ? Proven.LowApart : Proven.LowFull;
        // Where fewer lanes take part in all runs, they need as much less; a
        // better start saves them one sector at most.
        if (Proven.LanesVary && Mean < Low && areLanesKnown())
          Low = std::max(Mean - 1, Proven.LowFull * idealOf(C).value_or(0) /
                                       Proven.IdealFull);
        High = Proven.HighWhole;
      }
      Low = std::clamp(Low, Proven.Low, Proven.High);
      High = std::clamp(High, Low, Proven.High);
    } else if (T.SpeculativeRequests > 0) {
      Low = std::min(Low, T.CertainCost / T.Requests);
    }
    // Of the lanes that memory chooses as many may stay away as take part, side
    // by side at best.
    if (T.SpeculativeRequests > 0)
      Low = std::min(Low, std::max({Low / 2, T.CertainCost / T.Requests,
                                    Proven.Holds ? Proven.Low : 1.0}));
    C.Low = Low;
    C.High = High;
    return Agree;
  }

  /// As many lanes take part whatever the likely numbers are: it is not these
  /// that send lanes away.
  bool areLanesKnown() const {
    bool HaveOther = false;
    for (const Tally &Other : Known.Others) {
      const SiteTally &O = Other.site(N);
      if (O.Evaluated == 0)
        continue;
      HaveOther = true;
      if (std::abs(O.Lanes * T.Requests - T.Lanes * O.Requests) >
          1e-6 * T.Lanes * O.Requests)
        return false;
    }
    return HaveOther;
  }

  double meanOf(const SiteTally &Of) const {
    switch (S.Memory) {
    case Space::Shared:
      return Of.Wavefronts / Of.Requests;
    case Space::Constant:
      return Of.Words / Of.Requests;
    default:
      return Of.Sectors / Of.Requests;
    }
  }

  std::string reason() const {
    if (T.SpeculativeRequests > 0)
      return "which lanes take part depends on values loaded from memory";
    if (T.Copied)
      return "memory is taken to hold what the host code copies there";
    if (Proven.LanesVary)
      return "which lanes take part depends on values that are not known here";
    if (Proven.RowsMove && !Proven.IsScattered)
      return "depends on a pitch or stride that is not known here";
    if (Proven.PointerMoves)
      return "depends on where in its allocation the pointer argument starts";
    if (T.LoadedByAll)
      return "depends on an offset that is loaded from memory";
    return "depends on values that are not known here, such as a pitch or an "
           "offset";
  }
};

} // namespace

bool isWhole(const SiteTally &T) {
  return !T.AssumedAddress && !T.Filled && T.SpeculativeRequests == 0 &&
         T.UnknownRequests == 0;
}

bool hasLoosePointers(const Program &Code, const LaunchPlan &Plan) {
  return std::any_of(
      Code.Presets.begin(), Code.Presets.end(), [&](const Preset &P) {
        return P.What == Preset::Kind::Argument &&
               P.Object->getType()->isPointerTy() &&
               !llvm::cast<llvm::Argument>(P.Object)->hasByValAttr() &&
               Environment::isOriginUnknown(Plan.Arguments, P.Number);
      });
}

bool asksForOthers(const LaunchEvidence &Known, uint32_t Number) {
  return SiteJudge(Known, Number).asksForOthers();
}

SiteResult resultOf(const LaunchEvidence &Known, uint32_t Number) {
  return SiteJudge(Known, Number).result();
}

} // namespace warpwise::access
