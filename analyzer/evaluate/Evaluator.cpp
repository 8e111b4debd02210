//===- Evaluator.cpp - From a program to costs per launch -----------------===//

#include "analyzer/evaluate/Evaluator.h"

#include "analyzer/evaluate/BlockSampling.h"
#include "analyzer/evaluate/Footprints.h"
#include "analyzer/evaluate/StagedWords.h"
#include "analyzer/evaluate/Surroundings.h"
#include "analyzer/evaluate/Tally.h"
#include "analyzer/evaluate/proof/Proof.h"
#include "profiler/warp/Expectation.h"

#include "llvm/IR/Argument.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/Casting.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <set>

namespace warpwise::access {
namespace {

/// Ways around undecided branches that are tried to reach every access.
constexpr unsigned MaxDetours = 24;
/// Blocks of the grid that are run at most.
constexpr unsigned MaxBlocks = 64;
/// Steps that a proof may take; they are slower than those of a run.
constexpr uint64_t MostProofSteps = 200'000;
/// From here on it is asked who uses the rest of the sectors.
constexpr double LeastWaste = 1.1;
/// Rounds of a loop that are followed for that: a sector of bytes, and some.
constexpr unsigned FirstRounds = 40;
/// Steps that it may take to see what caches make of a block.
constexpr uint64_t MostFootprintSteps = 100'000;

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

/// Of how many neighbouring lanes it is known that they share what is not known
/// of their addresses.
static unsigned sharedWidth(uint32_t From) {
  unsigned Width = 1;
  for (uint32_t Apart = OriginApart2; Width != WarpLanes && !(From & Apart);
       Apart <<= 1)
    Width *= 2;
  return Width;
}

class LaunchEvaluator {
  const Program &Code;
  const LaunchPlan &Plan;
  const profile::RequestLaw &Law;
  uint64_t Budget, Spent = 0;
  unsigned Warps = 1;
  unsigned Threads = 32;
  bool LeftOutBlocks = false; ///< blocks of the grid stand for others
  /// The block that took the most steps so far: where others have nothing to
  /// do, as in a grid that is larger than the data, it says the most alone. At
  /// first any but block 0, which is special in most guards.
  launch::Dim3 Busiest{5, 3, 2};
  uint64_t BusiestSteps = 0;
  std::vector<std::vector<uint32_t>> Predecessors; ///< by block
  /// The runs so far, and by block the first that reached it.
  struct Way {
    MadeUp Made;
    Decisions Forced;
  };
  std::vector<Way> Ways;
  std::vector<uint32_t> WayTo;

public:
  LaunchEvaluator(const Program &Code, const LaunchPlan &Plan,
                  const profile::RequestLaw &Law, uint64_t Budget)
      : Code(Code), Plan(Plan), Law(Law), Budget(Budget) {
    const launch::Dim3 &B = Plan.Shape.Block;
    Threads = B[0] * B[1] * B[2];
    Warps = (Threads + WarpLanes - 1) / WarpLanes;
    Predecessors.resize(Code.Blocks.size());
    for (uint32_t N = 0; N != Code.Blocks.size(); ++N)
      for (uint32_t To : Code.Blocks[N].Targets)
        Predecessors[To].push_back(N);
  }

  LaunchResult evaluate() {
    Coverage Seen(Code.Blocks.size());
    Tally Sample = runSample(MadeUp::Likely, Seen, Budget / 2);
    std::optional<Tally> AllBlocks;
    bool Whole = isWhole(Seen);
    proof::LaunchProof Proven;
    if (Whole && isWhole(Sample) && !hasLoosePointers()) {
      Proven.Sites.resize(Code.Sites.size()); // the numbers are the proof
    } else {
      Proven =
          proof::prove(Code, Plan, Law, std::min(Budget / 4, MostProofSteps));
      if (!isSettled(Sample, Proven) && isJustSampled(Sample, Seen)) {
        AllBlocks.emplace(runAllBlocks(Seen));
        Whole = isWhole(Seen);
      }
    }
    Tally &Main = AllBlocks ? *AllBlocks : Sample;
    std::vector<Tally> Others;
    if (!Whole && !isSettled(Main, Proven))
      // Other numbers in place of what is not known: they show how much the
      // likely ones matter, and reach what those do not.
      for (MadeUp Made : {MadeUp::Odd, MadeUp::Other}) {
        Others.push_back(runSample(Made, Seen, Budget / 8));
        Main.fillGaps(Others.back());
      }
    takeDetours(Main, Seen, Budget / 8);
    LaunchResult Result;
    Result.Steps = Spent + Proven.Steps;
    Result.Truncated = Seen.Truncated;
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      Result.Sites.push_back(
          resultOf(N, Main, Others, Proven.Sites[N], Seen, Whole));
    lookAround(Result);
    Result.Besides = workOf(Main, Seen);
    for (const auto &[Use, Block] : Code.PrivateUses)
      Result.Privates.push_back(costOf(Use, Main.blockRuns()[Block],
                                       Result.Besides.Blocks * Warps,
                                       std::min<double>(Threads, WarpLanes)));
    takeFootprints(Result, std::min(Budget / 8, MostFootprintSteps));
    followStages(Result, std::min(Budget / 8, MostFootprintSteps));
    weighStages(Result, Main);
    return Result;
  }

private:
  uint32_t lanesOf(unsigned Warp) const {
    const unsigned Left = Threads - Warp * WarpLanes;
    return Left >= WarpLanes ? ~0u : (1u << Left) - 1;
  }

