//===- L2Map.cu - L2 latency by SM and by address -------------------------===//
//
// L2 is many slices in one or more partitions, at different distances from each
// SM. One SM at a time works, the others are idle. Three experiments: an
// averaged pointer chase per SM; a matrix SM x line, split into what the SM
// adds and what the line adds; lines that one SM brought into L2, read by
// another for the first time and again, which shows the side where a line is
// kept and whether the other side gets a copy.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/PerSm.cuh"
#include "profiler/inference/L2Sides.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace warpwise::harness {
namespace {

constexpr unsigned LineBytes = 128;

/// Loads the pointer at \p At through L2 only.
__device__ __forceinline__ const char *follow(const char *At) {
  const char *Next;
  asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(Next) : "l"(At) : "memory");
  return Next;
}

/// Waits for a pointer: a multiple of 8, never the odd word that consume looks
/// for.
__device__ __forceinline__ void arrived(const char *At) {
  consume(uint32_t(reinterpret_cast<uint64_t>(At)));
}

/// One round through \p Steps pointers, the time of each load in \p Log.
__device__ __forceinline__ const char *timeSteps(const char *At, unsigned Steps,
                                                 uint32_t *Log, bool Least) {
#pragma unroll 1
  for (unsigned I = 0; I < Steps; ++I) {
    const uint32_t Begin = clockNow();
    At = follow(At);
    arrived(At);
    const uint32_t Took = clockNow() - Begin;
    Log[I] = Least ? min(Log[I], Took) : Took;
  }
  return At;
}

/// On SM \p Chosen: \p Averaged steps without a clock in the loop, then
/// \p Rounds rounds of \p Steps timed ones. With \p Fold only the least time of
/// each step is kept, else all. \p Out: cycles of the averaged steps, the
/// pointer at the end (two words), 1 if it ran, then the times.
__global__ void chaseOn(unsigned Chosen, const char *Start, unsigned Averaged,
                        unsigned Steps, unsigned Rounds, bool Fold,
                        uint32_t *Out) {
  extern __shared__ uint32_t Log[];
  waitUntilPlaced();
  if (smId() != Chosen || threadIdx.x != 0)
    return;
  const char *At = Start;
  arrived(At);
  const uint32_t Begin = clockNow();
#pragma unroll 8
  for (unsigned I = 0; I < Averaged; ++I)
    At = follow(At);
  arrived(At);
  Out[0] = clockNow() - Begin;
  for (unsigned R = 0; R < Rounds; ++R)
    At = timeSteps(At, Steps, Log + (Fold ? 0 : R * Steps), Fold && R != 0);
  Out[1] = uint32_t(reinterpret_cast<uint64_t>(At));
  Out[2] = uint32_t(reinterpret_cast<uint64_t>(At) >> 32);
  for (unsigned I = 0; I < Steps * (Fold ? 1 : Rounds); ++I)
    Out[4 + I] = Log[I];
  Out[3] = 1;
}

/// SM \p Chosen reads the first word of each line.
__global__ void readAllOn(unsigned Chosen, const char *Lines, unsigned Count,
                          uint32_t *Sink) {
  waitUntilPlaced();
  if (smId() != Chosen)
    return;
  uint32_t Sum = 0;
  for (unsigned I = threadIdx.x; I < Count; I += blockDim.x)
    Sum ^= load<Path::L2>(
        reinterpret_cast<const uint32_t *>(Lines + size_t(I) * LineBytes));
  consume(Sum);
  Sink[threadIdx.x] = Sum;
}

/// Lines of a buffer, linked to circles of random order.
class Circles {
public:
  /// \p Count circles of \p Each lines; lines lie \p Apart bytes apart and
  /// belong to the circles in turn, so that each circle spans the whole buffer.
  Circles(unsigned Count, unsigned Each, size_t Apart, std::mt19937_64 &Random)
      : Apart(Apart), Memory(Count * Each * Apart) {
    std::vector<char> Words(Memory.size());
    std::vector<unsigned> Order(Each);
    for (unsigned C = 0; C != Count; ++C) {
      for (unsigned I = 0; I != Each; ++I)
        Order[I] = I * Count + C;
      // The circle's first line stays the first, so that start() is simple.
      std::shuffle(Order.begin() + 1, Order.end(), Random);
      for (unsigned I = 0; I != Each; ++I)
        *reinterpret_cast<const char **>(&Words[Order[I] * Apart]) =
            Memory.get() + Order[(I + 1) % Each] * Apart;
    }
    Memory.upload(Words);
  }
  const char *start(unsigned Circle) const {
    return Memory.get() + Circle * Apart;
  }

private:
  size_t Apart;
  Buffer<char> Memory;
};

