//===- Evaluator.cpp - From a program to costs per launch -----------------===//

#include "analyzer/evaluate/Evaluator.h"

#include "analyzer/evaluate/BlockWords.h"
#include "analyzer/evaluate/Footprints.h"
#include "analyzer/evaluate/GridRuns.h"
#include "analyzer/evaluate/ObjectSizes.h"
#include "analyzer/evaluate/SiteCosts.h"
#include "analyzer/evaluate/StagedWords.h"
#include "analyzer/evaluate/StoredBack.h"
#include "analyzer/evaluate/Surroundings.h"
#include "analyzer/evaluate/Tally.h"
#include "analyzer/evaluate/proof/Proof.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <map>
#include <ranges>
#include <set>

namespace warpwise::access {
namespace {

/// Ways around undecided branches that are tried to reach every access.
constexpr unsigned MaxDetours = 24;
/// A guess: of the threads, those that go another way than all that were looked
/// at where their place in the grid decides: at the border of a picture, say,
/// whose size nobody knows ("if (y == 0 || y == height - 1)").
constexpr double AtBorder = 1 / 64.0;
/// Steps that a proof may take; they are slower than those of a run.
constexpr uint64_t MostProofSteps = 200'000;
/// From here on it is asked who uses the rest of the sectors.
constexpr double LeastWaste = 1.1;
/// Rounds of a loop that are followed on the way to what lies behind it: what
/// it carries has changed once then.
constexpr unsigned FewestRounds = 2;
/// Steps that it may take to see what caches make of a block; with constants
/// among that.
constexpr uint64_t MostFootprintSteps = 25'000, MostConstantSteps = 100'000;

/// Hands the requests of the block itself to all, those of the blocks beside it
/// to the footprints alone.
class BlockListener : public RequestSink {
  Footprints &Print;
  BlockWords &Words;
  StagedWords &Staged;
  StoredBack &Back;
  bool IsOwn = true;

public:
  BlockListener(Footprints &Print, BlockWords &Words, StagedWords &Staged,
                StoredBack &Back)
      : Print(Print), Words(Words), Staged(Staged), Back(Back) {}

