//===- GridRuns.cpp - Which blocks of a launch are run --------------------===//

#include "analyzer/evaluate/GridRuns.h"

#include "analyzer/evaluate/BlockSampling.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>

namespace warpwise::access {
namespace {

/// Blocks of the grid that are run at most.
constexpr unsigned MaxBlocks = 64;
/// Below that a sample of a grid is little more than its ends and its middle.
constexpr unsigned FewestSpread = 5;
/// Blocks that are tried before one believes that none of a part of the grid
/// has anything to do.
constexpr unsigned MostProbed = 256;
/// Blocks of which a warp is run to see which do something.
constexpr unsigned MostTried = 16;
/// Blocks that stand for those of a kind, if they reach different code.
constexpr size_t MostOfKind = 4;
/// Blocks that have to do the same before they stand for their neighbours.
constexpr size_t FewestWitnesses = 3;
/// If as many blocks lie between the ends of a grid, those at the ends may be
/// left out.
constexpr double MostlyBetween = 0.9;

double sizeOf(const launch::Dim3 &Grid) {
  return double(Grid[0]) * Grid[1] * Grid[2];
}

launch::Dim3 lastBlock(const launch::Dim3 &Grid) {
  return {Grid[0] - 1, Grid[1] - 1, Grid[2] - 1};
}

/// Whether a warp asks for anything.
class AnyRequest : public RequestSink {
public:
  bool IsThere = false;
  void request(uint32_t, const LaneValue &, uint32_t, uint32_t) override {
    IsThere = true;
  }
};

} // namespace

GridRuns::GridRuns(const Program &Code, const LaunchPlan &Plan,
                   const profile::RequestLaw &Law)
    : Code(Code), Plan(Plan), Law(Law) {
  const launch::Dim3 &B = Plan.Shape.Block;
  Threads = B[0] * B[1] * B[2];
  assert(Threads != 0 && "a block without threads");
  Warps = (Threads + WarpLanes - 1) / WarpLanes;
  if (Plan.Shape.Grid)
    Working = workingPart(*Plan.Shape.Grid);
  else if (Code.asksForBlock())
    Busiest = Usual = blockWithWork();
}

double GridRuns::blocks() const { return sizeOf(*Plan.Shape.Grid); }

uint32_t GridRuns::lanesOf(unsigned Warp) const {
  const unsigned Left = Threads - Warp * WarpLanes;
  return Left >= WarpLanes ? ~0u : (1u << Left) - 1;
}

LoopLimits GridRuns::limitsFor(uint64_t Steps) const {
  LoopLimits Limits;
  Limits.Steps = std::max<uint64_t>(2000, Steps / Warps);
  return Limits;
}

uint64_t GridRuns::runBlock(WarpInterpreter &Run, Tally &Into,
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
  // The first to be run lies in the middle of the grid, and others may do a
  // bit more for a reason that makes them special.
  constexpr double MuchMore = 1.25;
  if (double(Steps) > MuchMore * double(UsualSteps)) {
    Usual = Block;
    UsualSteps = Steps;
  }
  return Steps;
}

Tally GridRuns::forGrid(Tally One) const {
  if (Plan.Shape.Grid)
    One.scale(blocks());
  return One;
}

Tally GridRuns::runOne(const Environment &Where, const Decisions &Forced,
                       Coverage &Seen, const LoopLimits &Limits,
                       const launch::Dim3 &Block, uint64_t &Steps) {
  Tally Sum(Code, Law);
  WarpInterpreter Run(Code, Where, Limits, Forced, Seen, Sum);
  Steps = runBlock(Run, Sum, Block, 1);
  return Sum;
}

launch::Dim3 GridRuns::workingPart(const launch::Dim3 &Grid) {
  const Environment Where = environment(MadeUp::Likely);
  if (!Code.asksForBlock() || sizeOf(Grid) <= MaxBlocks ||
      !isIdle(Where, lastBlock(Grid)) || isIdle(Where, {0, 0, 0}))
    return Grid;
  launch::Dim3 Part = Grid;
  for (unsigned Axis = 0; Axis != 3; ++Axis) {
    uint32_t Works = 0, Idles = Grid[Axis] - 1;
    const auto idlesAt = [&](uint32_t Position) {
      launch::Dim3 Block = {0, 0, 0};
      Block[Axis] = Position;
      return isIdle(Where, Block);
    };
    if (!idlesAt(Idles))
      continue;
    while (Idles - Works > 1) {
      const uint32_t Middle = Works + (Idles - Works) / 2;
      (idlesAt(Middle) ? Idles : Works) = Middle;
    }
    Part[Axis] = Idles;
  }
  // Every other block may idle, or each row have an end of its own.
  for (const SampledBlock &B : sampleBlocks(Grid, MostProbed)) {
    const bool IsWithin =
        B.Block[0] < Part[0] && B.Block[1] < Part[1] && B.Block[2] < Part[2];
    if (!IsWithin && !isIdle(Where, B.Block))
      return Grid;
  }
  return Part;
}

launch::Dim3 GridRuns::blockWithWork() {
  const Environment Where = environment(MadeUp::Likely);
  for (const launch::Dim3 &Block :
       {Busiest, launch::Dim3{3, 5, 2}, launch::Dim3{2, 3, 5}}) {
    Coverage Ignored(Code.Blocks.size());
    if (asksForSomething(Where, Block, Ignored))
      return Block;
  }
  return Busiest;
}

bool GridRuns::asksForSomething(const Environment &Where,
                                const launch::Dim3 &Block, Coverage &Seen) {
  AnyRequest Some;
  const Decisions Free;
  WarpInterpreter Run(Code, Where, limitsFor(0), Free, Seen, Some);
  for (unsigned W = 0; W != Warps && !Some.IsThere; ++W)
    Spent += Run.run(Block, W, lanesOf(W));
  return Some.IsThere;
}

bool GridRuns::isIdle(const Environment &Where, const launch::Dim3 &Block) {
  Coverage Seen(Code.Blocks.size());
  return !asksForSomething(Where, Block, Seen) && !Seen.Assumed &&
         !Seen.Truncated &&
         llvm::all_of(Seen.Undecided, [](uint8_t U) { return U == 0; });
}

Tally GridRuns::run(const Environment &Where, const Decisions &Forced,
                    Coverage &Seen, uint64_t Allowed) {
  if (!Plan.Shape.Grid || !Code.asksForBlock())
    return runBusiest(Where, Forced, Seen, limitsFor(Allowed / 2));
  Tally Sum = runWorking(Where, Forced, Seen, Allowed);
  if (const launch::Dim3 &Grid = *Plan.Shape.Grid; Grid != Working) {
    WarpInterpreter Run(Code, Where, limitsFor(0), Forced, Seen, Sum);
    runBlock(Run, Sum, lastBlock(Grid), blocks() - sizeOf(Working));
    LeftOut = true;
  }
  return Sum;
}

Tally GridRuns::runBusiest(const Environment &Where, const Decisions &Forced,
                           Coverage &Seen, const LoopLimits &Limits) {
  LeftOut |= Code.asksForBlock();
  uint64_t Steps = 0;
  return forGrid(runOne(Where, Forced, Seen, Limits, Busiest, Steps));
}

Tally GridRuns::runWorking(const Environment &Where, const Decisions &Forced,
                           Coverage &Seen, uint64_t Allowed) {
  uint64_t Steps = 0;
  const launch::Dim3 &Grid = Working;
  const launch::Dim3 Middle = middleBlock(Grid);
  Tally First =
      runOne(Where, Forced, Seen, limitsFor(Allowed / 2), Middle, Steps);
  uint64_t PerBlock = std::max<uint64_t>(1, Steps);
  if (coverWithWitnesses(First, Where, Forced, Seen, Allowed, PerBlock)) {
    LeftOut = true;
    return First;
  }
  for (uint64_t Most = MaxBlocks;;) {
    Most = std::clamp<uint64_t>(Allowed / PerBlock, 1, Most);
    if (Most < FewestSpread)
      return runKinds(Where, Forced, Seen, Allowed);
    const auto Blocks = sampleBlocks(Grid, unsigned(Most));
    LeftOut |= double(Blocks.size()) != sizeOf(Grid);
    Tally Sum = First;
    uint64_t Taken = Steps, Done = 1;
    WarpInterpreter Run(Code, Where, limitsFor(Allowed / 2), Forced, Seen, Sum);
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

Tally GridRuns::runKinds(const Environment &Where, const Decisions &Forced,
                         Coverage &Seen, uint64_t Allowed) {
  struct Kind {
    double Weight = 0;
    std::vector<launch::Dim3> Blocks;
    std::vector<std::vector<uint8_t>> Visited; ///< by each of them
  };
  const launch::Dim3 Middle = middleBlock(Working);
  const LoopLimits Few = limitsFor(0);
  std::map<int, Kind> Kinds; // by the order of their steps
  for (const SampledBlock &B : sampleBlocks(Working, MostTried)) {
    Tally Ignored(Code, Law);
    Coverage Unseen(Code.Blocks.size());
    WarpInterpreter Run(Code, Where, Few, Forced, Unseen, Ignored);
    Ignored.startWarp(0, 1);
    const uint64_t Steps = Run.run(B.Block, 0, lanesOf(0));
    Spent += Steps;
    Kind &Its = Kinds[std::bit_width(std::min(Steps, Few.Steps))];
    Its.Weight += B.Weight;
    Its.Blocks.push_back(B.Block);
    Its.Visited.push_back(std::move(Unseen.Visited));
  }
  std::vector<SampledBlock> Chosen;
  size_t ForCode = 0;
  for (const auto &[Order, Its] : Kinds) {
    const auto Found = llvm::find(Its.Blocks, Middle);
    const size_t First = Found != Its.Blocks.end()
                             ? size_t(Found - Its.Blocks.begin())
                             : Its.Blocks.size() / 2;
    std::vector<size_t> Stand = {First};
    std::vector<uint8_t> Visited = Its.Visited[First];
    for (size_t N = 0; N != Its.Blocks.size() && Stand.size() < MostOfKind;
         ++N) {
      bool IsNew = false;
      for (size_t B = 0; B != Visited.size(); ++B)
        if (Its.Visited[N][B] && !Visited[B])
          IsNew = Visited[B] = true;
      if (IsNew)
        Stand.push_back(N);
    }
    ForCode += Stand.size();
    // The amount of work may differ along the grid.
    for (const size_t N : {Its.Blocks.size() / 6, Its.Blocks.size() * 5 / 6})
      if (!llvm::is_contained(Stand, N))
        Stand.push_back(N);
    for (const size_t N : Stand)
      Chosen.push_back({Its.Blocks[N], Its.Weight / double(Stand.size())});
  }
  Tally Sum(Code, Law);
  WarpInterpreter Run(Code, Where,
                      limitsFor(Allowed / 2 * Kinds.size() / ForCode), Forced,
                      Seen, Sum);
  for (const SampledBlock &B : Chosen)
    runBlock(Run, Sum, B.Block, B.Weight);
  LeftOut |= Working != launch::Dim3{1, 1, 1};
  return Sum;
}

bool GridRuns::coverWithWitnesses(Tally &First, const Environment &Where,
                                  const Decisions &Forced, Coverage &Seen,
                                  uint64_t Allowed, uint64_t PerBlock) {
  const double All = sizeOf(Working);
  const std::vector<GridPart> Parts = partsOf(Working);
  const GridPart &Largest = Parts.front();
  const uint64_t Affordable = Allowed / 8 / PerBlock;
  const size_t Count =
      std::min(Largest.Witnesses.size(),
               std::max<size_t>(FewestWitnesses, size_t(Affordable)));
  const bool EndsCount = Largest.Count < MostlyBetween * All;
  const bool RunsEnds =
      Parts.size() - 1 <= (EndsCount ? Allowed / PerBlock : Affordable);
  const uint64_t Sampled =
      std::min<uint64_t>(sampleBlocks(Working, MaxBlocks).size(),
                         std::max<uint64_t>(1, Allowed / PerBlock));
  // Where ends count, a sample as large would hardly know them as well.
  const uint64_t Taken = Count + (RunsEnds ? Parts.size() - 1 : 0);
  if (Largest.Witnesses.size() < FewestWitnesses || (EndsCount && !RunsEnds) ||
      Taken > (EndsCount ? 2 * Sampled : Sampled / 2))
    return false;
  assert(Largest.Witnesses[0] == middleBlock(Working));
  const std::vector<double> Expected = First.sums();
  const LoopLimits Limits = limitsFor(Allowed / 2);
  for (size_t N = 1; N != Count; ++N) {
    uint64_t Steps = 0;
    if (runOne(Where, Forced, Seen, Limits, Largest.Witnesses[N], Steps)
            .sums() != Expected)
      return false;
  }
  First.scale(RunsEnds ? Largest.Count : All);
  if (!RunsEnds)
    return true;
  WarpInterpreter Run(Code, Where, Limits, Forced, Seen, First);
  for (size_t N = 1; N != Parts.size(); ++N)
    runBlock(Run, First, Parts[N].Witnesses[0], Parts[N].Count);
  return true;
}

Tally GridRuns::runAll(const Environment &Where, Coverage &Seen,
                       uint64_t Allowed) {
  const Decisions Free;
  Tally Sum(Code, Law);
  WarpInterpreter Run(Code, Where, limitsFor(Allowed), Free, Seen, Sum);
  const launch::Dim3 &Grid = *Plan.Shape.Grid;
  for (uint32_t Z = 0; Z != Grid[2]; ++Z)
    for (uint32_t Y = 0; Y != Grid[1]; ++Y)
      for (uint32_t X = 0; X != Grid[0]; ++X)
        runBlock(Run, Sum, {X, Y, Z}, 1);
  LeftOut = false;
  return Sum;
}

launch::Dim3 GridRuns::typicalBlock() const {
  launch::Dim3 Block = Usual;
  if (Plan.Shape.Grid && Block == middleBlock(Working))
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      if (Block[Axis] % 2 == 0 && Block[Axis] + 2 < Working[Axis])
        ++Block[Axis];
  return Block;
}

} // namespace warpwise::access
