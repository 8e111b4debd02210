//===- BlockPlacement.cu - Which block runs on which SM -------------------===//
//
// A cache model needs to know which blocks share an L1. Every block of a few
// grids notes its %smid and when it began and ended; none ends before the first
// wave is placed, and each stays for a time of its own, so that later blocks
// show whether they go where room came free first.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/PerSm.cuh"
#include "profiler/inference/BlockPlacement.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <map>

namespace warpwise::harness {
namespace {

using inference::BlockVisit;

/// Blocks stay for once to twice this long.
constexpr uint32_t StayCycles = 24000;

/// A block stays for up to \p Spread cycles longer, by its number.
__global__ void visit(BlockVisit *Visits, uint32_t Spread) {
  BlockVisit V;
  // Before anything else: to ask for the number of a thread or a block takes a
  // hundred cycles, which are the block's own.
  V.BeginClock = clock64Now();
  if (threadIdx.x != 0)
    return;
  const uint32_t Block = blockIdx.y * gridDim.x + blockIdx.x;
  V.Begin = globalNanoseconds();
  V.Sm = smId();
  const uint64_t Stay = StayCycles + (Block * 2654435761u >> 8) % Spread;
  while (clock64Now() - V.BeginClock < Stay)
    ;
  V.End = globalNanoseconds();
  V.EndClock = clock64Now();
  Visits[Block] = V;
}

/// A launch: the grid, the block, how many blocks fit on an SM.
struct GridShape {
  dim3 Grid;
  unsigned Threads = 128;
  unsigned PerSm = 1;
  unsigned blocks() const { return Grid.x * Grid.y; }
};

/// Dynamic shared memory that lets exactly \p PerSm blocks share an SM.
size_t sharedFor(const Device &D, unsigned PerSm) {
  if (PerSm == 1)
    return sharedOfHalfSm(D);
  return (D.SharedBytesPerSm / PerSm - D.ReservedSharedBytesPerBlock) / 1024 *
         1024;
}

bool fits(const Device &D, const GridShape &S) {
  int PerSm = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&PerSm, visit, S.Threads,
                                                      sharedFor(D, S.PerSm)));
  return PerSm == int(S.PerSm);
}

std::vector<BlockVisit> launch(const Device &D, const GridShape &S,
                               uint32_t Spread = StayCycles) {
  Buffer<BlockVisit> Visits(S.blocks());
  Visits.zero();
  visit<<<S.Grid, S.Threads, sharedFor(D, S.PerSm)>>>(Visits.get(), Spread);
  finish();
  std::vector<BlockVisit> All = Visits.download();
  for (const BlockVisit &V : All)
    if (V.Sm >= D.SmCount || V.End < V.Begin)
      throw Skip("the numbers of the SMs have gaps");
  return All;
}

void recordOrder(Session &S, const std::vector<unsigned> &Sms) {
  S.exact(paths::topology_placement_blocks_per_sm_first, "1",
          inference::blocksPerTurn(Sms),
          "consecutive blocks that go to one SM before the next gets one, mean "
          "over the first wave of the fullest occupancy");
  S.exact(paths::topology_placement_neighbour_distance, "1",
          inference::neighbourDistance(Sms, S.device().SmCount),
          "blocks between those of SMs 2k and 2k + 1, median over the first "
          "wave");
  const std::vector<unsigned> Gpc = gpcOfSms(S);
  if (Gpc.size() != S.device().SmCount) {
    S.notMeasurable(paths::topology_placement_changes_gpc, "1",
                    "the GPCs of the SMs are not known");
    return;
  }
  S.exact(paths::topology_placement_changes_gpc, "1",
          inference::gpcChanges(Sms, Gpc),
          "share of consecutive blocks of the first wave that lie in different "
          "GPCs",
          unsigned(Sms.size()));
}

void recordLater(Session &S, const inference::LaterWaves &L) {
  if (L.Blocks == 0)
    throw Skip("no grid had blocks after the first wave");
  S.exact(paths::topology_placement_later_to_first_free, "1",
          double(L.ToFirstFree) / L.Blocks,
          "share of blocks after the first wave, one per SM, that run where "
          "the n-th block to end had run, n counted in the order of blocks",
          L.Blocks);
  S.exact(paths::topology_placement_later_periodic, "1",
          double(L.Periodic) / L.Blocks,
          "share of blocks after the first wave that run where the block one "
          "wave of blocks earlier ran",
          L.Blocks);
  S.measured(paths::topology_placement_refill, "clk",
             inference::estimate(L.Refill),
             "from the end of a block to the beginning of the next on its SM, "
             "one block per SM, by the SM's clock");
}