  uint64_t runBlock(WarpInterpreter &Run, Tally &Into,
                    const launch::Dim3 &Block, double Weight) {
    uint64_t Steps = 0;
    for (unsigned W = 0; W != Warps; ++W) {
      Into.startWarp(W, Weight);
      Steps += Run.run(Block, W, lanesOf(W));
    }
    Spent += Steps;
    if (Steps > BusiestSteps) {
      Busiest = Block;
      BusiestSteps = Steps;
    }
    return Steps;
  }

  LoopLimits limitsFor(uint64_t Steps) const {
    LoopLimits Limits;
    Limits.Steps = std::max<uint64_t>(2000, Steps / Warps);
    return Limits;
  }

  /// Runs one block for all of the grid.
  Tally runOne(const Environment &Where, const Decisions &Forced,
               Coverage &Seen, uint64_t Allowed, const launch::Dim3 &Block,
               uint64_t &Steps) {
    Tally Sum(Code, Law);
    WarpInterpreter Run(Code, Where, limitsFor(Allowed / 2), Forced, Seen, Sum);
    Steps = runBlock(Run, Sum, Block, 1);
    return Sum;
  }

  /// Runs as many blocks as the budget allows, but at least one.
  Tally runGrid(const Environment &Where, const Decisions &Forced,
                Coverage &Seen, uint64_t Allowed) {
    uint64_t Steps = 0;
    if (!Plan.Shape.Grid || !Code.UsesCtaid) {
      LeftOutBlocks |= Code.UsesCtaid;
      Tally One = runOne(Where, Forced, Seen, Allowed, Busiest, Steps);
      if (const auto &Same = Plan.Shape.Grid)
        One.scale(double((*Same)[0]) * (*Same)[1] * (*Same)[2]);
      return One;
    }
    const launch::Dim3 &Grid = *Plan.Shape.Grid;
    const launch::Dim3 Middle = middleBlock(Grid);
    const Tally First = runOne(Where, Forced, Seen, Allowed, Middle, Steps);
    uint64_t PerBlock = std::max<uint64_t>(1, Steps);
    for (uint64_t Most = MaxBlocks;;) {
      Most = std::clamp<uint64_t>(Allowed / PerBlock, 1, Most);
      const auto Blocks = sampleBlocks(Grid, unsigned(Most));
      LeftOutBlocks |= Blocks.size() != uint64_t(Grid[0]) * Grid[1] * Grid[2];
      if (Blocks.size() == 1 && Busiest != Middle)
        return runOne(Where, Forced, Seen, Allowed, Busiest, Steps);
      Tally Sum = First;
      uint64_t Taken = Steps, Done = 1;
      WarpInterpreter Run(Code, Where, limitsFor(Allowed / 2), Forced, Seen,
                          Sum);
      for (const SampledBlock &B : Blocks)
        if (B.Block == Middle)
          Sum.scale(B.Weight);
      for (const SampledBlock &B : Blocks) {
        if (B.Block == Middle)
          continue;
        if (Taken > 2 * Allowed)
          break;
        Taken += runBlock(Run, Sum, B.Block, B.Weight);
        ++Done;
      }
      if (Done == Blocks.size())
        return Sum;
      // The others do more than the one in the middle: fewer will do.
      PerBlock = Taken / Done;
      Most = Blocks.size() - 1;
    }
  }

  /// True when nothing is unknown, and other blocks than those that have run
  /// are all that is missing, and few enough.
  bool isJustSampled(const Tally &Main, const Coverage &Seen) const {
    if (Seen.Assumed || Seen.Truncated || Seen.Skipped || !isWhole(Main) ||
        hasLoosePointers() || !Plan.Shape.Grid)
      return false;
    const launch::Dim3 &Grid = *Plan.Shape.Grid;
    return double(Grid[0]) * Grid[1] * Grid[2] * double(BusiestSteps) <=
           double(Budget);
  }

