//===- LanePatterns.h - Where the 32 lanes of a warp load -------*- C++ -*-===//
//
// Byte offsets of the lanes of one request: the patterns of Fang et al. 2017
// (sections 4.2, 4.3 and 6.2), Mei et al.'s strides, and random ones. Shared by
// all benchmarks of warp requests; no CUDA.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_LANEPATTERNS_H
#define WARPWISE_KERNELS_HARNESS_LANEPATTERNS_H

#include "profiler/warp/WarpCost.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace warpwise::harness {

/// Byte offset of every lane; all lanes are active.
using Pattern = warp::LaneAddresses;

constexpr unsigned WarpLanes = 32;
constexpr uint32_t AllLanes = ~0u;
/// What 32 lanes of 4 bytes cover: a line of L1, a row of shared memory.
constexpr unsigned RowBytes = 128;

/// The pattern whose lane L loads at \p Offset(L).
template <typename Function> Pattern patternOf(Function Offset) {
  Pattern P;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    P[Lane] = Offset(Lane);
  return P;
}

/// Lane L loads element L * \p Stride.
inline Pattern strided(unsigned Stride, unsigned Bytes, unsigned Start = 0) {
  return patternOf(
      [=](unsigned Lane) { return Start + uint64_t(Lane) * Stride * Bytes; });
}

/// Fang's broadcasting: \p Degree neighbouring lanes load the same element, and
/// the next group loads the element that many further on.
inline Pattern broadcast(unsigned Degree, unsigned Bytes = 4) {
  return patternOf(
      [=](unsigned Lane) { return uint64_t(Lane / Degree * Degree) * Bytes; });
}

/// Fang's bank conflicts: \p Degree lanes share a bank, each with its own
/// element in another row.
inline Pattern conflicting(unsigned Degree, unsigned Bytes = 4) {
  return patternOf([=](unsigned Lane) {
    return uint64_t(Lane % Degree) * RowBytes + Lane / Degree * Bytes;
  });
}

/// Lanes 1 to 31 load the word at 0, lane 0 the one \p Distance bytes on.
inline Pattern twoWords(unsigned Distance) {
  return patternOf([=](unsigned Lane) { return Lane == 0 ? Distance : 0; });
}

/// The numbers 0 to 31 in random order.
inline std::array<unsigned, WarpLanes> shuffledLanes(std::mt19937_64 &Random) {
  std::array<unsigned, WarpLanes> Order;
  std::iota(Order.begin(), Order.end(), 0u);
  std::shuffle(Order.begin(), Order.end(), Random);
  return Order;
}

/// Fang's misaligned access: consecutive elements, lanes in random order.
inline Pattern permuted(std::mt19937_64 &Random, unsigned Bytes = 4) {
  const std::array<unsigned, WarpLanes> Order = shuffledLanes(Random);
  return patternOf(
      [&](unsigned Lane) { return uint64_t(Order[Lane]) * Bytes; });
}

/// Fang's non-consecutive access: a matrix with rows of 32 words, of which lane
/// L loads column L in a row that no other lane loads. 32 lines and, on shared
/// memory, no conflict.
inline Pattern nonConsecutive(std::mt19937_64 &Random) {
  const std::array<unsigned, WarpLanes> Order = shuffledLanes(Random);
  return patternOf([&](unsigned Lane) {
    return uint64_t(Order[Lane]) * RowBytes + Lane * 4;
  });
}

/// Every lane loads some element of the first \p Span bytes.
inline Pattern scattered(std::mt19937_64 &Random, unsigned Bytes,
                         unsigned Span) {
  std::uniform_int_distribution<unsigned> Element(0, Span / Bytes - 1);
  return patternOf([&](unsigned) { return uint64_t(Element(Random)) * Bytes; });
}

/// Groups of \p Degree lanes load one element each, groups and elements at
/// random within \p Span bytes.
inline Pattern duplicated(std::mt19937_64 &Random, unsigned Degree,
                          unsigned Bytes, unsigned Span) {
  const Pattern Elements = scattered(Random, Bytes, Span);
  const std::array<unsigned, WarpLanes> Order = shuffledLanes(Random);
  return patternOf(
      [&](unsigned Lane) { return Elements[Order[Lane] / Degree]; });
}

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_LANEPATTERNS_H
