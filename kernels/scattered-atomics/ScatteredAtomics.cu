//===- ScatteredAtomics.cu - Atomics on words that others hit, too --------===//
//
// A histogram's atomics: lanes hit any of some words, and the fewer there are,
// the more often two of them want the same one. And those of blocks that all
// add to one row: each lane has a word of its own, on few lines.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Queued.h"
#include "kernels/harness/Random.cuh"
#include "kernels/harness/Session.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

namespace warpwise::harness {
namespace {

constexpr unsigned Threads = 256, BlocksPerSm = 8;

/// As PTX, since nvcc makes a single atomic of those of a warp where it sees
/// that all hit one word.
template <class T> __device__ void add(T *Where, T Value) {
  if constexpr (std::is_floating_point_v<T>)
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(Where), "f"(Value)
                 : "memory");
  else
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(Where), "r"(Value)
                 : "memory");
}

/// \p Words is a power of two.
template <class T>
__global__ void __launch_bounds__(Threads)
    count(T *Table, unsigned Words, unsigned Rounds) {
  const unsigned Thread = blockIdx.x * Threads + threadIdx.x;
  const unsigned All = gridDim.x * Threads;
#pragma unroll 4
  for (unsigned Round = 0; Round != Rounds; ++Round)
    add(Table + (mixed(Thread + Round * All) & (Words - 1)), T(1));
}

/// Lanes come in groups of \p Group to words that lie side by side, in a table
/// of \p Words, a power of two.
__global__ void __launch_bounds__(Threads)
    sumUp(unsigned *Table, unsigned Words, unsigned Rounds, unsigned Group) {
  const unsigned Thread = blockIdx.x * Threads + threadIdx.x;
  const unsigned All = gridDim.x * Threads;
#pragma unroll 4
  for (unsigned Round = 0; Round != Rounds; ++Round)
    add(Table + ((Thread + Round * All) / Group & (Words - 1)), 1u);
}

/// Warps go over \p Lines lines side by side, a power of two, each of them
/// through all words of a line at once.
__global__ void __launch_bounds__(Threads)
    sweep(unsigned *Table, unsigned Lines, unsigned Rounds) {
  const unsigned Warp = (blockIdx.x * Threads + threadIdx.x) / 32;
  // Odd, so that all lines come up as often.
  constexpr unsigned Next = 7;
#pragma unroll 4
  for (unsigned Round = 0; Round != Rounds; ++Round)
    add(Table + (Warp + Round * Next & (Lines - 1)) * 32 + threadIdx.x % 32,
        1u);
}

/// Operations of a lane in a clock of an SM, of which \p Launch does \p PerSm,
/// each adding 1 to a word of \p Table.
template <class T, class Function>
double rateOf(Session &S, double Mhz, Buffer<T> &Table, double PerSm,
              Function Launch) {
  Table.zero();
  queuedMilliseconds(Launch);
  const std::vector<T> Counted = Table.download();
  // Whole numbers of this size are exact as floats, too.
  if (std::accumulate(Counted.begin(), Counted.end(), 0.0) !=
      PerSm * S.device().SmCount)
    throw CudaFailure("atomics did not add up to what they should");
  return inference::untilStable(
             [&] { return PerSm / (queuedMilliseconds(Launch) * 1000 * Mhz); },
             {.Least = 5, .Most = 20, .Relative = 0.01})
      .Value;
}

constexpr const char *RateUnit =
    "operations of a lane per cycle and SM [1/clk]";

template <class T>
void measure(Session &S, double Mhz, profile::EntryPath Path,
             const char *What) {
  const unsigned Blocks = BlocksPerSm * S.device().SmCount;
  std::vector<std::array<double, 2>> Points;
  for (unsigned Words = 1; Words <= 1u << 18; Words *= 2) {
    S.Progress(fmt::format("{}s on {} words", What, Words));
    const unsigned Rounds = Words < 4096 ? 4 : 64;
    Buffer<T> Table(Words);
    Points.push_back(
        {double(Words),
         rateOf(S, Mhz, Table, double(Rounds) * Threads * BlocksPerSm, [&] {
           count<T><<<Blocks, Threads>>>(Table.get(), Words, Rounds);
         })});
  }
  S.curve(Path, "words that are hit", RateUnit, std::move(Points),
          fmt::format("atomicAdd of {}s without its result, each lane on a "
                      "random word, all SMs",
                      What));
}