  void startOwn(unsigned Warp) {
    Print.startOwn(Warp);
    Words.startWarp(Warp);
    Staged.startWarp(Warp);
    Back.startWarp(Warp);
  }
  void startBeside(unsigned Axis, unsigned Warp) {
    Print.startBeside(Axis, Warp);
    IsOwn = false;
  }
  void request(uint32_t Site, const LaneValue &Address, uint32_t Active,
               uint32_t Speculative) override {
    Print.request(Site, Address, Active, Speculative);
    if (!IsOwn)
      return;
    if (!Words.isEmpty())
      Words.request(Site, Address, Active, Speculative);
    if (!Staged.isEmpty())
      Staged.request(Site, Address, Active, Speculative);
    if (!Back.isEmpty())
      Back.request(Site, Address, Active, Speculative);
  }
  void barrier() override {
    Words.barrier();
    Staged.barrier();
  }
};

class LaunchEvaluator {
  const Program &Code;
  const LaunchPlan &Plan;
  const profile::RequestLaw &Law;
  uint64_t Budget;
  GridRuns Runner;
  std::vector<std::vector<uint32_t>> Predecessors; ///< by block
  /// The runs so far, and by block the first that reached it.
  struct Way {
    MadeUp Made;
    Decisions Forced;
    /// Of the threads, the share that takes it.
    double Share = 1;
  };
  std::vector<Way> Ways;
  std::vector<uint32_t> WayTo;

public:
  LaunchEvaluator(const Program &Code, const LaunchPlan &Plan,
                  const profile::RequestLaw &Law, uint64_t Budget)
      : Code(Code), Plan(Plan), Law(Law), Budget(Budget),
        Runner(Code, Plan, Law) {
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
    if (Whole && isWhole(Sample) && !hasLoosePointers(Code, Plan)) {
      Proven.Sites.resize(Code.Sites.size()); // the numbers are the proof
    } else {
      Proven =
          proof::prove(Code, Plan, Law, std::min(Budget / 4, MostProofSteps));
      keepWithinTables(Code, Plan, Law, Proven);
      if (!isSettled(Sample, Proven) && isJustSampled(Sample, Seen)) {
        AllBlocks.emplace(
            Runner.runAll(Runner.environment(MadeUp::Likely), Seen, Budget));
        Whole = isWhole(Seen);
      }
    }
    Tally &Main = AllBlocks ? *AllBlocks : Sample;
    std::vector<Tally> Others;
    const LaunchEvidence Known{Code,   Plan,   Law,  Main,
                               Others, Proven, Seen, Whole};
    if (!Whole && asksForOthers(Known))
      // Other numbers in place of what is not known: they show how much the
      // likely ones matter, and reach what those do not.
      for (MadeUp Made : {MadeUp::Odd, MadeUp::Other}) {
        Others.push_back(runSample(Made, Seen, Budget / 8));
        Main.fillGaps(Others.back());
      }
    if (!Whole && Plan.Shape.Grid && Main.hasThinSites()) {
      // Or there is not enough to do for the launch with any of them.
      Others.push_back(runSample(MadeUp::Work, Seen, Budget / 8));
      Main.fillGaps(Others.back());
    }
    if (Seen.Truncated)
      lookBehindLoops(Main, Seen, Budget / 8);
    takeDetours(Main, Seen, Budget / 8);
    LaunchResult Result;
    Result.Steps = Runner.spent() + Proven.Steps;
    Result.Truncated = Seen.Truncated;
    Result.LeftOutBlocks = Runner.leftOut();
    const std::vector<uint8_t> Open = openLoops(Code, Seen);
    for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
      Result.Sites.push_back(resultOf(Known, N));
      const int32_t Around = Code.Blocks[Code.Sites[N].Block].Loop;
      if (Around >= 0 && Open[Around])
        Result.Sites.back().Trips.reset();
    }
    lookAround(Result);
    Result.Besides = workOf(Main, Seen);
    for (const auto &[Use, Block] : Code.PrivateUses)
      Result.Privates.push_back(costOf(
          Use, Main.blockRuns()[Block], Result.Besides.Blocks * Runner.warps(),
          std::min<double>(Runner.threads(), WarpLanes)));
    takeFootprints(Result, Main);
    weighStages(Result, Main);
    weighIndexing(Result, Main);
    return Result;
  }

private:
  /// True when nothing is unknown, and other blocks than those that have run
  /// are all that is missing, and few enough.
  bool isJustSampled(const Tally &Main, const Coverage &Seen) const {
    if (Seen.Assumed || Seen.Truncated || Seen.Skipped || !isWhole(Main) ||
        hasLoosePointers(Code, Plan) || !Plan.Shape.Grid)
      return false;
    return Runner.blocks() * double(Runner.stepsOfBusiest()) <= double(Budget);
  }

  Tally runSample(MadeUp Made, Coverage &Seen, uint64_t Allowed) {
    const std::vector<uint8_t> Before = Seen.Visited;
    Tally Sum = Runner.run(Runner.environment(Made), {}, Seen, Allowed);
    remember({Made, {}}, Before, Seen);
    return Sum;
  }

  /// Notes \p How as the way to the blocks that it reached first.
  void remember(Way How, const std::vector<uint8_t> &Before,
                const Coverage &Seen) {
    assert(Before.size() == Code.Blocks.size());
    WayTo.resize(Code.Blocks.size());
    for (uint32_t B = 0; B != Code.Blocks.size(); ++B)
      if (Seen.Visited[B] && !Before[B])
        WayTo[B] = uint32_t(Ways.size());
    Ways.push_back(std::move(How));
  }

  /// Accesses that no warp has reached, as loops before them took all the
  /// steps.
  void lookBehindLoops(Tally &Sum, Coverage &Seen, uint64_t Allowed) {
    if (std::all_of(Code.Sites.begin(), Code.Sites.end(),
                    [&](const Site &S) { return Seen.Visited[S.Block] != 0; }))
      return;
    const std::vector<uint8_t> Before = Seen.Visited;
    LoopLimits Limits = roundsOnly(FewestRounds, Allowed / 2);
    Limits.EndsOnly = true;
    Sum.takeUnreached(Runner.runBusiest(Runner.environment(MadeUp::Likely), {},
                                        Seen, Limits));
    remember({MadeUp::Likely, {}}, Before, Seen);
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
      // What is alone in doing anything is no border.
      if (Code.Blocks[Detour->first].IsOfPlace && hasReachedSome(Seen))
        How.Share *= AtBorder;
      const std::vector<uint8_t> Before = Seen.Visited;
      Tally Found =
          Runner.runBusiest(Runner.environment(How.Made), How.Forced, Seen,
                            Runner.limitsFor(Allowed / MaxDetours / 2));
      if (How.Share < 1)
        Found.scale(How.Share);
      Sum.fillGaps(Found);
      remember(std::move(How), Before, Seen);
    }
  }

