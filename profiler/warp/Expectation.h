//===- Expectation.h - What a warp with random indices costs ----*- C++ -*-===//
//
// Gathers, scatters, tables and histograms: the index comes from memory, so no
// address is known, but what a request costs on average when the index is
// uniformly random, and at least and at most, follows from the active lanes and
// the size of the object. Pure arithmetic, no chance: the same question has the
// same answer.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_WARP_EXPECTATION_H
#define WARPWISE_PROFILER_WARP_EXPECTATION_H

#include "profiler/warp/WarpCost.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpwise::warp {

/// A request whose lanes access Base + Index * Stride + Offset. Lanes of one
/// group have one index, the indices of different groups have nothing to do
/// with each other. Base is a multiple of the law's period, and Bytes, a power
/// of two, divides Stride and the offsets, as the hardware demands.
struct RandomRequest {
  /// Masks of the lanes of each group; disjoint, and none is empty.
  std::vector<uint32_t> Groups;
  unsigned Bytes = 4; ///< that a lane accesses
  /// From an index to the next; at least Bytes.
  uint64_t Stride = 4;
  /// Of each lane from the start of its element: the field of a struct, or the
  /// place in a row that the group shares.
  std::array<uint32_t, RequestLaw::Lanes> Offsets{};
  /// Of the object that the indices stay within. Unknown: so large that two
  /// groups never meet.
  std::optional<uint64_t> ObjectBytes;

  uint32_t active() const;
  /// Indices that there are; at least one.
  std::optional<uint64_t> elements() const;
};

struct Expectation {
  double Expected = 0;
  /// No request of this kind costs less or more, whatever the indices.
  double Low = 0, High = 0;
};

/// Groups of \p GroupLanes neighbouring lanes each ("index[lane / 4]"), as far
/// as they are active. 1: every lane has its own index.
std::vector<uint32_t> neighbourGroups(uint32_t Active, unsigned GroupLanes);

/// Distinct sectors of a request to global memory.
Expectation expectSectors(const RequestLaw &Law, const RandomRequest &R);

/// Distinct words of constant memory: N (1 - (1 - 1/N)^g) for g groups and N
/// elements of a word each.
Expectation expectWords(const RequestLaw &Law, const RandomRequest &R);

enum class SharedOperation {
  Load,
  Store,
  /// Lanes that hit the same word take turns as those that hit the same bank
  /// do: 700 requests counted on an H200 (test/gpu/wavefronts), and its clock:
  /// an atomic addition of a warp to one word takes 62 clk longer than one to
  /// 32 words of different banks, two for each further lane, as for any other
  /// conflict (warp.atomics.shared and warp.shared.b4.latency in the profile).
  Atomic
};

/// Passes through shared memory. Exact when no lane has an offset of its own,
/// but for neighbours that meet by chance, so that phases join. Otherwise, and
/// for atomics of groups of many sizes, the mean over a fixed set of draws, off
/// by a hundredth or so.
Expectation expectWavefronts(const RequestLaw &Law, const RandomRequest &R,
                             SharedOperation Op);

} // namespace warpwise::warp

#endif // WARPWISE_PROFILER_WARP_EXPECTATION_H
