//===- Evaluator.cpp - From a program to costs per launch -----------------===//

#include "analyzer/access/Evaluator.h"

#include "analyzer/access/BlockSampling.h"
#include "analyzer/access/Tally.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace warpwise::access {
namespace {

/// Ways around undecided branches that are tried to reach every access.
constexpr unsigned MaxDetours = 12;
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
  if (From & OriginFloat)
    return "the address is computed in floating point";
  return "the address is not known";
}

class LaunchEvaluator {
  const Program &Code;
  const LaunchPlan &Plan;
  uint64_t Budget, Spent = 0;
  unsigned Warps = 1;
  unsigned Threads = 32;

public:
  LaunchEvaluator(const Program &Code, const LaunchPlan &Plan, uint64_t Budget)
      : Code(Code), Plan(Plan), Budget(Budget) {
    const launch::Dim3 &B = Plan.Shape.Block;
    Threads = B[0] * B[1] * B[2];
    Warps = (Threads + WarpLanes - 1) / WarpLanes;
  }

  LaunchResult evaluate() {
    Coverage Seen(Code.Blocks.size());
    const Tally Main = runSample(Sample::Likely, Seen, Budget / 2);
    std::vector<Tally> Others;
    if (dependsOnAssumptions(Main, Seen))
      // The same again with other numbers in place of what is not known.
      for (Sample Made : {Sample::Odd, Sample::Other}) {
        Coverage SeenToo(Code.Blocks.size());
        Others.push_back(runSample(Made, SeenToo, Budget / 6));
      }
    LaunchResult Result;
    Result.Steps = Spent;
    for (uint32_t N = 0; N != Code.Sites.size(); ++N)
      Result.Sites.push_back(resultOf(N, Main, Others, Seen));
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
    Tally Sum(Code);
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
    const auto Blocks =
        sampleBlocks(*Plan.Shape.Grid,
                     unsigned(std::min<uint64_t>(Most, 1 + More)));
    for (const SampledBlock &B : Blocks)
      if (B.Block == Middle)
        Sum.scale(B.Weight);
    for (const SampledBlock &B : Blocks)
      if (B.Block != Middle)
        runBlock(Run, Sum, B.Block, B.Weight);
    return Sum;
  }

  Tally runSample(Sample Made, Coverage &Seen, uint64_t Allowed) {
    const Environment Where(Code, Plan.Shape, Plan.Arguments, Made);
    Tally Sum = runGrid(Where, {}, Seen, Allowed);
    // Accesses that no warp has reached, but would if a branch that nobody can
    // decide went the other way.
    Decisions Forced;
    for (unsigned N = 0; N != MaxDetours; ++N) {
      const std::optional<std::pair<uint32_t, uint32_t>> Detour =
          nextDetour(Seen, Forced);
      if (!Detour)
        break;
      Forced[Detour->first] = Detour->second;
      const Decisions One{*Detour};
      Sum.fillGaps(runGrid(Where, One, Seen, Allowed / MaxDetours, 1));
    }
    return Sum;
  }

  /// A branch that runs have taken without knowing why, and the target from
  /// which a site that was not reached can be.
  std::optional<std::pair<uint32_t, uint32_t>>
  nextDetour(const Coverage &Seen, const Decisions &Tried) const {
    std::vector<uint8_t> Wanted(Code.Blocks.size());
    std::deque<uint32_t> Pending;
    for (const Site &S : Code.Sites)
      if (!Seen.Visited[S.Block] && !Wanted[S.Block]) {
        Wanted[S.Block] = 1;
        Pending.push_back(S.Block);
      }
    if (Pending.empty())
      return std::nullopt;
    // Backwards from what is missing, as far as nothing has run.
    std::vector<std::vector<uint32_t>> Predecessors(Code.Blocks.size());
    for (uint32_t N = 0; N != Code.Blocks.size(); ++N)
      for (uint32_t To : Code.Blocks[N].Targets)
        Predecessors[To].push_back(N);
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
        for (uint32_t T = 0; T != Targets.size(); ++T) {
          auto Before = Tried.find(From);
          if (Targets[T] == At &&
              (Before == Tried.end() || Before->second != T))
            return std::pair(From, T);
        }
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
                      const Coverage &Seen) const {
    const Site &S = Code.Sites[N];
    const SiteTally &T = Main.site(N);
    SiteResult Result;
    if (T.Evaluated == 0)
      return Result;
    Result.Group = Main.groupOf(N);
    if (!Seen.Truncated && T.Warps > 0)
      Result.Trips = uint64_t(std::llround(T.Requests / T.Warps));
    Cost C;
    C.Requests = T.Evaluated;
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
    if (T.GroupRequests > 0) {
      C.GroupSectors = T.GroupSectors / T.GroupRequests;
      C.GroupIdealSectors = T.GroupIdealSectors / T.GroupRequests;
    } else {
      C.GroupSectors = C.Sectors;
      C.GroupIdealSectors = C.IdealSectors;
    }
    if (T.WorstCost > 0)
      C.Worst = T.Worst;
    if (C.State != Proof::DataDependent)
      bound(S, N, T, Others, C);
    Result.Value = C;
    return Result;
  }

  void bound(const Site &S, uint32_t N, const SiteTally &T,
             const std::vector<Tally> &Others, Cost &C) const {
    const double Mean = headline(S, T) / T.Requests;
    double Low = Mean, High = Mean;
    for (const Tally &Other : Others) {
      const SiteTally &O = Other.site(N);
      if (O.Evaluated == 0 || O.UnknownRequests > 0)
        continue;
      Low = std::min(Low, headline(S, O) / O.Requests);
      High = std::max(High, headline(S, O) / O.Requests);
    }
    const bool Varies = High - Low > Tolerance * High;
    if (Varies)
      C.Reason = "depends on values that are not known here, such as a pitch "
                 "or an offset";
    if (T.SpeculativeRequests > 0) {
      Low = std::min(Low, T.CertainCost / T.Requests);
      C.Reason = "which lanes take part depends on values loaded from memory";
    }
    if (!Varies && T.SpeculativeRequests == 0) {
      C.State = Proof::Exact;
      return;
    }
    C.State = Proof::Bounded;
    C.Low = Low;
    C.High = High;
  }
};

} // namespace

LaunchResult evaluateLaunch(const Program &Code, const LaunchPlan &Plan,
                            uint64_t Budget) {
  return LaunchEvaluator(Code, Plan, Budget).evaluate();
}

} // namespace warpwise::access
