//===- ScatteredLoads.cu - Pieces of memory in random order ---------------===//
//
// DRAM is read in longer pieces than sectors, and a row of it has to be opened
// first. What a program loads here and there costs more than its bytes.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Queued.h"
#include "kernels/harness/Random.cuh"
#include "kernels/harness/Session.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace warpwise::harness {
namespace {

constexpr unsigned Threads = 256, BlocksPerSm = 8, Rounds = 64;

/// Groups of \p Lanes neighbouring lanes load words that lie side by side, each
/// group at a random one of the \p Pieces.
__global__ void __launch_bounds__(Threads)
    gather(const unsigned *Memory, unsigned Pieces, unsigned Lanes,
           unsigned *Out) {
  const unsigned Thread = blockIdx.x * Threads + threadIdx.x;
  const unsigned Group = Thread / Lanes, Groups = gridDim.x * Threads / Lanes;
  unsigned Sum = 0;
#pragma unroll 8
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    const size_t Piece = mixed(Group + Round * Groups) & (Pieces - 1);
    Sum += Memory[Piece * Lanes + Thread % Lanes];
  }
  if (Sum == 1) // the buffer holds zeros
    *Out = Sum;
}

void run(Session &S) {
  const Device &D = S.device();
  // So large that little of it is in L2.
  const size_t Words = std::bit_floor(16 * D.L2Bytes) / sizeof(unsigned);
  const Buffer<unsigned> Out(1);
  Buffer<unsigned> Memory(Words);
  Memory.zero();
  const unsigned Blocks = BlocksPerSm * D.SmCount;
  const double Bytes = double(Blocks) * Threads * Rounds * sizeof(unsigned);
  std::vector<std::array<double, 2>> Points;
  for (const unsigned PieceBytes : {32u, 64u, 128u}) {
    S.Progress(fmt::format("pieces of {} bytes", PieceBytes));
    const unsigned Lanes = PieceBytes / sizeof(unsigned);
    const auto once = [&] {
      return queuedMilliseconds([&] {
        gather<<<Blocks, Threads>>>(Memory.get(), unsigned(Words / Lanes),
                                    Lanes, Out.get());
      });
    };
    once();
    const inference::Estimate Rate = inference::untilStable(
        [&] { return gigabytesPerSecond(Bytes, once()); }, {.Relative = 0.01});
    Points.push_back({double(PieceBytes), Rate.Value});
    if (PieceBytes == 32)
      S.measured(paths::levels_dram_bandwidth_scattered, "GB/s", Rate,
                 "loads of whole sectors in random order out of 16 times L2's "
                 "capacity");
  }
  S.curve(paths::levels_dram_bandwidth_scattered_by_bytes,
          "bytes that lie side by side [B]", "loaded [GB/s]", std::move(Points),
          "loads of pieces in random order out of 16 times L2's capacity");
}

const Registration Registered({
    .Name = "scattered-loads",
    .Measures = "bandwidth of DRAM for loads of single sectors",
    .When = Stage::Bandwidth,
    .Provides = {{paths::levels_dram_bandwidth_scattered, "GB/s"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
