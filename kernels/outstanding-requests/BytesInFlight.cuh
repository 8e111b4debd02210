//===- BytesInFlight.cuh - Little's law on one SM ---------------*- C++ -*-===//
//
// One block on one SM reads L2 with ever more warps and loads in flight until
// its bandwidth grows no more. That bandwidth times the latency of a lone load
// is what has to be in flight to reach it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_OUTSTANDING_REQUESTS_BYTESINFLIGHT_CUH
#define WARPWISE_KERNELS_OUTSTANDING_REQUESTS_BYTESINFLIGHT_CUH

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"
#include "profiler/inference/Curves.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warpwise::harness {
inline namespace outstandingRequests {

/// Bytes that the stream walks through, again and again; they stay in L2.
constexpr unsigned StreamBytes = 1 << 20;
/// 16 bytes a lane.
constexpr unsigned BytesPerWarpLoad = 512;

/// Each warp issues \p Loads loads, waits for them, and goes on. The warps
/// walk the stream together, so that no two read the same line in one pass.
template <unsigned Loads>
__global__ void streamL2(const uint4 *Stream, unsigned Batches,
                         uint32_t *Cycles, uint32_t *Sink) {
  constexpr unsigned Words = StreamBytes / sizeof(uint4);
  unsigned At = threadIdx.x;
  uint32_t Sum = 0;
  const auto Batch = [&] {
    uint4 V[Loads];
#pragma unroll
    for (unsigned L = 0; L != Loads; ++L) {
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(V[L].x), "=r"(V[L].y), "=r"(V[L].z), "=r"(V[L].w)
                   : "l"(Stream + (At & (Words - 1))));
      At += blockDim.x;
    }
    // A branch that waits for no load keeps all of them before the first use.
    consume(At);
#pragma unroll
    for (unsigned L = 0; L != Loads; ++L)
      Sum |= V[L].x | V[L].y | V[L].z | V[L].w;
    consume(Sum);
  };
  // One pass brings the stream to the near side of L2.
  for (unsigned I = 0; I < Words / (blockDim.x * Loads); ++I)
    Batch();
  __syncthreads();
  const uint32_t Begin = clockNow();
#pragma unroll 1
  for (unsigned I = 0; I < Batches; ++I)
    Batch();
  __syncthreads();
  const uint32_t End = clockNow();
  if (threadIdx.x == 0)
    *Cycles = End - Begin;
  // The stream is zero.
  if (Sum != 0)
    *Sink = Sum;
}

struct StreamKernel {
  unsigned Loads;
  void (*Run)(const uint4 *, unsigned, uint32_t *, uint32_t *);
};
constexpr StreamKernel StreamKernels[] = {
    {1, streamL2<1>}, {2, streamL2<2>}, {4, streamL2<4>}, {8, streamL2<8>}};

/// What one configuration reached.
struct StreamPoint {
  double BytesAsked = 0; ///< in flight at most, by warps x loads
  double BytesPerCycle = 0;
  double CyclesPerBatch = 0;
};

inline void recordBytesInFlight(Session &S) {
  Buffer<uint4> Stream(StreamBytes / sizeof(uint4));
  Stream.zero();
  Buffer<uint32_t> Cycles(1), Sink(1);
  Sink.zero();
  std::vector<StreamPoint> Points;
  for (const StreamKernel &K : StreamKernels)
    for (unsigned Warps = 1; Warps <= 32; Warps *= 2) {
      const double Asked = double(Warps) * K.Loads * BytesPerWarpLoad;
      const unsigned Batches = std::max(32u, unsigned(2 * StreamBytes / Asked));
      std::vector<double> Took;
      for (unsigned Repeat = 0; Repeat != 3; ++Repeat) {
        K.Run<<<1, 32 * Warps>>>(Stream.get(), Batches, Cycles.get(),
                                 Sink.get());
        finish();
        Took.push_back(Cycles.download()[0]);
      }
      const double Best = *std::min_element(Took.begin(), Took.end());
      Points.push_back({Asked, Asked * Batches / Best, Best / Batches});
    }
  if (Sink.download()[0] != 0)
    throw CudaFailure("a stream from L2 read wrong data");

  // One warp with one load at a time: the latency, with the loop around it.
  const double Latency = Points.front().CyclesPerBatch;
  double Most = 0;
  for (const StreamPoint &P : Points)
    Most = std::max(Most, P.BytesPerCycle);
  std::sort(Points.begin(), Points.end(), [](const auto &A, const auto &B) {
    return A.BytesAsked < B.BytesAsked;
  });
  std::vector<std::array<double, 2>> Curve;
  for (const StreamPoint &P : Points)
    Curve.push_back({P.BytesAsked, P.BytesPerCycle});
  const std::string Setup =
      "one block on one SM, 1 to 32 warps with 1 to 8 loads of 16 bytes a "
      "lane, hitting L2";
  S.curve(paths::concurrency_bandwidth_by_bytes_in_flight, "asked for [B]",
          "bandwidth of one SM [B/clk]", Curve, Setup);
  S.exact(paths::concurrency_sm_l2_bandwidth, "B/clk", Most,
          Setup + ", best of all", unsigned(Points.size()));
  S.inferred(paths::concurrency_bytes_in_flight_per_sm, "B", Most * Latency,
             fmt::format("Little's law: {:.1f} B/clk of one SM from L2 x "
                         "{:.0f} clk of a lone load",
                         Most, Latency));
  // The next power of two is as near as this sweep can see.
  S.check(paths::concurrency_bytes_in_flight_per_sm,
          "fewest bytes asked for that reach 95 % of that bandwidth, to a "
          "power of two",
          inference::firstReaching(Curve, 0.95), 1);
}

} // namespace outstandingRequests
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_OUTSTANDING_REQUESTS_BYTESINFLIGHT_CUH