  Tally runAllBlocks(Coverage &Seen) {
    const Environment Where = environment(MadeUp::Likely);
    const Decisions Free;
    Tally Sum(Code, Law);
    WarpInterpreter Run(Code, Where, limitsFor(Budget), Free, Seen, Sum);
    const launch::Dim3 &Grid = *Plan.Shape.Grid;
    for (uint32_t Z = 0; Z != Grid[2]; ++Z)
      for (uint32_t Y = 0; Y != Grid[1]; ++Y)
        for (uint32_t X = 0; X != Grid[0]; ++X)
          runBlock(Run, Sum, {X, Y, Z}, 1);
    LeftOutBlocks = false;
    return Sum;
  }

  Environment environment(MadeUp Made) const {
    return Environment(Code, Plan.Shape, Plan.Arguments, Made);
  }

  Tally runSample(MadeUp Made, Coverage &Seen, uint64_t Allowed) {
    const std::vector<uint8_t> Before = Seen.Visited;
    Tally Sum = runGrid(environment(Made), {}, Seen, Allowed);
    remember({Made, {}}, Before, Seen);
    return Sum;
  }

  /// Notes \p How as the way to the blocks that it reached first.
  void remember(Way How, const std::vector<uint8_t> &Before,
                const Coverage &Seen) {
    WayTo.resize(Code.Blocks.size());
    for (uint32_t B = 0; B != Code.Blocks.size(); ++B)
      if (Seen.Visited[B] && !Before[B])
        WayTo[B] = uint32_t(Ways.size());
    Ways.push_back(std::move(How));
  }

  /// Accesses that no warp has reached, but would if branches that nobody can
  /// decide went the other way. Each way around starts from the run that led to
  /// its branch.
  void takeDetours(Tally &Sum, Coverage &Seen, uint64_t Allowed) {
    std::set<std::pair<uint32_t, uint32_t>> Tried;
    for (unsigned N = 0; N != MaxDetours; ++N) {
      const std::optional<std::pair<uint32_t, uint32_t>> Detour =
          nextDetour(Seen, Tried);
      if (!Detour)
        break;
      Tried.insert(*Detour);
      Way How = Ways[WayTo[Detour->first]];
      How.Forced[Detour->first] = Detour->second;
      const std::vector<uint8_t> Before = Seen.Visited;
      LeftOutBlocks |= Code.UsesCtaid;
      uint64_t Steps = 0;
      Sum.fillGaps(runOne(environment(How.Made), How.Forced, Seen,
                          Allowed / MaxDetours, Busiest, Steps));
      remember(std::move(How), Before, Seen);
    }
  }

  /// A branch that runs have taken without knowing why, and the target from
  /// which a site that was not reached can be.
  std::optional<std::pair<uint32_t, uint32_t>>
  nextDetour(const Coverage &Seen,
             const std::set<std::pair<uint32_t, uint32_t>> &Tried) const {
    std::vector<uint8_t> Wanted(Code.Blocks.size());
    std::deque<uint32_t> Pending;
    for (const Site &S : Code.Sites)
      if (!Seen.Visited[S.Block] && !Wanted[S.Block]) {
        Wanted[S.Block] = 1;
        Pending.push_back(S.Block);
      }
    // Backwards from what is missing, as far as nothing has run.
    while (!Pending.empty()) {
      const uint32_t At = Pending.front();
      Pending.pop_front();
      for (uint32_t From : Predecessors[At]) {
        if (!Seen.Visited[From]) {
          if (!Wanted[From]) {
            Wanted[From] = 1;
            Pending.push_back(From);
          }
          continue;
        }
        if (!Seen.Undecided[From])
          continue;
        const auto &Targets = Code.Blocks[From].Targets;
        for (uint32_t T = 0; T != Targets.size(); ++T)
          if (Targets[T] == At && !Tried.count({From, T}))
            return std::pair(From, T);
      }
    }
    return std::nullopt;
  }

  /// What the warps of \p Main did between their accesses.
  Work workOf(const Tally &Main, const Coverage &Seen) const {
    Work Sum;
    Sum.BlockThreads = Threads;
    // Runs of a grid stand for all of it, others for one block.
    if (const auto &Grid = Plan.Shape.Grid; Grid) {
      Sum.Blocks = double((*Grid)[0]) * (*Grid)[1] * (*Grid)[2];
      Sum.IsWholeGrid = true;
    }
    Sum.TripsKnown = !Seen.Truncated && !Seen.Assumed;
    for (uint32_t B = 0; B != Code.Blocks.size(); ++B) {
      const double Runs = Main.blockRuns()[B];
      Sum.MostRuns = std::max(
          Sum.MostRuns, Runs / (Sum.Blocks * Warps * Code.Blocks[B].Copies));
      Sum.Barriers += Runs * Code.Blocks[B].Barriers / (Sum.Blocks * Warps);
      for (unsigned P = 0; P != PipeCount; ++P)
        Sum.Issued[P] += Runs * Code.Blocks[B].Issued[P];
    }
    Sum.ChainSteps = Main.chainSteps() / Sum.Blocks;
    return Sum;
  }

