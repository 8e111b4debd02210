//===- StoreTraffic.cuh - Stores on their way to L2 and DRAM ----*- C++ -*-===//
//
// Stores of different warps to the same sectors, shortly after one another, may
// leave the SM as one: then eight warps that store the same lines are faster
// than eight with lines of their own. And an L2 that keeps what was stored has
// to write it to DRAM when other lines push it out: that takes time.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_STORED_SECTORS_STORETRAFFIC_CUH
#define WARPWISE_KERNELS_STORED_SECTORS_STORETRAFFIC_CUH

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"
#include "profiler/inference/RequestMerging.h"
#include "profiler/inference/StoredSectors.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::harness {
inline namespace storedSectors {

constexpr unsigned StoringWarps = 8;
constexpr unsigned LinesPerWarp = 128;
constexpr unsigned StoreRounds = 16;
constexpr unsigned StoresPerWarp = LinesPerWarp * StoreRounds;

enum class StorePattern {
  Own,        ///< each warp has lines of its own
  OtherWarps, ///< all warps of the SM store the same lines in the same order
  SameWarp    ///< as Own, but each line eight times in a row
};

/// One block per SM, a line per warp store, each SM with lines of its own. Warp
/// w starts \p Skew * w cycles late. \p Cycles by block: mean over its warps,
/// until all stores have left.
__global__ void storeStream(uint32_t *Lines, StorePattern Pattern,
                            uint32_t Skew, uint32_t *Cycles) {
  __shared__ uint32_t Total;
  const unsigned Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const bool Shared = Pattern == StorePattern::OtherWarps;
  uint32_t *Mine = Lines +
                   (size_t(blockIdx.x) * StoringWarps + (Shared ? 0 : Warp)) *
                       LinesPerWarp * 32 +
                   Lane;
  const unsigned Shift = Pattern == StorePattern::SameWarp ? 3 : 0;
  if (threadIdx.x == 0)
    Total = 0;
  __syncthreads();
  const uint32_t From = clockNow();
  while (clockNow() - From < Skew * Warp)
    ;
  const uint32_t Begin = clockNow();
#pragma unroll 8
  for (unsigned I = 0; I < StoresPerWarp; ++I) {
    uint32_t *At = Mine + (I >> Shift) % LinesPerWarp * 32;
    asm volatile("st.global.u32 [%0], %1;" ::"l"(At), "r"(I) : "memory");
  }
  __threadfence();
  const uint32_t Took = clockNow() - Begin;
  if (Lane == 0)
    atomicAdd(&Total, Took / StoringWarps);
  __syncthreads();
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = Total;
}

inline void recordStoreMerging(Session &S) {
  const Device &D = S.device();
  Buffer<uint32_t> Lines(size_t(D.SmCount) * StoringWarps * LinesPerWarp * 32);
  Buffer<uint32_t> Cycles(D.SmCount);
  Lines.zero();
  /// Cycles per store of a warp, median over SMs, best of 5.
  const auto PerStore = [&](StorePattern Pattern, uint32_t Skew) {
    double Least = 0;
    for (unsigned Repeat = 0; Repeat != 5; ++Repeat) {
      storeStream<<<D.SmCount, 32 * StoringWarps>>>(Lines.get(), Pattern, Skew,
                                                    Cycles.get());
      finish();
      const std::vector<uint32_t> Took = Cycles.download();
      const std::vector<double> Each(Took.begin(), Took.end());
      const double Now =
          inference::median(Each) / (StoresPerWarp * StoringWarps);
      Least = Repeat == 0 ? Now : std::min(Least, Now);
    }
    return Least;
  };
  const std::string Setup =
      "8 warps on every SM store whole lines, hitting L2, until a fence";
  const double Own = PerStore(StorePattern::Own, 0);
  const double Others = PerStore(StorePattern::OtherWarps, 0);
  const double Same = PerStore(StorePattern::SameWarp, 0);
  S.exact(paths::concurrency_store_merge_own_lines, "clk", Own,
          Setup + "; cycles of the SM per store, each warp its own lines", 5);
  S.exact(paths::concurrency_store_merge_same_lines, "clk", Others,
          Setup + "; cycles of the SM per store, all warps the same lines", 5);
  S.exact(paths::concurrency_store_merge_same_warp, "clk", Same,
          Setup + "; cycles of the SM per store, a warp each line 8 times in a "
                  "row",
          5);
  S.exact(paths::concurrency_store_merge_speedup, "1", Own / Others,
          Setup + "; different warps' stores to the same lines against their "
                  "own: above 1 they are merged before L2",
          5);
  S.exact(paths::concurrency_store_merge_speedup_same_warp, "1", Own / Same,
          Setup + "; a warp's 8 stores in a row to one line against 8 lines",
          5);

  std::vector<std::array<double, 2>> Points;
  for (uint32_t Skew : {0, 8, 16, 32, 64, 128, 256, 512, 1024, 2048})
    Points.push_back(
        {double(Skew), Own / PerStore(StorePattern::OtherWarps, Skew)});
  S.curve(paths::concurrency_store_merge_speedup_by_skew,
          "skew from warp to warp [clk]", "speed against own lines", Points,
          Setup + ", the same lines, each warp starting later");
  const inference::MergeWindow Window = inference::storeMergeWindow(Points);
  if (!Window.Cycles)
    S.notMeasurable(paths::concurrency_store_merge_window, "clk",
                    Window.WhyNot);
  else
    S.measured(paths::concurrency_store_merge_window, "clk", *Window.Cycles,
               Setup + ", skew from warp to warp at which half of the gain is "
                       "gone");
}

/// Reads or writes all of \p Memory.
__global__ void sweep(uint4 *Memory, size_t Count, bool Write, uint32_t *Sink) {
  uint32_t Sum = 0;
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x)
    if (Write)
      Memory[I] = make_uint4(0, 0, 0, 0);
    else {
      const uint4 V = __ldcg(Memory + I);
      Sum |= V.x | V.y | V.z | V.w;
    }
  // All memory is zero.
  if (Sum != 0)
    *Sink = Sum;
}

