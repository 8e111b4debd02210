//===- ScatteredLoads.cu - Pieces of memory in random order ---------------===//
//
// DRAM is read in longer pieces than sectors, and a row of it has to be opened
// first; L2 looks a line up for one sector of it as for all four. What a
// program loads here and there costs more than its bytes.
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
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::harness {
namespace {

constexpr unsigned Threads = 256, BlocksPerSm = 8, Rounds = 64;

/// Where to load from, and what to call what is found.
struct Level {
  size_t Bytes;
  profile::EntryPath Value, Curve;
  std::string_view Where;
};

/// Groups of \p Lanes neighbouring lanes load 16 bytes each that lie side by
/// side, each group at a random one of the \p Pieces. (Of smaller words there
/// would be so many that their addresses, not L2, take the time.) Past L1,
/// which would have a part of what lies in L2.
__global__ void __launch_bounds__(Threads)
    gather(const uint4 *Memory, unsigned Pieces, unsigned Lanes,
           unsigned *Out) {
  const unsigned Thread = blockIdx.x * Threads + threadIdx.x;
  const unsigned Group = Thread / Lanes, Groups = gridDim.x * Threads / Lanes;
  unsigned Sum = 0;
#pragma unroll 8
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    const size_t Piece = mixed(Group + Round * Groups) & (Pieces - 1);
    Sum += __ldcg(Memory + Piece * Lanes + Thread % Lanes).x;
  }
  if (Sum == 1) // the buffer holds zeros
    *Out = Sum;
}

void measure(Session &S, const Level &From) {
  const Device &D = S.device();
  const size_t Words = std::bit_floor(From.Bytes) / sizeof(uint4);
  const Buffer<unsigned> Out(1);
  Buffer<uint4> Memory(Words);
  Memory.zero();
  const unsigned Blocks = BlocksPerSm * D.SmCount;
  const double Bytes = double(Blocks) * Threads * Rounds * sizeof(uint4);
  const std::string Method =
      fmt::format("in random order out of {}", From.Where);
  std::vector<std::array<double, 2>> Points;
  for (const unsigned PieceBytes : {32u, 64u, 128u}) {
    S.Progress(
        fmt::format("pieces of {} bytes out of {}", PieceBytes, From.Where));
    const unsigned Lanes = PieceBytes / sizeof(uint4);
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
      S.measured(From.Value, "GB/s", Rate, "loads of whole sectors " + Method);
  }
  S.curve(From.Curve, "bytes that lie side by side [B]", "loaded [GB/s]",
          std::move(Points), "loads of pieces " + Method);
}

void run(Session &S) {
  const size_t L2Bytes = S.device().L2Bytes;
  // So large that little of it is in L2.
  measure(S, {16 * L2Bytes, paths::levels_dram_bandwidth_scattered,
              paths::levels_dram_bandwidth_scattered_by_bytes,
              "16 times L2's capacity"});
  // So small that both sides of L2 have room for it.
  measure(S, {L2Bytes / 4, paths::levels_l2_bandwidth_gathered,
              paths::levels_l2_bandwidth_gathered_by_bytes,
              "a quarter of L2's capacity"});
}

const Registration Registered({
    .Name = "scattered-loads",
    .Measures = "bandwidth of DRAM and L2 for loads of single sectors",
    .When = Stage::Bandwidth,
    .Provides = {{paths::levels_dram_bandwidth_scattered, "GB/s"},
                 {paths::levels_l2_bandwidth_gathered, "GB/s"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