  /// What caches can make of the requests of the likely run.
  void takeFootprints(LaunchResult &Result, uint64_t Allowed) {
    Footprints Print(Code, Law);
    const Environment Where = environment(MadeUp::Likely);
    Coverage Ignored(Code.Blocks.size());
    const Decisions Free;
    const LoopLimits Limits = firstRounds(Allowed / 4);
    WarpInterpreter Run(Code, Where, Limits, Free, Ignored, Print);
    uint64_t Steps = 0;
    for (unsigned W = 0; W != Warps && Steps < Allowed; ++W) {
      Print.startOwn(W);
      Steps += Run.run(Busiest, W, lanesOf(W));
    }
    const auto &Grid = Plan.Shape.Grid;
    for (unsigned Axis = 0; Axis != 3 && Code.UsesCtaid; ++Axis) {
      launch::Dim3 Block = Busiest;
      if (!Grid || Block[Axis] + 1 < (*Grid)[Axis])
        ++Block[Axis];
      else if (Block[Axis] > 0)
        --Block[Axis];
      else
        continue;
      Print.startBeside(Axis);
      for (unsigned W = 0; W != Warps && Steps < 2 * Allowed; ++W)
        Steps += Run.run(Block, W, lanesOf(W));
    }
    Result.Steps += Steps;
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      if (std::optional<Cost> &C = Result.Sites[N].Value)
        C->Reach = Print.of(N);
  }

  /// What loads from shared memory would cost if they went to where its
  /// contents came from.
  void followStages(LaunchResult &Result, uint64_t Allowed) {
    StagedWords Staged(Code, Law);
    if (Staged.isEmpty())
      return;
    const Environment Where = environment(MadeUp::Likely);
    Coverage Ignored(Code.Blocks.size());
    const Decisions Free;
    const LoopLimits Limits = firstRounds(Allowed);
    WarpInterpreter Run(Code, Where, Limits, Free, Ignored, Staged);
    uint64_t Steps = 0;
    for (unsigned W = 0; W != Warps; ++W) {
      Staged.startWarp(W);
      Steps += Run.run(Busiest, W, lanesOf(W));
      // What the others have brought is not known then.
      if (Steps > Allowed)
        return;
    }
    Result.Steps += Steps;
    const auto Direct = Staged.resolve();
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      if (std::optional<Cost> &C = Result.Sites[N].Value)
        C->Direct = Direct[N];
  }

  /// The work of basic blocks that do nothing but fill shared memory.
  void weighStages(LaunchResult &Result, const Tally &Main) const {
    std::map<uint32_t, std::vector<uint32_t>> SitesOf; // by block
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      SitesOf[Code.Sites[N].Block].push_back(N);
    for (const auto &[Number, Sites] : SitesOf) {
      const auto isCopied = [&](uint32_t Store) {
        return Code.Sites[Store].Memory == Space::Shared &&
               Code.Sites[Store].Op == Operation::Store &&
               std::any_of(Sites.begin(), Sites.end(), [&](uint32_t Load) {
                 return Code.Sites[Load].StagedIn == Code.Sites[Store].Object;
               });
      };
      const auto First =
          std::find_if(Sites.begin(), Sites.end(), [&](uint32_t N) {
            return Code.Sites[N].StagedIn != nullptr;
          });
      if (First == Sites.end() || !Result.Sites[*First].Value ||
          !std::all_of(Sites.begin(), Sites.end(), [&](uint32_t N) {
            return Code.Sites[N].StagedIn || isCopied(N);
          }))
        continue;
      Cost &Its = *Result.Sites[*First].Value;
      const BlockCode &Block = Code.Blocks[Number];
      const double Runs = Main.blockRuns()[Number];
      for (unsigned P = 0; P != PipeCount; ++P)
        if (Pipe(P) != Pipe::Memory)
          Its.IssuedAlone[P] = Runs * Block.Issued[P];
      Its.StepsAlone =
          Runs / (Result.Besides.Blocks * Warps) * Block.ChainSteps;
    }
  }

  /// A few rounds of each loop in a row, in place of samples of all.
  LoopLimits firstRounds(uint64_t Steps) const {
    LoopLimits Limits = limitsFor(Steps);
    Limits.Known = Limits.Assumed = Limits.InnerKnown = FirstRounds;
    Limits.InnerSamples = Limits.OuterSamples = 1 << 30;
    return Limits;
  }

