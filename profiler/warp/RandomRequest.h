//===- RandomRequest.h - A warp whose indices nobody knows ------*- C++ -*-===//
//
// What is known of a request whose indices come from memory: which lanes share
// one, how an index becomes an address, and how far it can reach.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_WARP_RANDOMREQUEST_H
#define WARPWISE_PROFILER_WARP_RANDOMREQUEST_H

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

/// Groups of \p GroupLanes neighbouring lanes each ("index[lane / 4]"), as far
/// as they are active. 1: every lane has its own index.
std::vector<uint32_t> neighbourGroups(uint32_t Active, unsigned GroupLanes);

} // namespace warpwise::warp

#endif // WARPWISE_PROFILER_WARP_RANDOMREQUEST_H
