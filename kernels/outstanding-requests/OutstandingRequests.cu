//===- OutstandingRequests.cu - Thread-Latency plots ----------------------===//
//
// After Lashgar et al. (HEART 2015), listing 1: one block of 2 to 1024 threads,
// each of which issues a few independent loads back to back; the time until all
// values are there, against the number of threads. Where a table of pending
// requests is full, the curve jumps by a round trip. The data is in L2 and not
// in L1. inference/RequestTable decides what kind of table it is.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/outstanding-requests/BytesInFlight.cuh"
#include "profiler/inference/RequestTable.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpwise::harness {
namespace {

using inference::RequestTable;
using inference::RequestTableKind;
using inference::ThreadLatencySeries;

constexpr unsigned MostThreads = 1024;
constexpr unsigned MostLoads = 6; ///< of a thread in the plots
constexpr unsigned LineBytes = 128;
/// Bytes of the array of one load: a line for each thread.
constexpr unsigned ArrayBytes = MostThreads * LineBytes;

/// Thread t's load l reads the word at byte (t / Merge) * StepBytes of the l-th
/// array. Threads from \p Threads on fill up the last warp; they repeat the
/// address of the last real thread, which adds no request. \p Cycles gets the
/// longest time of a warp from before its first load to after its last value.
template <unsigned Loads, Path Through>
__global__ void threadLatency(const char *Arrays, unsigned Threads,
                              unsigned Merge, unsigned StepBytes,
                              uint32_t *Cycles, uint32_t *Sink) {
  __shared__ uint32_t Longest;
  const unsigned T = min(threadIdx.x, Threads - 1);
  const char *At = Arrays + size_t(T / Merge) * StepBytes;
  uint32_t Value[Loads];
  uint32_t Sum = 0;
  // Into the near side of L2, past L1.
#pragma unroll
  for (unsigned L = 0; L != Loads; ++L)
    Sum |= load<Path::L2>(
        reinterpret_cast<const uint32_t *>(At + size_t(L) * ArrayBytes));
  consume(Sum);
  if (threadIdx.x == 0)
    Longest = 0;
  __syncthreads();
  const uint32_t Begin = clockNow();
  // Adds zero, but not before the clock was read: ptxas would move it.
  At += Begin & (Threads >> 31);
#pragma unroll
  for (unsigned L = 0; L != Loads; ++L)
    Value[L] = load<Through>(
        reinterpret_cast<const uint32_t *>(At + size_t(L) * ArrayBytes));
  // A branch (on a multiple of 4) that waits for no load: without it, ptxas
  // saves registers and uses the first values before it issues the last loads.
  consume(uint32_t(reinterpret_cast<uint64_t>(At)));
#pragma unroll
  for (unsigned L = 0; L != Loads; ++L)
    Sum |= Value[L];
  consume(Sum);
  const uint32_t End = clockNow();
  atomicMax(&Longest, End - Begin);
  __syncthreads();
  if (threadIdx.x == 0)
    *Cycles = Longest;
  // The arrays are zero.
  if (Sum != 0)
    *Sink = Sum;
}

using Kernel = void (*)(const char *, unsigned, unsigned, unsigned, uint32_t *,
                        uint32_t *);

template <Path Through> Kernel kernelFor(unsigned Loads) {
  // Dense where the plots need them, sparse beyond, for one warp.
  static const std::map<unsigned, Kernel> All = {
      {1, threadLatency<1, Through>},   {2, threadLatency<2, Through>},
      {3, threadLatency<3, Through>},   {4, threadLatency<4, Through>},
      {5, threadLatency<5, Through>},   {6, threadLatency<6, Through>},
      {8, threadLatency<8, Through>},   {10, threadLatency<10, Through>},
      {12, threadLatency<12, Through>}, {16, threadLatency<16, Through>},
      {20, threadLatency<20, Through>}, {24, threadLatency<24, Through>},
      {28, threadLatency<28, Through>}, {32, threadLatency<32, Through>},
      {40, threadLatency<40, Through>}, {48, threadLatency<48, Through>},
      {56, threadLatency<56, Through>}, {64, threadLatency<64, Through>},
  };
  const auto At = All.find(Loads);
  return At == All.end() ? nullptr : At->second;
}
constexpr unsigned MostLoadsOfWarp = 64;

/// Launches for curves, collected, so that nothing waits in between.
class Plots {
public:
  explicit Plots(const Device &D)
      : Dev(D), Arrays(size_t(MostLoadsOfWarp) * ArrayBytes), Sink(1) {
    Arrays.zero();
    Sink.zero();
  }