/// With room for eight blocks per SM, which all stay equally long.
void recordRounds(Session &S) {
  const GridShape Full = {{32, 128}, 128, 8};
  constexpr unsigned Repeats = 3;
  inference::PlacementRounds R;
  if (fits(S.device(), Full))
    for (unsigned I = 0; I != Repeats; ++I)
      inference::addRounds(launch(S.device(), Full, 1), Full.PerSm, R);
  if (R.First.empty() || R.Later.empty()) {
    for (profile::EntryPath Path : {paths::topology_placement_first_round,
                                    paths::topology_placement_later_round})
      S.notMeasurable(Path, "clk", "eight blocks do not fit on an SM");
    return;
  }
  S.measured(paths::topology_placement_first_round, "clk",
             inference::estimate(R.First),
             "between the beginnings of an SM's blocks in the first wave, room "
             "for 8 per SM");
  S.measured(paths::topology_placement_later_round, "clk",
             inference::estimate(R.Later),
             fmt::format("the same after blocks that ended together; {} of {} "
                         "pairs have consecutive numbers",
                         R.Successors, R.Later.size()));
}

void run(Session &S) {
  const Device &D = S.device();
  allowHalfSm(visit, D);
  constexpr unsigned Repeats = 5;
  const dim3 Grids[] = {{12, 48}, {16, 64}, {8, 32}, {32, 128}};
  std::vector<GridShape> Shapes;
  for (unsigned PerSm : {1, 2, 4, 8})
    for (const dim3 &Grid : Grids)
      Shapes.push_back({Grid, 128, PerSm});
  for (unsigned Threads : {32, 1024})
    Shapes.push_back({Grids[3], Threads, 1});

  double Repeated = 1, AcrossShapes = 1;
  std::vector<double> SameSteps;
  std::map<unsigned, std::vector<unsigned>> Longest; // by blocks per SM
  inference::LaterWaves Later;
  unsigned Compared = 0;
  for (const GridShape &Each : Shapes) {
    if (!fits(D, Each))
      continue;
    // The first launch with another carve-out finds SMs that are still being
    // rearranged.
    launch(D, Each);
    std::vector<unsigned> First;
    for (unsigned R = 0; R != Repeats; ++R) {
      const std::vector<BlockVisit> Visits = launch(D, Each);
      const std::vector<unsigned> Wave = inference::firstWave(Visits);
      if (R == 0)
        First = Wave;
      Repeated = std::min(Repeated, inference::agreement(First, Wave));
      if (R != 0)
        SameSteps.push_back(inference::sameSteps(First, Wave));
      ++Compared;
      if (Each.PerSm == 1)
        Later.add(inference::laterWaves(
            Visits, Wave.size(),
            S.value(paths::device_timer_tick).value_or(32)));
    }
    std::vector<unsigned> &Known = Longest[Each.PerSm];
    if (!Known.empty())
      AcrossShapes = std::min(AcrossShapes, inference::agreement(Known, First));
    if (First.size() > Known.size())
      Known = First;
  }
  if (Longest.empty())
    throw Skip("shared memory does not limit the blocks of an SM here");

  for (const auto &[PerSm, Sms] : Longest) {
    std::vector<std::array<double, 2>> Points;
    for (size_t I = 0; I != Sms.size(); ++I)
      Points.push_back({double(I), double(Sms[I])});
    S.curve(paths::firstWave(PerSm), "block", "SM [%smid]", Points,
            fmt::format("%smid of every block that began before the first "
                        "ended, room for {} per SM",
                        PerSm));
  }
  const std::vector<unsigned> &Fullest = Longest.rbegin()->second;
  const std::string Evidence =
      fmt::format("%smid of the first wave in {} launches of grids 12x48 to "
                  "32x128 with room for 1 to {} blocks per SM: ",
                  Compared, Longest.rbegin()->first);
  const double Order = inference::median(SameSteps);
  S.exact(paths::topology_placement_same_steps, "1", Order,
          Evidence + "share of steps from one block's SM to the next block's "
                     "that are the same in a repeated launch, median",
          Compared);
  S.word(paths::topology_placement_deterministic,
         std::string(inference::repeatability(Repeated, Order)),
         Evidence + fmt::format("at least {:.1f} % of a launch's blocks go "
                                "where they went in the first",
                                100 * Repeated));
  S.word(paths::topology_placement_depends_on_shape,
         AcrossShapes == 1 ? "no" : "yes",
         Evidence + fmt::format("at least {:.1f} % of the blocks go to the "
                                "same SM in any grid and block size",
                                100 * AcrossShapes));
  S.word(paths::topology_placement_rule,
         inference::placementRule(Fullest, D.SmCount),
         Evidence + "each run of as many blocks as SMs compared with the "
                    "first run");
  recordOrder(S, Fullest);
  recordLater(S, Later);
  recordRounds(S);
}

const Registration Registered({
    .Name = "block-placement",
    .Measures = "which block runs on which SM, first wave and later",
    .When = Stage::Geometry,
    .Provides = {{paths::topology_placement_deterministic, "name"},
                 {paths::topology_placement_depends_on_shape, "name"},
                 {paths::topology_placement_rule, "name"},
                 {paths::topology_placement_blocks_per_sm_first, "1"},
                 {paths::topology_placement_neighbour_distance, "1"},
                 {paths::topology_placement_changes_gpc, "1"},
                 {paths::topology_placement_later_to_first_free, "1"},
                 {paths::topology_placement_later_periodic, "1"},
                 {paths::topology_placement_refill, "clk"},
                 {paths::topology_placement_first_round, "clk"},
                 {paths::topology_placement_later_round, "clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
