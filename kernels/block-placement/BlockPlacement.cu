//===- BlockPlacement.cu - Which block runs on which SM -------------------===//
//
// A cache model needs to know which blocks share an L1. Every block of a few
// grids notes its %smid and when it began and ended; none ends before the first
// wave is placed, and each stays for a time of its own, so that later blocks
// show whether they go where room came free first.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/sm-topology/PerSm.cuh"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <set>

namespace warpwise::harness {
namespace {

struct Visit {
  uint64_t Begin = 0, End = 0;           ///< of the global timer
  uint64_t BeginClock = 0, EndClock = 0; ///< of the SM
  uint32_t Sm = 0;
};

/// Blocks stay for once to twice this long.
constexpr uint32_t StayCycles = 24000;

/// A block stays for up to \p Spread cycles longer, by its number.
__global__ void visit(Visit *Visits, uint32_t Spread) {
  if (threadIdx.x != 0)
    return;
  const uint32_t Block = blockIdx.y * gridDim.x + blockIdx.x;
  Visit V;
  V.Begin = globalNanoseconds();
  V.Sm = smId();
  V.BeginClock = clock64Now();
  const uint64_t Stay = StayCycles + (Block * 2654435761u >> 8) % Spread;
  while (clock64Now() - V.BeginClock < Stay)
    ;
  V.End = globalNanoseconds();
  V.EndClock = clock64Now();
  Visits[Block] = V;
}

/// A launch: the grid, the block, how many blocks fit on an SM.
struct Shape {
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

bool fits(const Device &D, const Shape &S) {
  int PerSm = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&PerSm, visit, S.Threads,
                                                      sharedFor(D, S.PerSm)));
  return PerSm == int(S.PerSm);
}

std::vector<Visit> launch(const Device &D, const Shape &S,
                          uint32_t Spread = StayCycles) {
  Buffer<Visit> Visits(S.blocks());
  Visits.zero();
  visit<<<S.Grid, S.Threads, sharedFor(D, S.PerSm)>>>(Visits.get(), Spread);
  finish();
  std::vector<Visit> All = Visits.download();
  for (const Visit &V : All)
    if (V.Sm >= D.SmCount || V.End < V.Begin)
      throw Skip("the numbers of the SMs have gaps");
  return All;
}

/// SM of each block of the first wave: those that began before any ended.
std::vector<unsigned> firstWave(const std::vector<Visit> &Visits) {
  uint64_t FirstEnd = ~0ull;
  for (const Visit &V : Visits)
    FirstEnd = std::min(FirstEnd, V.End);
  std::vector<unsigned> Sms;
  for (const Visit &V : Visits) {
    if (V.Begin >= FirstEnd)
      break;
    Sms.push_back(V.Sm);
  }
  return Sms;
}

/// Share of positions, of those that both have, with the same SM.
double agreement(const std::vector<unsigned> &A,
                 const std::vector<unsigned> &B) {
  const size_t Count = std::min(A.size(), B.size());
  size_t Same = 0;
  for (size_t I = 0; I != Count; ++I)
    Same += A[I] == B[I];
  return Count == 0 ? 0 : double(Same) / Count;
}

/// Share of the steps from one block's SM to the next block's that the other
/// launch makes as well: 1 when the order is the same from another start.
double sameSteps(const std::vector<unsigned> &A,
                 const std::vector<unsigned> &B) {
  std::multiset<std::pair<unsigned, unsigned>> Steps;
  for (size_t I = 0; I + 1 < A.size(); ++I)
    Steps.emplace(A[I], A[I + 1]);
  size_t Same = 0;
  for (size_t I = 0; I + 1 < B.size(); ++I)
    if (auto At = Steps.find({B[I], B[I + 1]}); At != Steps.end()) {
      Steps.erase(At);
      ++Same;
    }
  return B.size() < 2 ? 0 : double(Same) / double(B.size() - 1);
}

/// How the blocks after the first wave found their SM.
struct LaterWaves {
  unsigned Blocks = 0;
  unsigned ToFirstFree = 0;   ///< on the SM whose block ended next
  unsigned Periodic = 0;      ///< on the SM of the block one wave earlier
  std::vector<double> Refill; ///< from an end to the next begin there, clk
};

/// With one block per SM. Times within \p Tick are the same.
LaterWaves laterWaves(const std::vector<Visit> &Visits, size_t Wave,
                      double Tick) {
  LaterWaves L;
  std::vector<uint64_t> Ends;
  std::map<unsigned, const Visit *> LastOn; // by SM
  for (const Visit &V : Visits)
    Ends.push_back(V.End);
  std::sort(Ends.begin(), Ends.end());
  for (size_t I = 0; I != Visits.size(); ++I) {
    const Visit &V = Visits[I];
    if (I >= Wave) {
      const Visit *Before = LastOn[V.Sm];
      if (!Before)
        continue;
      ++L.Blocks;
      L.ToFirstFree +=
          std::abs(double(Before->End) - double(Ends[I - Wave])) <= Tick;
      L.Periodic += Visits[I - Wave].Sm == V.Sm;
      L.Refill.push_back(double(V.BeginClock) - double(Before->EndClock));
    }
    LastOn[V.Sm] = &V;
  }
  return L;
}

/// How far apart an SM's blocks begin, in clk, when it has room for several.
struct Rounds {
  std::vector<double> First; ///< in the first wave
  std::vector<double> Later; ///< after blocks that ended together
  unsigned Successors = 0;   ///< of Later: blocks with consecutive numbers
};

/// Of a launch whose blocks all stay equally long, with \p PerSm on an SM: an
/// SM's blocks come in groups, as its first ones did.
void addRounds(const std::vector<Visit> &Visits, unsigned PerSm, Rounds &Into) {
  std::map<unsigned, std::vector<size_t>> BlocksOf; // by SM
  for (size_t I = 0; I != Visits.size(); ++I)
    BlocksOf[Visits[I].Sm].push_back(I);
  for (auto &[Sm, Blocks] : BlocksOf) {
    std::sort(Blocks.begin(), Blocks.end(), [&](size_t A, size_t B) {
      return Visits[A].BeginClock < Visits[B].BeginClock;
    });
    for (size_t I = 1; I < Blocks.size(); ++I) {
      if (I % PerSm == 0)
        continue; // of another group
      const double Gap = double(Visits[Blocks[I]].BeginClock -
                                Visits[Blocks[I - 1]].BeginClock);
      (I < PerSm ? Into.First : Into.Later).push_back(Gap);
      if (I > PerSm)
        Into.Successors += std::max(Blocks[I], Blocks[I - 1]) -
                               std::min(Blocks[I], Blocks[I - 1]) ==
                           1;
    }
  }
}

/// What the order of the first wave looks like, in a word.
std::string ruleOf(const std::vector<unsigned> &Sms, unsigned SmCount) {
  const size_t Rounds = Sms.size() / SmCount;
  bool Ascending = Rounds != 0, Spread = Rounds != 0, Same = Rounds != 0;
  for (size_t R = 0; R != Rounds; ++R) {
    std::vector<bool> Seen(SmCount, false);
    for (unsigned I = 0; I != SmCount; ++I) {
      const unsigned Sm = Sms[R * SmCount + I];
      Spread &= !Seen[Sm];
      Seen[Sm] = true;
      Ascending &= Sm == I;
      Same &= Sm == Sms[I];
    }
  }
  if (Ascending)
    return "ascending";
  if (Same)
    return "rounds of one fixed order";
  return Spread ? "rounds of changing order" : "uneven";
}

/// Blocks of the first round of SMs between the two of an (assumed) TPC.
double neighbourDistance(const std::vector<unsigned> &Sms, unsigned SmCount) {
  std::vector<int> At(SmCount, -1);
  for (size_t I = 0; I != Sms.size(); ++I)
    if (At[Sms[I]] < 0)
      At[Sms[I]] = int(I);
  std::vector<double> Distances;
  for (unsigned Sm = 0; Sm + 1 < SmCount; Sm += 2)
    if (At[Sm] >= 0 && At[Sm + 1] >= 0)
      Distances.push_back(std::abs(At[Sm] - At[Sm + 1]));
  return Distances.empty() ? 0 : inference::median(Distances);
}

void recordOrder(Session &S, const std::vector<unsigned> &Sms) {
  size_t Runs = 1;
  for (size_t I = 1; I != Sms.size(); ++I)
    Runs += Sms[I] != Sms[I - 1];
  S.exact(paths::topology_placement_blocks_per_sm_first, "1",
          double(Sms.size()) / Runs,
          "consecutive blocks that go to one SM before the next gets one, mean "
          "over the first wave of the fullest occupancy");
  S.exact(paths::topology_placement_neighbour_distance, "1",
          neighbourDistance(Sms, S.device().SmCount),
          "blocks between those of SMs 2k and 2k + 1, median over the first "
          "wave");
  const std::vector<unsigned> Gpc = gpcOfSms(S);
  if (Gpc.size() != S.device().SmCount) {
    S.notMeasurable(paths::topology_placement_changes_gpc, "1",
                    "the GPCs of the SMs are not known");
    return;
  }
  size_t Changes = 0;
  for (size_t I = 1; I != Sms.size(); ++I)
    Changes += Gpc[Sms[I]] != Gpc[Sms[I - 1]];
  S.exact(paths::topology_placement_changes_gpc, "1",
          double(Changes) / std::max<size_t>(1, Sms.size() - 1),
          "share of consecutive blocks of the first wave that lie in different "
          "GPCs",
          unsigned(Sms.size()));
}

void recordLater(Session &S, const LaterWaves &L) {
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
  const Shape Full = {{32, 128}, 128, 8};
  constexpr unsigned Repeats = 3;
  Rounds R;
  if (fits(S.device(), Full))
    for (unsigned I = 0; I != Repeats; ++I)
      addRounds(launch(S.device(), Full, 1), Full.PerSm, R);
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
  std::vector<Shape> Shapes;
  for (unsigned PerSm : {1, 2, 4, 8})
    for (const dim3 &Grid : Grids)
      Shapes.push_back({Grid, 128, PerSm});
  for (unsigned Threads : {32, 1024})
    Shapes.push_back({Grids[3], Threads, 1});

  double Repeated = 1, AcrossShapes = 1;
  std::vector<double> SameSteps;
  std::map<unsigned, std::vector<unsigned>> Longest; // by blocks per SM
  LaterWaves Later;
  unsigned Compared = 0;
  for (const Shape &Each : Shapes) {
    if (!fits(D, Each))
      continue;
    // The first launch with another carve-out finds SMs that are still being
    // rearranged.
    launch(D, Each);
    std::vector<unsigned> First;
    for (unsigned R = 0; R != Repeats; ++R) {
      const std::vector<Visit> Visits = launch(D, Each);
      const std::vector<unsigned> Wave = firstWave(Visits);
      if (R == 0)
        First = Wave;
      Repeated = std::min(Repeated, agreement(First, Wave));
      if (R != 0)
        SameSteps.push_back(sameSteps(First, Wave));
      ++Compared;
      if (Each.PerSm == 1) {
        const LaterWaves L =
            laterWaves(Visits, Wave.size(),
                       S.value(paths::device_timer_tick).value_or(32));
        Later.Blocks += L.Blocks;
        Later.ToFirstFree += L.ToFirstFree;
        Later.Periodic += L.Periodic;
        Later.Refill.insert(Later.Refill.end(), L.Refill.begin(),
                            L.Refill.end());
      }
    }
    std::vector<unsigned> &Known = Longest[Each.PerSm];
    if (!Known.empty())
      AcrossShapes = std::min(AcrossShapes, agreement(Known, First));
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
         Repeated == 1 ? "yes"
         : Order > 0.9 ? "but for the start"
                       : "no",
         Evidence + fmt::format("at least {:.1f} % of a launch's blocks go "
                                "where they went in the first",
                                100 * Repeated));
  S.word(paths::topology_placement_depends_on_shape,
         AcrossShapes == 1 ? "no" : "yes",
         Evidence + fmt::format("at least {:.1f} % of the blocks go to the "
                                "same SM in any grid and block size",
                                100 * AcrossShapes));
  S.word(paths::topology_placement_rule, ruleOf(Fullest, D.SmCount),
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
