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

/// Where the words of a record go.
enum class Layout {
  Planes, ///< all first words side by side, then all second ones ...
  Record, ///< one after the other
  Apart   ///< as in records, but each into one of another block
};

/// Each thread loads the \p Count words of a record of its own, stores them one
/// at a time, and is gone: what most kernels do. That warps wait for their
/// loads keeps them from storing all at the same time; the more of them do the
/// less L1 merges.
template <unsigned Count, Layout Out>
__global__ void __launch_bounds__(UsualThreads)
    storeRecords(const unsigned *__restrict__ From, unsigned *Memory,
                 unsigned Records) {
  const unsigned At = blockIdx.x * UsualThreads + threadIdx.x;
  if (At >= Records)
    return;
  unsigned Words[Count];
#pragma unroll
  for (unsigned Word = 0; Word != Count; ++Word)
    Words[Word] = From[size_t(At) * Count + Word];
  // Volatile: nvcc would make vectors of some.
  volatile unsigned *To = Memory;
#pragma unroll
  for (unsigned Word = 0; Word != Count; ++Word) {
    const unsigned Far = (At + Word * (Records / Count)) % Records;
    if (Out == Layout::Planes)
      To[size_t(Word) * Records + At] = Words[Word];
    else
      To[size_t(Out == Layout::Apart ? Far : At) * Count + Word] = Words[Word];
  }
}

/// Milliseconds of storing so many records.
template <unsigned Count, Layout Out>
double timeOf(const Buffer<unsigned> &From, Buffer<unsigned> &Memory,
              unsigned Records) {
  const auto once = [&] {
    return queuedMilliseconds([&] {
      storeRecords<Count, Out>
          <<<(Records + UsualThreads - 1) / UsualThreads, UsualThreads>>>(
              From.get(), Memory.get(), Records);
    });
  };
  once();
  return inference::untilStable([&] { return once(); }, {.Relative = 0.01})
      .Value;
}

/// What L1 makes of stores that fill sectors in turns: of the stores to a
/// record of \p Count words, which are as many lines for a warp, the share that
/// goes to L2 by itself.
template <unsigned Count>
std::array<double, 2> aloneShare(Session &S, const Buffer<unsigned> &From,
                                 Buffer<unsigned> &Memory) {
  S.Progress(fmt::format("records of {} words", Count));
  const auto Records = unsigned(Memory.size() / Count);
  const double Together = timeOf<Count, Layout::Planes>(From, Memory, Records),
               Is = timeOf<Count, Layout::Record>(From, Memory, Records),
               Alone = timeOf<Count, Layout::Apart>(From, Memory, Records);
  return {double(Count),
          std::clamp((Is - Together) / (Alone - Together), 0.0, 1.0)};
}

void measureRecords(Session &S) {
  // All stays in L2. What the three take besides, the launch above all, goes
  // when one of their times is taken off the others.
  const size_t Words = S.device().L2Bytes / 4 / sizeof(unsigned);
  Buffer<unsigned> From(Words), Memory(Words);
  From.zero();
  Memory.zero();
  // Odd numbers: words that lie an even number of words apart meet in the banks
  // of L1, which would be counted for L2.
  std::vector<std::array<double, 2>> Points = {
      aloneShare<3>(S, From, Memory),  aloneShare<5>(S, From, Memory),
      aloneShare<7>(S, From, Memory),  aloneShare<9>(S, From, Memory),
      aloneShare<11>(S, From, Memory), aloneShare<13>(S, From, Memory)};
  S.curve(paths::levels_l2_stores_alone_by_lines,
          "lines that a store of a record's member touches [1]",
          "share that goes to L2 by itself [1]", std::move(Points),
          "4-byte stores of all members of a record by each thread, one after "
          "the other, which it has loaded from another; against planes, and "
          "members of other records in turns");
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
  measureRecords(S);
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
