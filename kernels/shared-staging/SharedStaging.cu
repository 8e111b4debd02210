//===- SharedStaging.cu - From how many uses on a tile pays ---------------===//
//
// Fang et al. 2017, S_5 and S_6: shared memory is faster than global memory,
// but a tile has to be brought there. A block uses a tile N times, once by
// loading it again and again, once from a copy in shared memory; the lines
// through the cycles against N cross where the copy begins to pay.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Chase.cuh"
#include "kernels/harness/Estimates.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

namespace warpwise::harness {
namespace {

/// A word of the tile for each thread; a use goes to the next row, which
/// another warp brought.
constexpr unsigned TileThreads = 256;
constexpr Ring Tile{TileThreads * 4, RowBytes};
/// How often each number of uses is timed; the first time warms up.
constexpr unsigned Repeats = 4;
/// Below this difference of the latencies the copy cannot be said to pay.
constexpr double LeastGain = 0.5; // clk

/// For each of \p Counts uses and each repeat the cycles of the block. Uses
/// depend on one another. \p Astray counts threads that ended elsewhere than
/// the tile leads.
template <bool Staged, bool InL1>
__global__ void __launch_bounds__(TileThreads)
    useTile(uint64_t Memory, const unsigned *Uses, unsigned Counts,
            uint32_t *Cycles, unsigned *Astray) {
  __shared__ uint32_t Copy[TileThreads];
  const uint32_t CopyBase = uint32_t(__cvta_generic_to_shared(Copy));
  const uint32_t Start = threadIdx.x * 4;
  uint32_t Rest = 0;
#pragma unroll 1
  for (unsigned C = 0; C != Counts; ++C) {
    const unsigned Times = Uses[C];
    const uint32_t End = (Start + Times * Tile.Step) % Tile.Bytes;
#pragma unroll 1
    for (unsigned Repeat = 0; Repeat != Repeats; ++Repeat) {
      bool Arrived;
      __syncthreads();
      const uint32_t From = clockNow();
      if constexpr (Staged) {
        uint64_t Word = Memory + Start;
        followGlobal<4, InL1>(Word, Rest);
        Copy[threadIdx.x] = CopyBase + uint32_t(Word - Memory);
        __syncthreads();
        uint32_t Now = CopyBase + Start;
#pragma unroll 1
        for (unsigned Use = 0; Use != Times; ++Use)
          followShared<4>(Now, Rest);
        consume(Now);
        Arrived = Now == CopyBase + End;
      } else {
        uint64_t Now = Memory + Start;
#pragma unroll 1
        for (unsigned Use = 0; Use != Times; ++Use)
          followGlobal<4, InL1>(Now, Rest);
        consume(uint32_t(Now));
        Arrived = Now == Memory + End;
      }
      __syncthreads();
      const uint32_t Took = clockNow() - From;
      if (threadIdx.x == 0)
        Cycles[C * Repeats + Repeat] = Took;
      if (!Arrived)
        atomicAdd(Astray, 1);
    }
  }
}

std::vector<double> usesTried() {
  return {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
}

/// Cycles for each number of uses.
template <bool Staged, bool InL1>
std::vector<double> cyclesOf(const GlobalRing &Memory) {
  const std::vector<double> Tried = usesTried();
  const std::vector<unsigned> Counts(Tried.begin(), Tried.end());
  const Buffer<unsigned> Uses(Counts);
  const Buffer<uint32_t> Cycles(Counts.size() * Repeats);
  Buffer<unsigned> Astray(1);
  Astray.zero();
  useTile<Staged, InL1><<<1, TileThreads>>>(Memory.base(), Uses.get(),
                                            unsigned(Counts.size()),
                                            Cycles.get(), Astray.get());
  finish();
  if (Astray.download()[0] != 0)
    throw CudaFailure("a thread that followed the tile ended astray");
  const std::vector<uint32_t> Took = Cycles.download();
  std::vector<double> Result;
  for (size_t C = 0; C != Counts.size(); ++C) {
    double Sum = 0;
    for (unsigned Repeat = 1; Repeat != Repeats; ++Repeat)
      Sum += Took[C * Repeats + Repeat];
    Result.push_back(Sum / (Repeats - 1));
  }
  return Result;
}

/// Where the tile comes from, and what is measured of it.
struct Source {
  std::string_view Name;   ///< in curves
  std::string_view Suffix; ///< of the quantities
  std::string_view Hits;   ///< in words
};
constexpr Source FromL1{"l1", "", "L1"};
constexpr Source FromL2{"l2", "_l2", "L2"};

template <bool InL1> void measure(Session &S, const Source &From) {
  const GlobalRing Memory(Tile, 4);
  const std::vector<double> Uses = usesTried();
  std::vector<double> Overheads, Gains, Crossings;
  const size_t N = Uses.size();
  const std::vector<double> Both = valuesOf(untilAllStable(
      [&] {
        const std::vector<double> Direct = cyclesOf<false, InL1>(Memory);
        const std::vector<double> Staged = cyclesOf<true, InL1>(Memory);
        // Both include the same bracket and barrier, which cancel out.
        const inference::Line Loads = lineOver(Uses, Direct);
        const inference::Line Copy = lineOver(Uses, Staged);
        Overheads.push_back(Copy.Intercept - Loads.Intercept);
        Gains.push_back(Loads.Slope - Copy.Slope);
        Crossings.push_back(Overheads.back() / Gains.back());
        std::vector<double> All = Direct;
        All.insert(All.end(), Staged.begin(), Staged.end());
        return All;
      },
      {.Least = 7, .Most = 25, .Relative = 0.01, .Absolute = 2}));
  const std::vector<double> Direct(Both.begin(), Both.begin() + N);
  const std::vector<double> Staged(Both.begin() + N, Both.end());

  const std::string Method = fmt::format(
      "lines through the cycles of {} threads against the uses of a tile of "
      "one word each, loads that hit {} against a copy in shared memory",
      TileThreads, From.Hits);
  S.measured(fmt::format("levels.shared.staging_overhead{}", From.Suffix),
             "clk", inference::estimate(Overheads),
             Method + ": difference at no use");
  const std::string Crossing =
      fmt::format("warp.shared.reuse_breakeven{}", From.Suffix);
  if (inference::median(Gains) < LeastGain)
    S.notMeasurable(Crossing, "1",
                    fmt::format("a load that hits {} is as fast as one from "
                                "shared memory, so a copy never pays",
                                From.Hits));
  else
    S.measured(Crossing, "1", inference::estimate(Crossings),
               Method + ": where they cross");
  S.curve(fmt::format("warp.shared.staging.direct_{}", From.Name), "uses [1]",
          "cycles of the block [clk]", points(Uses, Direct),
          fmt::format("each use loads from {}", From.Hits));
  S.curve(fmt::format("warp.shared.staging.staged_{}", From.Name), "uses [1]",
          "cycles of the block [clk]", points(Uses, Staged),
          fmt::format("one load from {}, one store to shared memory, a "
                      "barrier; each use loads from shared memory",
                      From.Hits));
  S.trace(
      std::string(From.Name),
      {{"uses [1]", Uses}, {"direct [clk]", Direct}, {"staged [clk]", Staged}});
}

void run(Session &S) {
  measure<true>(S, FromL1);
  measure<false>(S, FromL2);
}

const Registration Registered({
    .Name = "shared-staging",
    .Measures = "cost of a copy in shared memory, and when it pays",
    .When = Stage::Warp,
    .Provides = {{paths::levels_shared_staging_overhead, "clk"},
                 {paths::levels_shared_staging_overhead_l2, "clk"},
                 {paths::warp_shared_reuse_breakeven, "1"},
                 {paths::warp_shared_reuse_breakeven_l2, "1"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
