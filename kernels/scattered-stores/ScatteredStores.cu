//===- ScatteredStores.cu - Stores of parts of sectors --------------------===//
//
// L2 takes whole sectors as fast as its wires allow. A store of 4 of a sector's
// 32 bytes has to be merged with what is there, and a warp whose lanes lie far
// apart sends as many of them as it has lanes. Stores of the members of a
// record, one after the other, fill a sector in turns; as long as they touch
// few lines L1 sends them on together.
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

/// Most kernels have about as many threads in a block.
constexpr unsigned UsualThreads = 256;

/// Each thread stores the \p Count words of a record of its own, side by side
/// with those of its neighbours, one word at a time, and is gone: what most
/// kernels do. The more warps store at the same time the less L1 merges.
template <unsigned Count>
__global__ void __launch_bounds__(UsualThreads)
    storeRecords(unsigned *Memory, unsigned Records) {
  const unsigned At = blockIdx.x * UsualThreads + threadIdx.x;
  if (At >= Records)
    return;
  // Volatile: nvcc would make vectors of some.
  volatile unsigned *Record = Memory + size_t(At) * Count;
#pragma unroll
  for (unsigned Word = 0; Word != Count; ++Word)
    Record[Word] = Word;
}

/// Stores as many words as a record of four has, as one.
__global__ void __launch_bounds__(UsualThreads)
    storeVectors(uint4 *Memory, unsigned Records) {
  const unsigned At = blockIdx.x * UsualThreads + threadIdx.x;
  if (At < Records)
    Memory[At] = {At, At, At, At};
}

/// GB/s of \p Records of \p Count words that \p Store stores, each byte counted
/// once.
template <class Kernel>
double rateOf(Kernel Store, unsigned Count, unsigned Records) {
  const auto once = [&] {
    return queuedMilliseconds(
        [&] { Store((Records + UsualThreads - 1) / UsualThreads, Records); });
  };
  once();
  return inference::untilStable(
             [&] {
               return gigabytesPerSecond(
                   double(Records) * Count * sizeof(unsigned), once());
             },
             {.Relative = 0.01})
      .Value;
}

template <unsigned Count>
double recordRate(Session &S, Buffer<unsigned> &Memory, size_t Words) {
  S.Progress(fmt::format("records of {} words", Count));
  return rateOf(
      [&](unsigned Blocks, unsigned Records) {
        storeRecords<Count><<<Blocks, UsualThreads>>>(Memory.get(), Records);
      },
      Count, unsigned(Words / Count));
}

/// What L1 makes of stores that fill sectors in turns: of the stores to a
/// record of so many words, which are as many lines for a warp, the share that
/// goes to L2 by itself. \p Partial is the rate of L2 for stores of parts of
/// sectors that lie side by side.
void measureRecords(Session &S, double Partial) {
  // Far more than L2 holds, so that the launch of the kernel does not count.
  // Records of two words would be bound by the launch of blocks.
  const size_t Words = 4 * S.device().L2Bytes / sizeof(unsigned);
  Buffer<unsigned> Memory(Words);
  const double Whole = rateOf(
      [&](unsigned Blocks, unsigned Records) {
        storeVectors<<<Blocks, UsualThreads>>>(
            reinterpret_cast<uint4 *>(Memory.get()), Records);
      },
      4, unsigned(Words / 4));
  std::vector<std::array<double, 2>> Points;
  const auto add = [&](unsigned Count, double Rate) {
    // The time of a byte: together, each by itself, and as it is.
    const double Together = 1 / Whole, Alone = Count / Partial, Is = 1 / Rate;
    Points.push_back(
        {double(Count),
         std::clamp((Is - Together) / (Alone - Together), 0.0, 1.0)});
  };
  add(3, recordRate<3>(S, Memory, Words));
  add(4, recordRate<4>(S, Memory, Words));
  add(5, recordRate<5>(S, Memory, Words));
  add(6, recordRate<6>(S, Memory, Words));
  add(7, recordRate<7>(S, Memory, Words));
  add(8, recordRate<8>(S, Memory, Words));
  add(12, recordRate<12>(S, Memory, Words));
  S.curve(paths::levels_l2_stores_alone_by_lines,
          "lines that a store of a record's member touches [1]",
          "share that goes to L2 by itself [1]", std::move(Points),
          "4-byte stores of all members of a record by each thread, one after "
          "the other, against whole sectors and parts of them");
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
  const double SideBySide = Points.front()[1];
  S.curve(paths::levels_l2_bandwidth_scattered_by_stride,
          "distance of neighbouring lanes [B]", "sectors stored to [GB/s]",
          std::move(Points), "4-byte stores of all SMs that stay in L2");
  measureRecords(S, SideBySide);
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
