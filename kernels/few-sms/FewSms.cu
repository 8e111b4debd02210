//===- FewSms.cu - What a few SMs get out of L2 and DRAM ------------------===//
//
// All SMs together are held up by L2, by DRAM and by the wires between; a few
// of them have more of each than their share. A grid of ten blocks is not a
// thirteenth as fast as one that fills the GPU.
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

/// One block for each SM: the GPU hands blocks to empty SMs first.
constexpr unsigned Threads = 1024;
constexpr unsigned InFlight = 8, SectorBytes = 32, LineBytes = 128;

/// What a block goes over, again and again; past L1, all of them in L2.
constexpr unsigned SliceBytes = InFlight * Threads * sizeof(uint4);

/// Each block reads its slice \p Rounds times. \p Zero is 0, which only the
/// caller knows, so that no load or store can be taken out of the loop.
__global__ void __launch_bounds__(Threads)
    readSlices(const uint4 *Memory, unsigned Rounds, unsigned Zero,
               unsigned *Out) {
  const uint4 *From =
      Memory + size_t(blockIdx.x) * InFlight * Threads + threadIdx.x;
  unsigned Sum = 0;
#pragma unroll 1
  for (unsigned Round = 0; Round != Rounds; ++Round) {
#pragma unroll
    for (unsigned I = 0; I != InFlight; ++I) {
      uint4 V;
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
                   : "l"(From + I * Threads));
      Sum += V.x + V.y + V.z + V.w;
    }
    From += Zero;
  }
  if (Sum == 1) // the buffer holds other values
    *Out = Sum;
}

/// All blocks together read \p Vectors once, of which each thread has a
/// multiple of InFlight.
__global__ void __launch_bounds__(Threads)
    readOnce(const uint4 *Memory, size_t Vectors, unsigned *Out) {
  const size_t All = size_t(gridDim.x) * Threads;
  unsigned Sum = 0;
  for (size_t At = size_t(blockIdx.x) * Threads + threadIdx.x; At < Vectors;
       At += InFlight * All) {
    uint4 V[InFlight];
#pragma unroll
    for (unsigned I = 0; I != InFlight; ++I)
      V[I] = __ldcs(Memory + At + I * All);
#pragma unroll
    for (unsigned I = 0; I != InFlight; ++I)
      Sum += V[I].x + V[I].y + V[I].z + V[I].w;
  }
  if (Sum == 1)
    *Out = Sum;
}

__global__ void __launch_bounds__(Threads)
    writeSlices(uint4 *Memory, unsigned Rounds, unsigned Zero) {
  uint4 *To = Memory + size_t(blockIdx.x) * InFlight * Threads + threadIdx.x;
#pragma unroll 1
  for (unsigned Round = 0; Round != Rounds; ++Round) {
#pragma unroll
    for (unsigned I = 0; I != InFlight; ++I)
      To[I * Threads] = {Round, Round, Round, Round};
    To += Zero;
  }
}

/// Each lane stores a word of a line of its own.
__global__ void __launch_bounds__(Threads)
    scatter(unsigned *Memory, unsigned Rounds) {
  constexpr unsigned Words = SliceBytes / sizeof(unsigned);
  static_assert(Words == Threads * LineBytes / sizeof(unsigned));
  unsigned *To = Memory + size_t(blockIdx.x) * Words +
                 threadIdx.x * (LineBytes / sizeof(unsigned));
#pragma unroll 4
  for (unsigned Round = 0; Round != Rounds; ++Round)
    To[Round % (LineBytes / sizeof(unsigned))] = Round;
}

/// GB/s of \p Bytes that \p Launch moves, best of what is stable.
template <class Kernel> double rateOf(double Bytes, Kernel Launch) {
  const auto once = [&] { return queuedMilliseconds(Launch); };
  once();
  return inference::untilStable(
             [&] { return gigabytesPerSecond(Bytes, once()); },
             {.Relative = 0.01})
      .Value;
}

void run(Session &S) {
  constexpr unsigned Rounds = 200, Scatters = InFlight * Rounds;
  const unsigned All = S.device().SmCount;
  std::vector<unsigned> Counts;
  for (unsigned Sms = 1; Sms < All; Sms *= 2)
    Counts.push_back(Sms);
  Counts.push_back(All);
  // So large that little of it is in L2.
  const size_t Vectors =
      std::max<size_t>(16 * S.device().L2Bytes, size_t(All) * SliceBytes) /
      sizeof(uint4);
  Buffer<uint4> Memory(Vectors);
  Memory.zero();
  const Buffer<unsigned> Out(1);
  auto *const Words = reinterpret_cast<unsigned *>(Memory.get());
  std::vector<std::array<double, 2>> Read, Written, Scattered, Dram;
  for (const unsigned Sms : Counts) {
    S.Progress(fmt::format("{} SMs", Sms));
    const double Bytes = double(Sms) * SliceBytes * Rounds;
    const double Sectors = double(Sms) * Threads * Scatters * SectorBytes;
    Read.push_back({double(Sms), rateOf(Bytes, [&] {
                      readSlices<<<Sms, Threads>>>(Memory.get(), Rounds, 0,
                                                   Out.get());
                    })});
    Written.push_back({double(Sms), rateOf(Bytes, [&] {
                         writeSlices<<<Sms, Threads>>>(Memory.get(), Rounds, 0);
                       })});
    Scattered.push_back({double(Sms), rateOf(Sectors, [&] {
                           scatter<<<Sms, Threads>>>(Words, Scatters);
                         })});
    const size_t Step = size_t(Sms) * Threads * InFlight;
    const size_t Whole = Vectors / Step * Step;
    Dram.push_back({double(Sms), rateOf(double(Whole * sizeof(uint4)), [&] {
                      readOnce<<<Sms, Threads>>>(Memory.get(), Whole,
                                                 Out.get());
                    })});
  }
  const std::string X = "SMs, a block of 1024 threads on each [1]";
  S.curve(paths::levels_l2_bandwidth_by_sms, X, "read [GB/s]", std::move(Read),
          "16-byte loads past L1 that hit L2, 128 KiB for each SM");
  S.curve(paths::levels_l2_bandwidth_write_by_sms, X, "written [GB/s]",
          std::move(Written),
          "16-byte stores that stay in L2, 128 KiB for each SM");
  S.curve(paths::levels_l2_bandwidth_scattered_by_sms, X,
          "sectors stored to [GB/s]", std::move(Scattered),
          "4-byte stores that stay in L2, each lane in a line of its own");
  S.curve(paths::levels_dram_bandwidth_by_sms, X, "read [GB/s]",
          std::move(Dram), "16-byte loads of 16 times L2's capacity");
}

const Registration Registered({
    .Name = "few-sms",
    .Measures = "bandwidth of L2 and DRAM for grids that use a few SMs",
    .When = Stage::Bandwidth,
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