  bool hasReachedSome(const Coverage &Seen) const {
    return llvm::any_of(
        Code.Sites, [&](const Site &S) { return Seen.Visited[S.Block] != 0; });
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
    Sum.BlockThreads = Runner.threads();
    // Runs of a grid stand for all of it, others for one block.
    if (Plan.Shape.Grid) {
      Sum.Blocks = Runner.blocks();
      Sum.IsWholeGrid = true;
    }
    Sum.TripsKnown = !Seen.Truncated && !Seen.AssumedWork;
    for (uint32_t B = 0; B != Code.Blocks.size(); ++B) {
      const double Runs = Main.blockRuns()[B];
      Sum.MostRuns =
          std::max(Sum.MostRuns, Runs / (Sum.Blocks * Runner.warps() *
                                         Code.Blocks[B].Copies));
      Sum.Barriers +=
          Runs * Code.Blocks[B].Barriers / (Sum.Blocks * Runner.warps());
      Sum.BulkBytes += Runs * Code.Blocks[B].BulkBytes;
      const double Passed = Main.blocksPassed()[B];
      Sum.SwitchedOff += Passed * Code.Blocks[B].SharedRequests;
      for (unsigned P = 0; P != PipeCount; ++P) {
        Sum.Issued[P] += (Runs + Passed) * Code.Blocks[B].Issued[P];
        Sum.Leading[P] += (Runs + Passed) * Code.Blocks[B].Leading[P];
        Sum.Gathered[P] += (Runs + Passed) * Code.Blocks[B].Gathered[P];
      }
    }
    Sum.IdleBlocks = Main.idleBlocks();
    const double BusyBlocks = Sum.Blocks * (1 - Sum.IdleBlocks);
    Sum.ChainSteps = Main.chainSteps() / BusyBlocks;
    Sum.GatheredSteps = Main.gatheredSteps() / BusyBlocks;
    return Sum;
  }

  /// What caches can make of the requests of the likely run, registers of what
  /// shared memory holds, and what its loads would cost if they went to where
  /// that came from.
  void takeFootprints(LaunchResult &Result, const Tally &Main) {
    Footprints Print(Code, Law);
    BlockWords Words(Code, Plan.Shape.Block);
    StagedWords Staged(Code, Law);
    StoredBack Back(Code);
    BlockListener All(Print, Words, Staged, Back);
    const Environment Where = Runner.environment(MadeUp::Likely);
    Coverage Ignored(Code.Blocks.size());
    const Decisions Free;
    // Whether the constant cache holds a table shows in rounds of which each
    // may do much else.
    const bool ReadsConstants =
        std::any_of(Code.Sites.begin(), Code.Sites.end(),
                    [](const Site &S) { return S.Memory == Space::Constant; });
    const uint64_t Allowed = std::min(
        Budget / 8, ReadsConstants ? MostConstantSteps : MostFootprintSteps);
    const LoopLimits Limits =
        firstRounds(ReadsConstants ? Allowed : Allowed / 4);
    WarpInterpreter Run(Code, Where, Limits, Free, Ignored, All);
    const launch::Dim3 Own = Runner.typicalBlock();
    uint64_t Steps = 0;
    unsigned Done = 0;
    for (; Done != Runner.warps() && Steps < Allowed; ++Done) {
      All.startOwn(Done);
      Steps += Run.run(Own, Done, Runner.lanesOf(Done));
    }
    if (Done == Runner.warps())
      takeWords(Result, Main, Words, Staged, Back);
    const auto &Grid = Plan.Shape.Grid;
    for (unsigned Axis = 0; Axis != 3; ++Axis) {
      if (!hasBeside(Axis))
        continue;
      launch::Dim3 Block = Own;
      if (!Grid || Block[Axis] + 1 < (*Grid)[Axis])
        ++Block[Axis];
      else if (Block[Axis] > 0)
        --Block[Axis];
      else
        continue;
      for (unsigned W = 0; W != Runner.warps() && Steps < 2 * Allowed; ++W) {
        All.startBeside(Axis, W);
        Steps += Run.run(Block, W, Runner.lanesOf(W));
      }
    }
    Result.Steps += Steps;
    const auto LoadedBeside = Print.loadedBeside(Plan.Shape.Block);
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      if (std::optional<Cost> &C = Result.Sites[N].Value) {
        // Of what data choose there is what one expects of it.
        if (auto Seen = Print.of(N))
          C->Reach = Seen;
        if (const int32_t Loop = Code.Blocks[Code.Sites[N].Block].Loop;
            Loop >= 0)
          if (const double Entries = entriesOf(Loop, Main); Entries > 0)
            C->RoundsPerEntry = C->Weight / Entries;
        for (unsigned Axis = 0; C->Reach && Axis != 3; ++Axis)
          if (!Code.AsksForBlock[Axis] && (!Grid || (*Grid)[Axis] > 1)) {
            // All blocks along it do the same.
            C->Reach->FreshBeside[Axis] = 0;
            C->Reach->SameBeside[Axis] = 1;
          }
        // Data lead each warp elsewhere, as far as there is room, whatever is
        // made up for them.
        if (C->Reach && Code.Sites[N].Memory == Space::Global &&
            Code.Sites[N].Op == Operation::Atomic && Main.site(N).LoadedByAll) {
          C->Reach->OwnSectors = 1;
          C->Reach->FreshBeside = {1, 1, 1};
          C->Reach->SameBeside = {};
        }
        if (Done == Runner.warps() && Code.Sites[N].Memory == Space::Global)
          C->LoadedBeside = LoadedBeside[N];
      }
  }