  /// The best of \p Repeats for each thread count.
  ThreadLatencySeries measure(Path Through, unsigned Loads, unsigned Merge,
                              unsigned StepBytes,
                              const std::vector<unsigned> &Threads,
                              unsigned Repeats) {
    const Kernel K = Through == Path::L1 ? kernelFor<Path::L1>(Loads)
                                         : kernelFor<Path::L2>(Loads);
    // The largest L1, as no table should look small for want of lines.
    const unsigned Shared =
        requestCarveout(Dev, reinterpret_cast<const void *>(K), 0);
    if (Cycles.size() < Threads.size() * Repeats)
      Cycles = Buffer<uint32_t>(Threads.size() * Repeats);
    uint32_t *Slot = Cycles.get();
    for (unsigned R = 0; R != Repeats; ++R)
      for (unsigned Count : Threads)
        K<<<1, (Count + 31) / 32 * 32, Shared>>>(Arrays.get(), Count, Merge,
                                                 StepBytes, Slot++, Sink.get());
    finish();
    const std::vector<uint32_t> Took =
        Cycles.download(Threads.size() * Repeats);
    ThreadLatencySeries S{Loads, Merge, StepBytes, {}};
    for (size_t I = 0; I != Threads.size(); ++I) {
      uint32_t Least = Took[I];
      for (unsigned R = 1; R != Repeats; ++R)
        Least = std::min(Least, Took[R * Threads.size() + I]);
      S.Points.push_back({Threads[I], double(Least)});
    }
    return S;
  }

