//===- ConstantWalk.cu - Constants that do not stay in the cache ----------===//
//
// The first level of the constant caches is small. What a warp reads again
// after more than that comes from the second level, line by line.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Session.h"
#include "profiler/inference/Statistics.h"
#include "profiler/profile/Paths.h"

#include <array>
#include <bit>
#include <vector>

namespace warpwise::harness {
namespace {

constexpr unsigned Warps = 32, Loads = 4096;
/// All that a kernel's constant arrays can have.
constexpr unsigned TableBytes = 65536, TableWords = TableBytes / 4;

__constant__ unsigned Table[TableWords];

/// Each warp reads \p Step words further on with every load, around the first
/// \p Words of the table, and begins \p Apart words after the warp before.
__global__ void __launch_bounds__(Warps * 32)
    walk(unsigned Step, unsigned Words, unsigned Apart, long long *Cycles,
         unsigned *Out) {
  unsigned At = threadIdx.x / 32 * Apart & (Words - 1), Sum = 0;
  __syncthreads();
  const long long Start = clock64();
#pragma unroll 4
  for (unsigned I = 0; I != Loads; ++I) {
    Sum += Table[At];
    At = (At + Step) & (Words - 1);
  }
  __syncthreads();
  if (Sum == 1) // the table holds zeros
    *Out = Sum;
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = clock64() - Start;
}

class Walks {
  unsigned Sms, Step;
  Buffer<long long> Cycles;
  Buffer<unsigned> Out{1};

public:
  Walks(unsigned Sms, unsigned LineBytes)
      : Sms(Sms), Step(LineBytes / 4), Cycles(Sms) {}

  /// SM cycles of a load.
  double once(unsigned Bytes, unsigned Apart) {
    walk<<<Sms, Warps * 32>>>(Step, Bytes / 4, Apart, Cycles.get(), Out.get());
    check(cudaGetLastError());
    std::vector<double> Each;
    for (long long C : Cycles.download())
      Each.push_back(double(C) / (double(Warps) * Loads));
    return inference::mean(Each);
  }
};

void run(Session &S) {
  const auto Line = unsigned(S.need(paths::levels_constant_line));
  Walks Of(S.device().SmCount, std::bit_floor(Line));
  // Not a multiple of a line's words times a power of two, so that no two warps
  // begin in lines of the same place.
  constexpr unsigned FarApart = 1000;
  const auto untilStable = [&](unsigned Apart, double Relative) {
    return inference::untilStable(
        [&] { return Of.once(TableBytes, Apart); },
        {.Least = 5, .Most = 25, .Relative = Relative});
  };
  S.measured(paths::levels_constant_l15_cycles_per_line, "clk",
             untilStable(FarApart, 0.01),
             "32 warps on each SM walk around 64 KiB from different places, a "
             "line a load");
  S.measured(paths::levels_constant_l15_cycles_per_line_in_step, "clk",
             untilStable(0, 0.05),
             "32 warps on each SM walk around 64 KiB from the same place, a "
             "line a load");
  std::vector<std::array<double, 2>> Points;
  for (unsigned Bytes = 512; Bytes <= TableBytes; Bytes *= 2)
    Points.push_back({double(Bytes), Of.once(Bytes, FarApart)});
  S.curve(paths::levels_constant_l15_cycles_by_footprint, "footprint [B]",
          "SM cycles per warp load [clk]", std::move(Points),
          "32 warps on each SM walk from different places, a line a load");
}

const Registration Registered({
    .Name = "constant-walk",
    .Measures = "what lines of constant memory cost that the cache has lost",
    .When = Stage::Warp,
    .Provides = {{paths::levels_constant_l15_cycles_per_line, "clk"},
                 {paths::levels_constant_l15_cycles_per_line_in_step, "clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
