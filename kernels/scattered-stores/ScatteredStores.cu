//===- ScatteredStores.cu - Stores of parts of sectors --------------------===//
//
// L2 takes whole sectors as fast as its wires allow. A store of 4 of a sector's
// 32 bytes has to be merged with what is there, and a warp whose lanes lie far
// apart sends as many of them as it has lanes.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Queued.h"
#include "kernels/harness/Session.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace warpwise::harness {
namespace {

constexpr unsigned Threads = 512, BlocksPerSm = 4, SectorBytes = 32;

/// Each lane stores a word, neighbouring lanes \p Stride words apart; every
/// store of a warp has sectors of its own until the buffer is full.
__global__ void __launch_bounds__(Threads)
    scatter(unsigned *Memory, unsigned Words, unsigned Stride, unsigned Rounds,
            unsigned Value) {
  const unsigned Thread = blockIdx.x * Threads + threadIdx.x;
  const unsigned All = gridDim.x * Threads;
  unsigned At = Thread * Stride % Words;
  const unsigned Step = unsigned(uint64_t(All) * Stride % Words);
#pragma unroll 4
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    Memory[At] = Value;
    At += Step;
    At = At >= Words ? At - Words : At;
  }
}

void run(Session &S) {
  const Device &D = S.device();
  const unsigned Blocks = BlocksPerSm * D.SmCount, Rounds = 256;
  // Stays in L2, and is no multiple of what the grid steps over.
  const auto Words = unsigned(D.L2Bytes / 4 / sizeof(unsigned));
  Buffer<unsigned> Memory(Words);
  Memory.zero();
  const double Stores = double(Blocks) * Threads * Rounds;
  std::vector<std::array<double, 2>> Points;
  for (const unsigned StrideBytes : {32u, 64u, 128u, 256u, 4128u}) {
    S.Progress(fmt::format("lanes {} bytes apart", StrideBytes));
    const auto once = [&] {
      return queuedMilliseconds([&] {
        scatter<<<Blocks, Threads>>>(Memory.get(), Words, StrideBytes / 4,
                                     Rounds, 0);
      });
    };
    once();
    const inference::Estimate Rate = inference::untilStable(
        [&] { return gigabytesPerSecond(SectorBytes * Stores, once()); },
        {.Relative = 0.01});
    Points.push_back({double(StrideBytes), Rate.Value});
    if (StrideBytes == 128)
      S.measured(paths::levels_l2_bandwidth_scattered, "GB/s", Rate,
                 "4-byte stores, each lane in a line of its own, that stay in "
                 "L2, 32 bytes counted for each");
  }
  S.curve(paths::levels_l2_bandwidth_scattered_by_stride,
          "distance of neighbouring lanes [B]", "sectors stored to [GB/s]",
          std::move(Points), "4-byte stores of all SMs that stay in L2");
}

const Registration Registered({
    .Name = "scattered-stores",
    .Measures = "bandwidth of L2 for stores of parts of sectors",
    .When = Stage::Bandwidth,
    .Provides = {{paths::levels_l2_bandwidth_scattered, "GB/s"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