/// Runs chaseOn for one SM and checks where it ends.
struct ChaseResult {
  double PerStep = 0;         ///< of the averaged steps
  std::vector<double> Cycles; ///< of the timed ones
};
ChaseResult chaseOnSm(const Device &D, Buffer<uint32_t> &Out, unsigned Sm,
                      const char *Start, unsigned Averaged, unsigned Steps,
                      unsigned Rounds, bool Fold) {
  Out.zero();
  launchOnePerSm(chaseOn, D, 32, Sm, Start, Averaged, Steps, Rounds, Fold,
                 Out.get());
  finish();
  const unsigned Kept = Steps * (Fold ? 1 : Rounds);
  const std::vector<uint32_t> Words = Out.download(4 + Kept);
  if (Words[3] != 1)
    throw Skip(fmt::format("no block came to SM {}", Sm));
  // Whole rounds only: each ends where it began.
  const uint64_t End = uint64_t(Words[2]) << 32 | Words[1];
  if (End != reinterpret_cast<uint64_t>(Start))
    throw CudaFailure("a pointer chase ended at the wrong word");
  return {Averaged == 0 ? 0 : double(Words[0]) / Averaged,
          {Words.begin() + 4, Words.end()}};
}

/// Per SM: the averaged latency of a chase, and that of each of its loads.
struct L2ByLine {
  std::vector<double> Averaged;
  std::vector<std::vector<double>> Cycles;
};

/// Per SM: the averaged latency over 4096 lines, and the time of each.
L2ByLine latencyBySm(const Device &D, std::mt19937_64 &Random, unsigned Lines,
                     size_t Apart, Buffer<uint32_t> &Out) {
  L2ByLine By;
  const Circles Circle(1, Lines, Apart, Random);
  for (unsigned Sm = 0; Sm != D.SmCount; ++Sm) {
    // The first launch brings the lines to the SM's side.
    chaseOnSm(D, Out, Sm, Circle.start(0), Lines, 0, 0, false);
    const ChaseResult R =
        chaseOnSm(D, Out, Sm, Circle.start(0), Lines, Lines, 1, false);
    By.Averaged.push_back(R.PerStep);
    By.Cycles.push_back(R.Cycles);
  }
  return By;
}

/// Per SM: the least time of each of \p Lines lines in four rounds.
std::vector<std::vector<double>> matrix(const Device &D,
                                        std::mt19937_64 &Random, unsigned Lines,
                                        size_t Apart, Buffer<uint32_t> &Out) {
  std::vector<std::vector<double>> All;
  const Circles Circle(1, Lines, Apart, Random);
  for (unsigned Sm = 0; Sm != D.SmCount; ++Sm)
    All.push_back(
        chaseOnSm(D, Out, Sm, Circle.start(0), Lines, Lines, 4, true).Cycles);
  return All;
}

/// All lines are brought in by SM \p Owner; every SM then reads a circle of its
/// own twice.
std::vector<inference::FirstTouch>
firstTouches(const Device &D, const Circles &Lines, unsigned Each,
             unsigned Owner, Buffer<uint32_t> &Out, Buffer<uint32_t> &Sink) {
  flushL2(D);
  launchOnePerSm(readAllOn, D, 1024, Owner, Lines.start(0), Each * D.SmCount,
                 Sink.get());
  finish();
  std::vector<inference::FirstTouch> All;
  for (unsigned Sm = 0; Sm != D.SmCount; ++Sm) {
    const ChaseResult R =
        chaseOnSm(D, Out, Sm, Lines.start(Sm), 0, Each, 2, false);
    const auto Half = R.Cycles.begin() + Each;
    All.push_back({{R.Cycles.begin(), Half}, {Half, R.Cycles.end()}});
  }
  return All;
}

/// Groups the SMs by the side that a line comes to: those that find the owner's
/// lines near are on its side. \p Touches keeps what the first owner's lines
/// showed.
inference::L2Sides findSides(const Device &D, const Circles &Lines,
                             unsigned Each, Buffer<uint32_t> &Out,
                             std::vector<inference::FirstTouch> &Touches) {
  Buffer<uint32_t> Sink(1024);
  inference::L2Sides Sides(D.SmCount);
  // More sides than four were never built; the rest would stay unassigned.
  for (unsigned Side = 0; Side != 4; ++Side) {
    const std::optional<unsigned> Owner = Sides.firstUnassigned();
    if (!Owner)
      break;
    const std::vector<inference::FirstTouch> Found =
        firstTouches(D, Lines, Each, *Owner, Out, Sink);
    Sides.assign(Side, *Owner, Found);
    if (Side == 0)
      Touches = Found;
  }
  return Sides;
}