/// The time to read a buffer of twice L2 after half of L2 was read, and
/// after it was written. What L2 kept back shows as extra time.
inline void recordL2WritePolicy(Session &S) {
  const Device &D = S.device();
  Buffer<uint4> Small(D.L2Bytes / 2 / sizeof(uint4));
  Buffer<uint4> Large(2 * D.L2Bytes / sizeof(uint4));
  Buffer<uint32_t> Sink(1);
  Small.zero();
  Large.zero();
  Sink.zero();
  const auto Sweep = [&](const Buffer<uint4> &Memory, bool Write) {
    sweep<<<D.SmCount * 2, 1024>>>(Memory.get(), Memory.size(), Write,
                                   Sink.get());
    check(cudaGetLastError());
  };
  const auto ReadAfter = [&](bool Write) {
    Sweep(Small, Write);
    return 1e6 * milliseconds([&] { Sweep(Large, false); });
  };
  // In turns, so that a drift of the clock meets both.
  std::vector<double> Extra, Clean;
  for (unsigned Repeat = 0; Repeat != 25; ++Repeat) {
    Sweep(Large, false);
    Clean.push_back(ReadAfter(false));
    Extra.push_back(ReadAfter(true) - Clean.back());
  }
  if (Sink.download()[0] != 0)
    throw CudaFailure("a sweep of stored-sectors read wrong data");
  const inference::Estimate E = inference::estimate(Extra);
  // Bytes that were written, at the speed of the reads.
  const double Expected =
      inference::median(Clean) * double(Small.size()) / double(Large.size());
  const std::string Method =
      "extra time to read a buffer of twice L2 when half of L2 was "
      "written before, not read";
  S.measured(paths::levels_l2_dirty_flush, "ns", E, Method);
  const std::string Numbers =
      fmt::format("{}: {:.0f} ns [{:.0f}, {:.0f}], writing as much takes about "
                  "{:.0f} ns",
                  Method, E.Value, E.Low, E.High, Expected);
  if (inference::keepsWrites(E, Expected))
    S.word(paths::levels_l2_write_policy, "write-back", Numbers);
  else
    S.notMeasurable(paths::levels_l2_write_policy, "name",
                    "nothing shows that L2 keeps what is written: " + Numbers);
}

} // namespace storedSectors
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_STORED_SECTORS_STORETRAFFIC_CUH