  /// Whether other blocks along \p Axis are of interest: in a grid that is not
  /// known there are some where somebody asks for their number.
  bool hasBeside(unsigned Axis) const {
    return Plan.Shape.Grid ? Code.asksForBlock() : Code.AsksForBlock[Axis];
  }

  void takeWords(LaunchResult &Result, const Tally &Main,
                 const BlockWords &Words, const StagedWords &Staged,
                 const StoredBack &Back) const {
    const auto Beside = Words.loadedBeside();
    const auto Direct = Staged.resolve();
    const auto Kept = Back.kept();
    for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
      std::optional<Cost> &C = Result.Sites[N].Value;
      if (!C)
        continue;
      C->Direct = Direct[N];
      C->LoadedBeside = Beside[N];
      if (Words.isOwn(N) && C->Weight > 0)
        if (const double Entries = entriesOf(Code.Sites[N].CarriedIn, Main);
            Entries > 0)
          C->KeptIfInRegister = std::min(1.0, Entries / C->Weight);
      if (Kept[N])
        C->KeptIfInRegister = Kept[N];
    }
  }

  /// How often warps come to loop \p Number from outside.
  double entriesOf(int32_t Number, const Tally &Main) const {
    double Sum = 0;
    for (const uint32_t From : Predecessors[Code.Loops[Number].Header])
      if (!isWithin(Code.Loops, Code.Blocks[From].Loop, Number))
        Sum += Main.blockRuns()[From];
    return Sum;
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
          Runs / (Result.Besides.Blocks * Runner.warps()) * Block.ChainSteps;
    }
  }

  /// What goes with a loop that indexes a private array when it is written out.
  void weighIndexing(LaunchResult &Result, const Tally &Main) const {
    constexpr double Counting = 2, Branches = 1; // a sum and a test; a jump
    std::set<std::pair<const llvm::Value *, int32_t>> Done;
    for (size_t N = 0; N != Code.PrivateUses.size(); ++N) {
      const auto &[Use, Block] = Code.PrivateUses[N];
      const int32_t Loop = Code.Blocks[Block].Loop;
      if (Loop < 0 || !Done.emplace(Use.Array, Loop).second)
        continue;
      std::array<double, PipeCount> &Alone = Result.Privates[N].IssuedAlone;
      for (uint32_t B = 0; B != Code.Blocks.size(); ++B) {
        if (Code.Blocks[B].Loop != Loop)
          continue;
        const double Runs = Main.blockRuns()[B];
        for (unsigned P = 0; P != PipeCount; ++P)
          Alone[P] += Runs * Code.Blocks[B].Leading[P];
        if (B == Code.Loops[Loop].Header) {
          Alone[unsigned(Pipe::Sum)] += Runs * Counting;
          Alone[unsigned(Pipe::Other)] += Runs * Branches;
        }
      }
    }
  }

  /// A few rounds of each loop in a row, in place of samples of all.
  LoopLimits firstRounds(uint64_t Steps) const {
    return roundsOnly(Footprint::MostRounds, Steps);
  }
  LoopLimits roundsOnly(unsigned Rounds, uint64_t Steps) const {
    LoopLimits Limits = Runner.limitsFor(Steps);
    Limits.Known = Limits.Assumed = Limits.InnerKnown = Rounds;
    Limits.InnerSamples = Limits.OuterSamples = 1 << 30;
    Limits.CountsRest = false;
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
            {N, 1 / C->groupSectorWaste(), 1 / C->sectorWaste()});
    }
    for (auto &[Number, Questions] : ByWay) {
      Surroundings Around(Code, Law, Questions);
      Result.Steps += lookAround(Ways[Number], Around, Budget / 8);
      for (size_t N = 0; N != Questions.size(); ++N)
        Result.Sites[Questions[N].Site].Value->Beside = Around.answer(N);
    }
  }

  std::vector<launch::Dim3> blocksBeside(const launch::Dim3 &Block) const {
    const auto &Grid = Plan.Shape.Grid;
    std::vector<launch::Dim3> Beside;
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      for (const int Side : {-1, 1}) {
        launch::Dim3 Next = Block;
        Next[Axis] += Side; // wraps around before the first
        if (hasBeside(Axis) &&
            (Grid ? Next[Axis] < (*Grid)[Axis] : Next[Axis] + 1 != 0))
          Beside.push_back(Next);
      }
    return Beside;
  }

  /// Returns the steps taken.
  uint64_t lookAround(const Way &How, Surroundings &Around, uint64_t Allowed) {
    const Environment Where = Runner.environment(How.Made);
    Coverage Ignored(Code.Blocks.size());
    const LoopLimits Limits = firstRounds(Allowed / 8);
    WarpInterpreter Run(Code, Where, Limits, How.Forced, Ignored, Around);
    uint64_t Steps = 0;
    const auto runWarps = [&](Surroundings::Stage Now,
                              llvm::ArrayRef<launch::Dim3> Blocks,
                              uint64_t Most) {
      const bool IsFirst = Now == Surroundings::Stage::Sectors;
      for (unsigned W = 0;
           W != Runner.warps() && !(IsFirst && Around.isComplete()); ++W) {
        if (Steps >= Most)
          return Around.cutShort();
        Around.start(Now, W);
        for (const launch::Dim3 &Block : Blocks)
          Steps += Run.run(Block, W, Runner.lanesOf(W));
      }
    };
    // Those beside it have a say where a block takes all the steps, too.
    runWarps(Surroundings::Stage::Sectors, Runner.busiest(), Allowed / 4);
    runWarps(Surroundings::Stage::OwnBlock, Runner.busiest(), Allowed / 2);
    runWarps(Surroundings::Stage::OtherBlocks, blocksBeside(Runner.busiest()),
             Allowed);
    return Steps;
  }

  bool asksForOthers(const LaunchEvidence &Known) const {
    const auto Sites = std::views::iota(uint32_t(0), Code.Sites.size());
    const bool IsMadeUp =
        Known.Seen.Assumed || std::ranges::any_of(Sites, [&](uint32_t N) {
          return Known.Main.site(N).AssumedAddress;
        });
    return IsMadeUp && std::ranges::any_of(Sites, [&](uint32_t N) {
             return access::asksForOthers(Known, N);
           });
  }

  /// True when all blocks would say no more of any access: it is not reached,
  /// or costs the same whatever is not known, or what nvcc makes of it is not
  /// known as well.
  bool isSettled(const Tally &Main, const proof::LaunchProof &Proven) const {
    for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
      const proof::SiteProof &P = Proven.Sites[N];
      if (Main.site(N).Evaluated == 0
              ? !P.IsUnreached
              : !P.isPoint() && !Code.Sites[N].IsEmulated)
        return false;
    }
    return true;
  }

  /// True when nothing was made up and nothing left out: the run was the
  /// launch itself.
  bool isWhole(const Coverage &Seen) const {
    return !Seen.Assumed && !Seen.Truncated && !Seen.Skipped &&
           !Runner.leftOut();
  }
  bool isWhole(const Tally &Sum) const {
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      if (!access::isWhole(Sum.site(N)))
        return false;
    return true;
  }
};

} // namespace

LaunchResult evaluateLaunch(const Program &Code, const LaunchPlan &Plan,
                            const profile::RequestLaw &Law, uint64_t Budget) {
  return LaunchEvaluator(Code, Plan, Law, Budget).evaluate();
}

} // namespace warpwise::access