std::vector<std::array<double, 2>> histogram(const std::vector<double> &Values,
                                             double Bin) {
  std::map<long, unsigned> Counts;
  for (double V : Values)
    ++Counts[std::lround(V / Bin)];
  std::vector<std::array<double, 2>> Points;
  for (const auto &[At, Count] : Counts)
    // Single readings are outliers; a plot needs none of them.
    if (Count > 1 + Values.size() / 10000)
      Points.push_back({At * Bin, double(Count) / Values.size()});
  return Points;
}

void recordMatrix(Session &S, const std::vector<std::vector<double>> &Cells,
                  double Bias) {
  const inference::AdditiveModel Model = inference::fitAdditive(Cells);
  const std::string Method = fmt::format(
      "least of 4 bracketed loads for {} SMs x {} lines, one SM at work at a "
      "time, fitted as mean + SM + line",
      Cells.size(), Cells.front().size());
  S.exact(paths::levels_l2_map_mean, "clk", Model.Mean - Bias,
          Method + "; the bracket's bias is taken off",
          unsigned(Cells.size() * Cells.front().size()));
  S.exact(paths::levels_l2_map_sm_spread, "clk", inference::spread(Model.OfRow),
          Method + "; largest minus smallest SM term");
  S.exact(paths::levels_l2_map_address_spread, "clk",
          inference::spread(Model.OfColumn),
          Method + "; largest minus smallest line term");
  S.exact(paths::levels_l2_map_residual, "clk", Model.Rms,
          Method + "; root mean square of what is left");
  S.exact(paths::levels_l2_map_explained, "1", Model.Explained,
          Method + "; share of the variance that the sum explains");
}

void recordSides(Session &S, const inference::L2Sides &Sides,
                 const std::vector<inference::FirstTouch> &Touches,
                 double Bias) {
  const std::string Setup = fmt::format(
      "{} lines for each SM, brought into L2 by SM 0, read twice by one SM at "
      "a time, bracketed, the bracket's bias taken off",
      Touches.front().First.size());
  const inference::TouchLatencies L = inference::touchLatencies(Touches, Sides);
  const auto Record = [&](profile::EntryPath Path,
                          const std::vector<double> &Values, const char *What) {
    if (Values.empty()) {
      S.notMeasurable(Path, "clk", fmt::format("no load was {}", What));
      return;
    }
    inference::Estimate E = inference::estimate(Values);
    E.Value -= Bias;
    E.Low -= Bias;
    E.High -= Bias;
    S.measured(Path, "clk", E, fmt::format("{}: {}", Setup, What));
  };
  Record(paths::levels_l2_first_touch_near, L.FirstSameSide,
         "a first read by an SM of the owner's side");
  Record(paths::levels_l2_first_touch_other_side, L.FirstOtherSide,
         "a first read by an SM of another side, near and far lines together");
  Record(paths::levels_l2_retouch, L.Again, "a second read");
  Record(paths::levels_l2_latency_far, L.Far,
         "a first read that took longer than the second by the far step");
  S.exact(paths::topology_l2_partitions, "1", Sides.count(),
          Setup + "; groups of SMs that find each other's lines near");
  if (Sides.count() > 1) {
    S.exact(paths::levels_l2_far_share, "1", L.FarShare,
            Setup + "; share of the lines that an SM of another side finds far",
            unsigned(L.FirstOtherSide.size()));
    S.word(paths::levels_l2_far_copied, L.Copied ? "yes" : "no",
           Setup + "; whether the second read of a far line is near");
  } else {
    const std::string Reason =
        "no SM found lines far that another had brought into L2";
    S.notMeasurable(paths::levels_l2_far_share, "1", Reason);
    S.notMeasurable(paths::levels_l2_far_copied, "name", Reason);
  }
  std::vector<std::array<double, 2>> Map;
  for (unsigned Sm = 0; Sm != Touches.size(); ++Sm)
    Map.push_back({double(Sm), double(Sides.of(Sm))});
  S.curve(paths::topology_sm_to_l2_partition, "SM [%smid]", "partition", Map,
          Setup);
  std::vector<double> First, Again, Sm;
  for (const inference::FirstTouch &T : Touches) {
    First.insert(First.end(), T.First.begin(), T.First.end());
    Again.insert(Again.end(), T.Again.begin(), T.Again.end());
    Sm.insert(Sm.end(), T.First.size(), double(&T - &Touches.front()));
  }
  S.trace("first_touch", {{"SM", Sm},
                          {"first with bracket [clk]", First},
                          {"again with bracket [clk]", Again}});
  S.curve(paths::levels_l2_first_touch_histogram, "latency with bracket [clk]",
          "share of loads", histogram(First, 4), Setup + "; first reads");
}