  void verify() {
    if (Sink.download()[0] != 0)
      throw CudaFailure("a load of the Thread-Latency plots was wrong");
  }

private:
  const Device &Dev;
  Buffer<char> Arrays;
  Buffer<uint32_t> Sink;
  Buffer<uint32_t> Cycles;
};

std::vector<unsigned> threadCounts(unsigned Step) {
  std::vector<unsigned> Counts;
  for (unsigned T = Step; T <= MostThreads; T += Step)
    Counts.push_back(T);
  return Counts;
}

std::string patternOf(const ThreadLatencySeries &S) {
  if (S.Merge > 1)
    return fmt::format("merger_{}", S.Merge);
  return S.StepBytes == LineBytes ? "unique_line" : "unique_sector";
}

/// Curves for the profile: every eighth thread count is enough for a plot, and
/// all go to the trace.
void recordCurve(Session &S, const ThreadLatencySeries &Series, Path Through) {
  const std::string Name =
      fmt::format("{}{}.loads_{}", patternOf(Series),
                  Through == Path::L2 ? "_cg" : "", Series.LoadsPerThread);
  std::vector<std::array<double, 2>> Points;
  Column Threads{"threads", {}}, Cycles{"latency [clk]", {}},
      Variance{"variance [clk^2]", inference::varianceCurve(Series)};
  for (const auto &P : Series.Points) {
    Threads.Values.push_back(P.Threads);
    Cycles.Values.push_back(P.Cycles);
    if (P.Threads % 8 == 0 || P.Threads == 2)
      Points.push_back({double(P.Threads), P.Cycles});
  }
  S.trace(fmt::format("thread_latency.{}", Name), {Threads, Cycles, Variance});
  // Through L2 only, mergers add nothing to see.
  if (Series.Merge == 1 ||
      (Through == Path::L1 && Series.LoadsPerThread % 2 == 1))
    S.curve("concurrency.thread_latency." + Name, "threads", "latency [clk]",
            Points,
            "one block on one SM, longest time of a warp until all its loads "
            "arrived, data in L2, best of 3");
}

/// The Thread-Latency plots of one path and what they say.
std::vector<ThreadLatencySeries> plot(Session &S, Plots &P, Path Through) {
  std::vector<ThreadLatencySeries> All;
  const auto Add = [&](unsigned Loads, unsigned Merge, unsigned StepBytes,
                       unsigned ThreadStep) {
    All.push_back(P.measure(Through, Loads, Merge, StepBytes,
                            threadCounts(ThreadStep), 3));
    recordCurve(S, All.back(), Through);
  };
  for (unsigned Loads = 1; Loads <= MostLoads; ++Loads) {
    Add(Loads, 1, 32, 2);
    Add(Loads, 1, LineBytes, 2);
    for (unsigned Merge = 2; Merge <= 32; Merge *= 2)
      Add(Loads, Merge, LineBytes, 8);
  }
  return All;
}

void recordCount(Session &S, const std::string &Path, double Low, double High,
                 const std::string &Method) {
  inference::Estimate E;
  E.Value = High;
  E.Low = Low;
  E.High = High;
  E.N = 1;
  S.measured(Path, "1", E, Method);
}

/// Entries of the table that was found, in the place for what it counts; for
/// the others, why there is no number.
void recordTable(Session &S, const RequestTable &T) {
  const std::string Method = "Thread-Latency plots of ordinary loads that miss "
                             "L1 and hit L2: " +
                             T.Summary;
  S.word(paths::concurrency_table,
         std::string(inference::requestTableName(T.Kind)), Method);
  const profile::EntryPath Paths[] = {
      paths::concurrency_pending_lines_per_sm,
      paths::concurrency_pending_sectors_per_sm,
      paths::concurrency_pending_warp_loads_per_sm,
      paths::concurrency_pending_warp_loads_per_scheduler};
  for (size_t I = 0; I != std::size(Paths); ++I) {
    if (T.Table && T.Table->Axis == inference::AllAxes[I])
      recordCount(S, Paths[I], double(T.Table->Low), double(T.Table->High),
                  Method);
    else
      S.notMeasurable(Paths[I], "1",
                      T.Table ? fmt::format("the table is filled by {}",
                                            inference::axisName(T.Table->Axis))
                              : T.Summary);
  }
  const profile::EntryPath Seen[] = {
      paths::concurrency_seen_in_flight_lines,
      paths::concurrency_seen_in_flight_sectors,
      paths::concurrency_seen_in_flight_warp_loads,
      paths::concurrency_seen_in_flight_warp_loads_per_scheduler};
  for (size_t I = 0; I != std::size(Seen); ++I)
    S.exact(Seen[I], "1", double(T.SeenUpTo[I]),
            fmt::format("the most {} on one SM that were in flight together "
                        "with no table in the way: a lower bound",
                        inference::axisName(inference::AllAxes[I])));
  if (T.Kind == RequestTableKind::Mshr)
    recordCount(S, paths::concurrency_merges_per_entry, T.Table->MergesLow,
                T.Table->MergesHigh.value_or(T.Table->MergesLow),
                Method + (T.Table->MergesHigh ? "" : "; a lower bound"));
  else
    S.notMeasurable(paths::concurrency_merges_per_entry, "1",
                    "no table of lines or sectors showed");
}

/// One warp with up to 64 independent loads of a sector each: when it can have
/// no more in flight, the next one takes a round trip longer.
void recordLoadsPerWarp(Session &S, Plots &P) {
  std::vector<ThreadLatencySeries> All;
  std::vector<std::array<double, 2>> Points;
  for (unsigned Loads = 1; Loads <= MostLoadsOfWarp; ++Loads)
    if (kernelFor<Path::L1>(Loads)) {
      All.push_back(P.measure(Path::L1, Loads, 32, LineBytes, {32}, 5));
      Points.push_back({double(Loads), All.back().Points.front().Cycles});
    }
  const std::string Method =
      "one warp, independent loads of one sector each that miss L1 and hit L2, "
      "issued back to back";
  S.curve(paths::concurrency_warp_latency, "loads of the warp", "latency [clk]",
          Points, Method);
  const RequestTable T = inference::inferRequestTable(All);
  if (T.LoadsPerWarp)
    recordCount(S, paths::concurrency_loads_per_warp, (*T.LoadsPerWarp)[0],
                (*T.LoadsPerWarp)[1],
                Method + ": the next one takes half a round trip longer");
  else
    S.notMeasurable(
        paths::concurrency_loads_per_warp, "1",
        fmt::format("no limit up to {} loads in flight", T.LoadsTried));
  // The slope is what a load costs the warp that need not wait for it.
  std::vector<std::vector<double>> Columns(2);
  std::vector<double> Cycles;
  for (const auto &[Loads, Latency] : Points) {
    Columns[0].push_back(1);
    Columns[1].push_back(Loads);
    Cycles.push_back(Latency);
  }
  if (const auto Fit = inference::leastSquares(Columns, Cycles))
    S.inferred(paths::concurrency_cycles_per_load_of_warp, "clk",
               Fit->Coefficients[1],
               fmt::format("{}: slope over 1 to {} loads, R^2 {:.3f}", Method,
                           Points.size(), Fit->RSquared));
}

void run(Session &S) {
  Plots P(S.device());
  const std::vector<ThreadLatencySeries> Ordinary = plot(S, P, Path::L1);
  const RequestTable T = inference::inferRequestTable(Ordinary);
  recordTable(S, T);
  const RequestTable PastL1 =
      inference::inferRequestTable(plot(S, P, Path::L2));
  S.word(paths::concurrency_table_cg,
         std::string(inference::requestTableName(PastL1.Kind)),
         "Thread-Latency plots of ld.global.cg that hit L2: " + PastL1.Summary);
  recordLoadsPerWarp(S, P);
  P.verify();

  recordBytesInFlight(S);
  // Little's law gives what must be in flight; a table cannot hold less.
  if (const auto Bytes = S.value(paths::concurrency_bytes_in_flight_per_sm)) {
    S.check(paths::concurrency_pending_sectors_per_sm,
            "bytes in flight by Little's law over 32", *Bytes / 32, 0.25);
    S.check(paths::concurrency_pending_lines_per_sm,
            "bytes in flight by Little's law over 128", *Bytes / 128, 0.25);
  }
}

const Registration Registered({
    .Name = "outstanding-requests",
    .Measures = "loads in flight: MSHR or PRT, and how many",
    .When = Stage::Warp,
    .Provides = {{paths::concurrency_table, "name"},
                 {paths::concurrency_table_cg, "name"},
                 {paths::concurrency_pending_lines_per_sm, "1"},
                 {paths::concurrency_pending_sectors_per_sm, "1"},
                 {paths::concurrency_pending_warp_loads_per_sm, "1"},
                 {paths::concurrency_pending_warp_loads_per_scheduler, "1"},
                 {paths::concurrency_merges_per_entry, "1"},
                 {paths::concurrency_loads_per_warp, "1"},
                 {paths::concurrency_cycles_per_load_of_warp, "clk"},
                 {paths::concurrency_sm_l2_bandwidth, "B/clk"},
                 {paths::concurrency_bytes_in_flight_per_sm, "B"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
