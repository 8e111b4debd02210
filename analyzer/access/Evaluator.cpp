//===- Evaluator.cpp - From a program to costs per launch -----------------===//

#include "analyzer/access/Evaluator.h"

#include "analyzer/access/BlockSampling.h"
#include "analyzer/access/Tally.h"

#include "llvm/IR/Argument.h"
#include "llvm/Support/Casting.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

namespace warpwise::access {
namespace {

/// Ways around undecided branches that are tried to reach every access.
constexpr unsigned MaxDetours = 24;
/// Blocks of the grid that are run at most.
constexpr unsigned MaxBlocks = 64;
/// Two means that differ by less are the same number.
constexpr double Tolerance = 1e-9;

double headline(const Site &S, const SiteTally &T) {
  switch (S.Memory) {
  case Space::Shared:
    return T.Wavefronts;
  case Space::Constant:
    return T.Words;
  default:
    return T.Sectors;
  }
}

std::string describeOrigin(uint16_t From) {
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

class LaunchEvaluator {
  const Program &Code;
  const LaunchPlan &Plan;
  const profile::RequestLaw &Law;
  uint64_t Budget, Spent = 0;
  unsigned Warps = 1;
  unsigned Threads = 32;
  std::vector<std::vector<uint32_t>> Predecessors; ///< by block
  /// The runs so far, and by block the first that reached it.
  struct Way {
    Sample Made;
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
    Tally Main = runSample(Sample::Likely, Seen, Budget / 2);
    std::vector<Tally> Others;
    if (dependsOnAssumptions(Main, Seen))
      // The same again with other numbers in place of what is not known.
      for (Sample Made : {Sample::Odd, Sample::Other}) {
        Others.push_back(runSample(Made, Seen, Budget / 8));
        Main.fillGaps(Others.back());
      }
    takeDetours(Main, Seen, Budget / 8);
    std::optional<Tally> Shifted;
    if (hangsOnAlignment(Main)) {
      Coverage Ignored(Code.Blocks.size());
      Shifted.emplace(
          runGrid(environment(Sample::Shifted), {}, Ignored, Budget / 8));
    }
    LaunchResult Result;
    Result.Steps = Spent;
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      Result.Sites.push_back(resultOf(N, Main, Others, Shifted, Seen));
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
    return Steps;
  }

  LoopLimits limitsFor(uint64_t Steps) const {
    LoopLimits Limits;
    Limits.Steps = std::max<uint64_t>(2000, Steps / Warps);
    return Limits;
  }

  /// Runs as many blocks as the budget allows, but at least one.
  Tally runGrid(const Environment &Where, const Decisions &Forced,
                Coverage &Seen, uint64_t Allowed, unsigned Most = MaxBlocks) {
    Tally Sum(Code, Law);
    WarpInterpreter Run(Code, Where, limitsFor(Allowed / 2), Forced, Seen, Sum);
    if (!Plan.Shape.Grid || !Code.UsesCtaid || Most == 1) {
      // Any block but the first will do: that one is special in most guards.
      runBlock(Run, Sum,
               Plan.Shape.Grid ? middleBlock(*Plan.Shape.Grid)
                               : launch::Dim3{5, 3, 2},
               1);
      return Sum;
    }
    const launch::Dim3 Middle = middleBlock(*Plan.Shape.Grid);
    const uint64_t Steps = std::max<uint64_t>(1, runBlock(Run, Sum, Middle, 1));
    const uint64_t More = Allowed > Steps ? (Allowed - Steps) / Steps : 0;
    const auto Blocks = sampleBlocks(
        *Plan.Shape.Grid, unsigned(std::min<uint64_t>(Most, 1 + More)));
    for (const SampledBlock &B : Blocks)
      if (B.Block == Middle)
        Sum.scale(B.Weight);
    for (const SampledBlock &B : Blocks)
      if (B.Block != Middle)
        runBlock(Run, Sum, B.Block, B.Weight);
    return Sum;
  }

  Environment environment(Sample Made) const {
    return Environment(Code, Plan.Shape, Plan.Arguments, Made);
  }

  Tally runSample(Sample Made, Coverage &Seen, uint64_t Allowed) {
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
      Sum.fillGaps(runGrid(environment(How.Made), How.Forced, Seen,
                           Allowed / MaxDetours, 1));
      remember(std::move(How), Before, Seen);
    }
  }

  /// True when an access through a pointer of unknown origin costs a little
  /// more than it should: perhaps only because it does not start where it is
  /// taken to start.
  bool hangsOnAlignment(const Tally &Sum) const {
    for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
      const Site &S = Code.Sites[N];
      const SiteTally &T = Sum.site(N);
      auto *Pointer = llvm::dyn_cast_or_null<llvm::Argument>(S.Object);
      if (S.Memory == Space::Global && Pointer &&
          Environment::isOriginUnknown(Plan.Arguments, Pointer->getArgNo()) &&
          T.Sectors > T.IdealSectors && T.Sectors < 2 * T.IdealSectors)
        return true;
    }
    return false;
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

  bool dependsOnAssumptions(const Tally &Sum, const Coverage &Seen) const {
    if (Seen.Assumed)
      return true;
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      if (Sum.site(N).AssumedAddress)
        return true;
    return false;
  }

  SiteResult resultOf(uint32_t N, const Tally &Main,
                      const std::vector<Tally> &Others,
                      const std::optional<Tally> &Shifted,
                      const Coverage &Seen) const {
    const Site &S = Code.Sites[N];
    const SiteTally &T = Main.site(N);
    SiteResult Result;
    if (T.Evaluated == 0)
      return Result;
    Result.Group = Main.siblings().groupOf(N);
    Result.Slides = Main.siblings().slides(N);
    if (!Seen.Truncated && T.Warps > 0)
      Result.Trips = uint64_t(std::llround(T.Requests / T.Warps));
    Cost C;
    C.Requests = T.Evaluated;
    C.Weight = T.Requests;
    C.ActiveLanes = T.Lanes / T.Requests;
    if (T.UnknownRequests > 0) {
      C.State = Proof::DataDependent;
      C.Reason = describeOrigin(T.UnknownFrom);
      if (T.UnknownRequests >= T.Requests) {
        Result.Value = C;
        return Result;
      }
    }
    const double Known = T.Requests - T.UnknownRequests;
    C.Sectors = T.Sectors / Known;
    C.IdealSectors = T.IdealSectors / Known;
    C.Wavefronts = T.Wavefronts / Known;
    C.IdealWavefronts = T.IdealWavefronts / Known;
    C.Words = T.Words / Known;
    if (const SiblingSums &Group = Main.siblings().of(N); Group.Requests > 0) {
      C.GroupSectors = Group.Sectors / Group.Requests;
      C.GroupIdealSectors = Group.IdealSectors / Group.Requests;
    } else {
      C.GroupSectors = C.Sectors;
      C.GroupIdealSectors = C.IdealSectors;
    }
    if (T.WorstCost > 0)
      C.Worst = T.Worst;
    if (S.LoopDepth > 0 && T.LeastCost < T.WorstCost) {
      C.Least = T.LeastCost;
      C.Most = T.WorstCost;
    }
    if (C.State != Proof::DataDependent)
      bound(S, N, T, Others, C);
    if (Shifted && C.State != Proof::DataDependent)
      favourAlignment(S, Shifted->site(N), C);
    Result.Value = C;
    return Result;
  }

  /// A pointer of unknown origin gets the benefit of the doubt: what another
  /// start would save is not called waste.
  void favourAlignment(const Site &S, const SiteTally &Shifted, Cost &C) const {
    if (S.Memory != Space::Global || Shifted.Evaluated == 0 ||
        Shifted.UnknownRequests > 0)
      return;
    const double Mean = Shifted.Sectors / Shifted.Requests;
    if (Mean >= C.Sectors * (1 - Tolerance))
      return;
    C.State = Proof::Bounded;
    C.Reason = "depends on where in its allocation the pointer argument starts";
    C.Low = std::min(C.Low.value_or(Mean), Mean);
    C.High = std::max(C.High.value_or(C.Sectors), C.Sectors);
    C.GroupSectors = std::min(C.GroupSectors, Mean);
    C.Sectors = Mean;
  }

  void bound(const Site &S, uint32_t N, const SiteTally &T,
             const std::vector<Tally> &Others, Cost &C) const {
    const double Mean = headline(S, T) / T.Requests;
    double Low = Mean, High = Mean, Worst = T.WorstCost;
    for (const Tally &Other : Others) {
      const SiteTally &O = Other.site(N);
      if (O.Evaluated == 0 || O.UnknownRequests > 0)
        continue;
      Low = std::min(Low, headline(S, O) / O.Requests);
      High = std::max(High, headline(S, O) / O.Requests);
      Worst = std::max(Worst, double(O.WorstCost));
    }
    const bool Varies =
        High - Low > Tolerance * High ||
        (T.Filled && T.AssumedAddress && T.LeastCost < T.WorstCost);
    const bool Speculative = T.SpeculativeRequests > 0;
    if (!Varies && !Speculative) {
      C.State = Proof::Exact;
      return;
    }
    C.State = Proof::Bounded;
    C.Reason = Speculative ? "which lanes take part depends on values loaded "
                             "from memory"
                           : "depends on values that are not known here, such "
                             "as a pitch or an offset";
    if (Speculative)
      Low = std::min(Low, T.CertainCost / T.Requests);
    C.Low = C.Least ? std::min(Low, *C.Least) : Low;
    // Means over made-up numbers do not bound a mean over the real ones; the
    // costliest request does.
    C.High = std::max(High, Worst);
    // Whether an offset from memory is aligned is anybody's guess: between "no
    // waste" and "some waste" there is no likely value to name.
    if (S.Memory == Space::Global &&
        (T.Filled || (T.LoadedByAll && *C.Low <= C.IdealSectors)))
      C.Sectors = 0;
  }
};

} // namespace

LaunchResult evaluateLaunch(const Program &Code, const LaunchPlan &Plan,
                            const profile::RequestLaw &Law, uint64_t Budget) {
  return LaunchEvaluator(Code, Plan, Law, Budget).evaluate();
}

} // namespace warpwise::access