  /// Looks for who uses what the requests leave of their sectors. Sites that
  /// were reached the same way are looked at together.
  void lookAround(LaunchResult &Result) {
    std::map<uint32_t, std::vector<Surroundings::Question>> ByWay;
    for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
      const std::optional<Cost> &C = Result.Sites[N].Value;
      if (C && Code.Sites[N].Memory == Space::Global && C->IdealSectors &&
          std::min(C->sectorWaste(), C->groupSectorWaste()) > LeastWaste)
        ByWay[WayTo[Code.Sites[N].Block]].push_back(
            {N, 1 / C->groupSectorWaste()});
    }
    for (auto &[Number, Questions] : ByWay) {
      Surroundings Around(Code, Law, Questions);
      Result.Steps += lookAround(Ways[Number], Around, Budget / 8);
      for (size_t N = 0; N != Questions.size(); ++N)
        Result.Sites[Questions[N].Site].Value->Beside = Around.answer(N);
    }
  }

  /// Returns the steps taken.
  uint64_t lookAround(const Way &How, Surroundings &Around, uint64_t Allowed) {
    const Environment Where = environment(How.Made);
    Coverage Ignored(Code.Blocks.size());
    const LoopLimits Limits = firstRounds(Allowed / 8);
    WarpInterpreter Run(Code, Where, Limits, How.Forced, Ignored, Around);
    uint64_t Steps = 0;
    const auto runWarps = [&](Surroundings::Stage Now,
                              const launch::Dim3 &Block) {
      const bool IsFirst = Now == Surroundings::Stage::Sectors;
      for (unsigned W = 0;
           W != Warps && Steps < Allowed && !(IsFirst && Around.isComplete());
           ++W) {
        Around.start(Now, W);
        Steps += Run.run(Block, W, lanesOf(W));
      }
    };
    runWarps(Surroundings::Stage::Sectors, Busiest);
    runWarps(Surroundings::Stage::OwnBlock, Busiest);
    const auto &Grid = Plan.Shape.Grid;
    for (unsigned Axis = 0; Axis != 3 && Code.UsesCtaid; ++Axis)
      for (const int Side : {-1, 1}) {
        launch::Dim3 Block = Busiest;
        Block[Axis] += Side; // wraps around before the first
        if (Grid ? Block[Axis] < (*Grid)[Axis] : Block[Axis] + 1 != 0)
          runWarps(Surroundings::Stage::OtherBlocks, Block);
      }
    return Steps;
  }

  /// True when every access was reached, and its cost does not depend on
  /// anything unknown.
  bool isSettled(const Tally &Main, const proof::LaunchProof &Proven) const {
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      if (Main.site(N).Evaluated == 0 || !Proven.Sites[N].isPoint())
        return false;
    return true;
  }

  /// True when nothing was made up and nothing left out: the run was the
  /// launch itself.
  bool isWhole(const Coverage &Seen) const {
    return !Seen.Assumed && !Seen.Truncated && !Seen.Skipped && !LeftOutBlocks;
  }
  bool isWhole(const Tally &Sum) const {
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      if (!isWhole(Sum.site(N)))
        return false;
    return true;
  }

  /// True when it is not known where some pointer argument points.
  bool hasLoosePointers() const {
    return std::any_of(
        Code.Presets.begin(), Code.Presets.end(), [&](const Preset &P) {
          return P.What == Preset::Kind::Argument &&
                 P.Object->getType()->isPointerTy() &&
                 !llvm::cast<llvm::Argument>(P.Object)->hasByValAttr() &&
                 Environment::isOriginUnknown(Plan.Arguments, P.Number);
        });
  }

  static bool isWhole(const SiteTally &T) {
    return !T.AssumedAddress && !T.Filled && T.SpeculativeRequests == 0 &&
           T.UnknownRequests == 0;
  }