void run(Session &S) {
  const Device &D = S.device();
  allowHalfSm(chaseOn, D);
  allowHalfSm(readAllOn, D);
  // A quarter of L2: one side's share, with room for what else is there.
  const size_t Span = std::min<size_t>(16 << 20, D.L2Bytes / 4);
  const auto Room =
      unsigned(sharedOfHalfSm(D) / sizeof(uint32_t) / LineBytes * LineBytes);
  const unsigned Lines = std::min(4096u, Room);
  const unsigned Few = 256;
  const auto Each = unsigned(
      std::clamp<size_t>(D.L2Bytes / 4 / LineBytes / D.SmCount, 64, 512));
  Buffer<uint32_t> Out(4 + std::max(Lines, 2 * Each));
  const auto Apart = [&](unsigned Count) {
    return Span / Count / LineBytes * LineBytes;
  };

  const L2ByLine By = latencyBySm(D, S.random(), Lines, Apart(Lines), Out);
  std::vector<std::array<double, 2>> BySm;
  std::vector<double> Timed;
  for (unsigned Sm = 0; Sm != D.SmCount; ++Sm) {
    BySm.push_back({double(Sm), By.Averaged[Sm]});
    Timed.insert(Timed.end(), By.Cycles[Sm].begin(), By.Cycles[Sm].end());
  }
  const std::string Chase = fmt::format(
      "pointer chase over {} lines in {} MB that the SM read before, one SM at "
      "work at a time",
      Lines, Span >> 20);
  S.curve(paths::levels_l2_latency_by_sm, "SM [%smid]", "latency [clk]", BySm,
          Chase);
  S.measured(paths::levels_l2_latency_near, "clk",
             inference::estimate(By.Averaged),
             Chase + ", no clock in the loop, median over the SMs");
  // What a bracketed load costs beyond the load itself, on the same lines.
  const double Bias = inference::mean(Timed) - inference::mean(By.Averaged);
  S.check(paths::levels_l2_latency_near,
          "median of bracketed loads less their bias",
          inference::median(Timed) - Bias, 0.03);
  S.exact(paths::levels_l2_sm_difference, "clk", inference::spread(By.Averaged),
          Chase + ", slowest SM minus fastest");
  S.curve(paths::levels_l2_latency_histogram, "latency with bracket [clk]",
          "share of loads", histogram(Timed, 4), Chase + ", each load timed");

  recordMatrix(S, matrix(D, S.random(), Few, Apart(Few), Out), Bias);

  const Circles Own(D.SmCount, Each, LineBytes, S.random());
  std::vector<inference::FirstTouch> Touches;
  const inference::L2Sides Sides = findSides(D, Own, Each, Out, Touches);
  recordSides(S, Sides, Touches, Bias);
}

const Registration Registered({
    .Name = "l2-map",
    .Measures = "L2 latency by SM and address, near and far partition",
    .When = Stage::Geometry,
    .Provides = {{paths::levels_l2_latency_near, "clk"},
                 {paths::levels_l2_latency_far, "clk"},
                 {paths::levels_l2_sm_difference, "clk"},
                 {paths::levels_l2_first_touch_near, "clk"},
                 {paths::levels_l2_first_touch_other_side, "clk"},
                 {paths::levels_l2_retouch, "clk"},
                 {paths::levels_l2_far_share, "1"},
                 {paths::levels_l2_far_copied, "name"},
                 {paths::levels_l2_map_mean, "clk"},
                 {paths::levels_l2_map_sm_spread, "clk"},
                 {paths::levels_l2_map_address_spread, "clk"},
                 {paths::levels_l2_map_residual, "clk"},
                 {paths::levels_l2_map_explained, "1"},
                 {paths::topology_l2_partitions, "1"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