/// Lines that lie side by side share slices of L2: of few lines, all SMs are
/// served by as few slices as those lie in.
void measureLines(Session &S, double Mhz) {
  constexpr unsigned Rounds = 64, Words = 32;
  const unsigned Blocks = BlocksPerSm * S.device().SmCount;
  std::vector<std::array<double, 2>> Points;
  for (unsigned Lines = 1; Lines <= 1u << 14; Lines *= 2) {
    S.Progress(fmt::format("integers on {} lines", Lines));
    Buffer<unsigned> Table(Lines * Words);
    Points.push_back(
        {double(Lines),
         rateOf(S, Mhz, Table, double(Rounds) * Threads * BlocksPerSm, [&] {
           sweep<<<Blocks, Threads>>>(Table.get(), Lines, Rounds);
         })});
  }
  S.curve(paths::warp_atomics_global_integers_by_lines, "lines that are hit",
          RateUnit, std::move(Points),
          "atomicAdd of integers without its result, each warp on all words of "
          "one of these lines, which lie side by side, all SMs");
}

/// Lanes of a warp that come to one word take turns, while warps have words of
/// their own: what a turn takes beyond the first. With eight lanes to a word, a
/// warp keeps within a sector.
void measureAgain(Session &S, double Mhz) {
  constexpr unsigned Words = 1u << 20, Rounds = 64, Group = 8, Warp = 32;
  const Device &D = S.device();
  const unsigned Blocks = BlocksPerSm * D.SmCount;
  const double PerThread = double(Rounds) * Threads * BlocksPerSm;
  Buffer<unsigned> Table(Words);
  Table.zero();
  const auto clocksOfRequest = [&](unsigned Lanes) {
    return queuedMilliseconds([&] {
             sumUp<<<Blocks, Threads>>>(Table.get(), Words, Rounds, Lanes);
           }) *
           1000 * Mhz / (PerThread / Warp);
  };
  clocksOfRequest(Group);
  const std::vector<unsigned> Counted = Table.download();
  if (std::accumulate(Counted.begin(), Counted.end(), 0.0) !=
      PerThread * D.SmCount)
    throw CudaFailure("atomics did not add up to what they should");
  S.measured(paths::warp_atomics_global_again_throughput, "1/clk",
             inference::untilStable(
                 [&] {
                   // Without groups a request is four sectors and no lane
                   // comes second.
                   const double Sector = clocksOfRequest(1) / 4;
                   return (Group - 1) / (clocksOfRequest(Group) - Sector);
                 },
                 {.Least = 5, .Most = 20, .Relative = 0.01}),
             "atomicAdd of integers without its result, eight lanes on a word "
             "and four words in a sector: turns of a sector beyond the first "
             "per cycle and SM, all SMs");
}

void run(Session &S) {
  const std::optional<double> Mhz = S.value(paths::device_clock);
  if (!Mhz)
    throw Skip("rates are in clocks, and device.clock was not measured "
               "(--only clock, too)");
  measureAgain(S, *Mhz);
  measureLines(S, *Mhz);
  measure<unsigned>(S, *Mhz, paths::warp_atomics_global_integers_by_words,
                    "integer");
  measure<float>(S, *Mhz, paths::warp_atomics_global_floats_by_words, "float");
}

const Registration Registered({
    .Name = "scattered-atomics",
    .Measures = "atomics on random words and on few lines of global memory",
    .When = Stage::Warp,
    .Provides = {{paths::warp_atomics_global_again_throughput, "1/clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