  SiteResult resultOf(uint32_t N, const Tally &Main,
                      const std::vector<Tally> &Others,
                      const proof::SiteProof &Proven, const Coverage &Seen,
                      bool Whole) const {
    const Site &S = Code.Sites[N];
    const SiteTally &T = Main.site(N);
    SiteResult Result;
    if (T.Evaluated == 0)
      return Result;
    Result.Group = Main.siblings().groupOf(N);
    Result.Slides = Main.siblings().slides(N);
    Result.Repeats = Main.siblings().repeats(N);
    if (!Seen.Truncated && T.Warps > 0)
      Result.Trips = uint64_t(std::llround(T.Requests / T.Warps));
    Cost C;
    C.Requests = T.Evaluated;
    C.Weight = T.Requests;
    C.PerWarp = T.Warps > 0 ? T.Requests / T.Warps : 0;
    C.ActiveLanes = T.Lanes / T.Requests;
    C.IsIndexed = T.Indexed && !(T.UnknownFrom & ~FromIndices);
    if (T.UnknownRequests > 0) {
      C.State = Proof::DataDependent;
      C.Reason = describeOrigin(T.UnknownFrom);
      if (T.UnknownRequests >= T.Requests) {
        expect(S, T, Proven, 1, C);
        Result.Value = C;
        return Result;
      }
    }
    const double Known = T.Requests - T.UnknownRequests;
    const auto mean = [Known](double Sum) {
      return Sum > 0 ? std::optional(Sum / Known) : std::nullopt;
    };
    C.Lines = T.Lines / Known;
    C.LinePasses = T.LinePasses / Known;
    C.Sectors = mean(T.Sectors);
    C.IdealSectors = mean(T.IdealSectors);
    C.Wavefronts = mean(T.Wavefronts);
    C.IdealWavefronts = mean(T.IdealWavefronts);
    C.ConflictFreeWavefronts = mean(T.ConflictFreeWavefronts);
    C.Words = mean(T.Words);
    const SiblingSums &Group = Main.siblings().of(N);
    // L1 keeps what a load leaves of a sector for the next; it sends each store
    // on by itself.
    if (Group.Requests > 0 && S.Op == Operation::Load)
      C.WithSiblings = {.Sectors = Group.Sectors / Group.Requests,
                        .IdealSectors = Group.IdealSectors / Group.Requests,
                        .Rounds = Group.Requests / Group.Rounds,
                        .Requests = Group.Joined / Group.Rounds};
    else if (C.IdealSectors)
      C.WithSiblings = {.Sectors = C.Sectors.value_or(0),
                        .IdealSectors = *C.IdealSectors};
    if (Group.Joined > 0)
      C.SharedSectors = Group.Sectors / Group.Joined;
    if (T.WorstCost > 0) {
      C.Worst = T.Worst;
      C.Worst->StepVaries = S.LoopDepth > 0 && T.RoundStep;
      C.Worst->IsMadeUp = T.AssumedStep;
      C.Worst->IsStepMadeUp = C.Worst->IsMadeUp && !isStepProven(T, Proven) &&
                              !stepIsCommon(N, T, Others);
    }
    C.DataDecides = T.SpeculativeRequests > 0;
    if (S.LoopDepth > 0 && T.LeastCost < T.WorstCost) {
      C.Least = T.LeastCost;
      C.Most = T.WorstCost;
    }
    if (C.State == Proof::DataDependent)
      expect(S, T, Proven, T.UnknownRequests / T.Requests, C);
    else
      judge(S, N, T, Others, Proven, Seen, Whole && isWhole(T), C);
    if (S.IsEmulated && Law.lanesOfPass(S.Bytes) < WarpLanes &&
        (C.State == Proof::Exact || C.State == Proof::Bounded)) {
      // Which phases still have lanes left is up to the other warps, too.
      C.State = Proof::Estimated;
      C.Reason = "nvcc makes a loop of this atomic, and one round of it is "
                 "listed";
      C.Low = C.Low ? C.Low : headlineOf(S, C);
      C.High = C.High ? C.High : headlineOf(S, C);
    }
    Result.Value = C;
    return Result;
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

  /// Whether the first two active lanes move together whatever moves.
  static bool isStepProven(const SiteTally &T, const proof::SiteProof &Proven) {
    return Proven.Holds && !Proven.IsScattered && T.Worst.ActiveMask != 0 &&
           !(Proven.Apart >> std::countr_zero(T.Worst.ActiveMask) & 1);
  }

  /// Whether neighbouring lanes lie equally far apart whatever numbers stand in
  /// for what is not known.
  static bool stepIsCommon(uint32_t N, const SiteTally &T,
                           const std::vector<Tally> &Others) {
    const auto Step = firstStep(T.Worst);
    return Step && !Others.empty() &&
           std::all_of(Others.begin(), Others.end(), [&](const Tally &Other) {
             return firstStep(Other.site(N).Worst) == Step;
           });
  }

  /// Bytes of the variable behind \p S, if that is one of a known size.
  std::optional<uint64_t> objectBytes(const Site &S) const {
    auto *Variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(S.Object);
    if (!Variable)
      return std::nullopt;
    const uint64_t Bytes =
        Code.Kernel->getParent()->getDataLayout().getTypeAllocSize(
            Variable->getValueType());
    // extern __shared__ T x[]: what the launch asks for.
    const uint64_t Given = Bytes ? Bytes : Plan.Shape.DynamicSharedBytes;
    return Given ? std::optional(Given) : std::nullopt;
  }

  /// What a request of \p S by the lanes of \p Active costs if its indices are
  /// random, and \p Width neighbouring lanes have the same. From there they are
  /// taken to go on side by side.
  warp::Expectation expectRandom(const Site &S, uint32_t Active,
                                 unsigned Width) const {
    warp::RandomRequest R;
    R.Groups = warp::neighbourGroups(Active, Width);
    R.Bytes = S.Bytes;
    R.Stride = uint64_t(Width) * S.Bytes;
    for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
      R.Offsets[Lane] = Lane % Width * S.Bytes;
    R.ObjectBytes = objectBytes(S);
    switch (S.Memory) {
    case Space::Shared:
      if (S.IsEmulated) {
        // Its passes do not depend on where lanes go, but for how long each
        // phase has lanes left.
        warp::LaneAddresses Apart{};
        for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
          Apart[Lane] = uint64_t(Lane) * S.Bytes;
        const unsigned All =
            warp::swapLoop(Law, Apart, Active, S.Bytes).wavefrontsOfRound();
        return {.Expected = double(All), .Low = 1, .High = double(All)};
      }
      return warp::expectWavefronts(Law, R,
                                    S.Serialises ? warp::SharedOperation::Atomic
                                    : S.Op == Operation::Store
                                        ? warp::SharedOperation::Store
                                        : warp::SharedOperation::Load);
    case Space::Constant:
      return warp::expectWords(Law, R);
    default:
      return warp::expectSectors(Law, R);
    }
  }

  /// Mixes into \p C what the requests cost, a \p Share of all, whose addresses
  /// come from memory: the expectation for random indices, within what is
  /// possible at all.
  void expect(const Site &S, const SiteTally &T, const proof::SiteProof &Proven,
              double Share, Cost &C) const {
    const unsigned Lanes = std::clamp<unsigned>(
        unsigned(std::lround(C.ActiveLanes)), 1, WarpLanes);
    const uint32_t Active = Lanes == WarpLanes ? ~0u : (1u << Lanes) - 1;
    const unsigned Width = sharedWidth(T.UnknownFrom);
    const warp::Expectation E = expectRandom(S, Active, Width);
    auto mix = [&](std::optional<double> &Mean, double Random) {
      Mean = (1 - Share) * Mean.value_or(0) + Share * Random;
    };
    const double Bytes = double(Lanes) * S.Bytes;
    if (S.Memory == Space::Shared)
      mix(C.IdealWavefronts,
          S.Op == Operation::Atomic ? 1 : std::ceil(Bytes / Law.passBytes()));
    else if (S.Memory != Space::Constant)
      mix(C.IdealSectors, std::ceil(Bytes / Law.SectorBytes));
    std::optional<double> &Number = headlineOf(S, C);
    mix(Number, E.Expected);
    C.Low = Proven.Holds ? Proven.Low : 1;
    // How far apart lanes with the same index lie nobody has looked at.
    C.High = Proven.Holds ? Proven.High : expectRandom(S, Active, 1).High;
    Number = std::clamp(*Number, *C.Low, *C.High);
    // Lanes that read the same need it once.
    if (std::optional<double> &Ideal = idealOf(S, C))
      Ideal = std::min(*Ideal, *Number);
    if (Proven.Holds && Proven.High <= 2 * Proven.Low)
      C.State = Proof::Bounded;
    if (!Proven.isPoint())
      return;
    // The data does not matter after all.
    C.State = Proof::Exact;
    C.Reason.clear();
    C.Low = C.High = std::nullopt;
  }

  static std::optional<double> &headlineOf(const Site &S, Cost &C) {
    switch (S.Memory) {
    case Space::Shared:
      return C.Wavefronts;
    case Space::Constant:
      return C.Words;
    default:
      return C.Sectors;
    }
  }

  static std::optional<double> &idealOf(const Site &S, Cost &C) {
    return S.Memory == Space::Shared ? C.IdealWavefronts : C.IdealSectors;
  }

  /// How far the number that the run came to can be trusted.
  void judge(const Site &S, uint32_t N, const SiteTally &T,
             const std::vector<Tally> &Others, const proof::SiteProof &Proven,
             const Coverage &Seen, bool Whole, Cost &C) const {
    std::optional<double> &Likely = headlineOf(S, C);
    // Where a pointer of unknown origin starts is part of no run.
    const bool Starts = Proven.Holds ? Proven.PointerMoves : hasLoosePointers();
    if (Proven.isPoint() || (Whole && !Starts)) {
      C.State = Proof::Exact;
      if (Proven.isPoint())
        Likely = Proven.Low;
      return;
    }
    if (!Seen.Assumed && isWhole(T) && !Starts) {
      // Everything is known, but not all of it was run.
      C.State = Proof::Estimated;
      C.Reason = "from a sample of the launch's blocks and loop iterations";
      if (Proven.Holds)
        C.Possible = {Proven.Low, Proven.High};
      return;
    }
    bool Agree = false; // the likely numbers, as far as there are several
    C.Reason = reasonOf(T, Proven);
    if (Proven.Holds && Proven.High <= 2 * Proven.Low) {
      C.State = Proof::Bounded;
      C.Low = Proven.Low;
      C.High = Proven.High;
    } else {
      C.State = Proof::Estimated;
      Agree = estimate(S, N, T, Others, Proven, C);
    }
    if (Likely.value_or(0) < *C.Low && Proven.LanesVary) {
      // The lanes that the run came to are fewer than the bounds speak of.
      idealOf(S, C) = std::max(idealOf(S, C).value_or(0), Proven.IdealFull);
      C.ActiveLanes = std::max(C.ActiveLanes, Proven.LanesFull);
      if (C.Sectors && C.WithSiblings) {
        C.Sectors = std::max(*C.Sectors, *C.IdealSectors);
        C.WithSiblings->Sectors = *C.Sectors;
        C.WithSiblings->IdealSectors = *C.IdealSectors;
      }
    }
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
    const bool Offset = (T.Filled && !Proven.RowsMove && Number <= Ideal + 1) ||
                        (T.LoadedByAll && *C.Low <= Ideal);
    // Rows at a pitch that is not known do not touch, as a rule.
    const double Least =
        Proven.RowsMove && !Proven.IsScattered
            ? Proven.LowApart
            : std::min(*C.Low, C.Possible ? (*C.Possible)[0] : *C.Low);
    const bool Stride =
        S.LayoutUnknown && C.State == Proof::Estimated && Number > Ideal;
    if (Stride || (Offset && !Agree)) {
      Likely.reset(); // between no waste and some there is no likely value
    } else if (OnlyStarts) {
      C.Low = std::min(*C.Low, Proven.LowFull);
      Likely = std::min(Number, Proven.LowFull);
      // The sector that another start saves its siblings need not either.
      if (std::optional<GroupCost> &All = C.WithSiblings)
        All->Sectors = std::max(All->IdealSectors,
                                All->Sectors - std::max(0.0, Run - *Likely));
    } else if (C.State == Proof::Estimated && Number > Ideal &&
               Number <= Ideal + 1 && Least <= Ideal) {
      // One sector more than needed comes from an offset that happens not to be
      // aligned, and offsets that nobody knows are as likely to be.
      Likely = Ideal;
      if (C.WithSiblings)
        C.WithSiblings->Sectors = Ideal;
      C.Low = std::min(*C.Low, *Likely);
    }
  }

  /// The interval beside a likely number. Where lanes move together it is what
  /// full warps can cost at any offset and any pitch; else what other likely
  /// numbers lead to. True when they all lead to the same.
  bool estimate(const Site &S, uint32_t N, const SiteTally &T,
                const std::vector<Tally> &Others,
                const proof::SiteProof &Proven, Cost &C) const {
    const double Mean = headlineOf(S, C).value_or(0);
    double Low = Mean, High = std::max<double>(Mean, T.WorstCost);
    for (const Tally &Other : Others) {
      const SiteTally &O = Other.site(N);
      if (O.Evaluated == 0 || O.UnknownRequests > 0)
        continue;
      const double OtherMean = meanOf(S, O);
      Low = std::min(Low, OtherMean);
      High = std::max({High, OtherMean, double(O.WorstCost)});
    }
    Low = std::min<double>(Low, C.Least.value_or(Low));
    const bool Agree = High - Low <= 1e-9 * High;
    if (Proven.Holds) {
      C.Possible = {Proven.Low, Proven.High};
      if (!Proven.IsScattered) {
        Low = Proven.RowsMove ? Proven.LowApart : Proven.LowFull;
        High = Proven.High;
      }
      Low = std::clamp(Low, Proven.Low, Proven.High);
      High = std::clamp(High, Low, Proven.High);
    } else if (T.SpeculativeRequests > 0) {
      Low = std::min(Low, T.CertainCost / T.Requests);
    }
    C.Low = Low;
    C.High = High;
    return Agree;
  }

  static double meanOf(const Site &S, const SiteTally &T) {
    switch (S.Memory) {
    case Space::Shared:
      return T.Wavefronts / T.Requests;
    case Space::Constant:
      return T.Words / T.Requests;
    default:
      return T.Sectors / T.Requests;
    }
  }

  static std::string reasonOf(const SiteTally &T,
                              const proof::SiteProof &Proven) {
    if (T.SpeculativeRequests > 0)
      return "which lanes take part depends on values loaded from memory";
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

LaunchResult evaluateLaunch(const Program &Code, const LaunchPlan &Plan,
                            const profile::RequestLaw &Law, uint64_t Budget) {
  return LaunchEvaluator(Code, Plan, Law, Budget).evaluate();
}

} // namespace warpwise::access
