//===- MemoryPrediction.h - What the profile says will happen ---*- C++ -*-===//
//
// A profile is as good as what it predicts. These functions answer for accesses
// that were not measured, from the profile alone; the validation compares the
// answers with fresh measurements.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_MEMORYPREDICTION_H
#define WARPWISE_PROFILER_INFERENCE_MEMORYPREDICTION_H

#include "profiler/inference/CacheModel.h"
#include "profiler/profile/Profile.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpwise::inference {

struct LatencyPrediction {
  double Cycles = 0;
  /// The two measured neighbours: far apart where the footprint is about to
  /// outgrow a cache, and the prediction is worth little.
  double Low = 0, High = 0;
};

/// Average latency of a warm pointer chase through \p FootprintBytes in random
/// order, from the curve <Level>.latency_by_footprint; \p Level is "levels.l1"
/// (ld.ca) or "levels.l2" (ld.cg). Interpolated over the logarithm of the
/// footprint; nothing outside of the curve.
std::optional<LatencyPrediction> warmLatency(const profile::Profile &P,
                                             std::string_view Level,
                                             uint64_t FootprintBytes);

struct PredictedCache {
  std::optional<CacheShape> Shape;
  /// Whether the mapping of lines to sets is known. If not, it is taken for
  /// modulo: right for contiguous footprints under any hash that spreads
  /// neighbours evenly, and for nothing else.
  bool MappingKnown = false;
  std::string Reason; ///< why there is no shape
};

/// The cache at \p Level, from <Level>.{capacity, line, sector, sets, ways,
/// replacement, index}; the sector may be that of all levels (levels.sector).
/// Capacity and line must be there. Without sets it is one set, without a
/// replacement LRU. Lines that do not divide evenly make the first sets larger.
PredictedCache predictedCache(const profile::Profile &P,
                              std::string_view Level);

/// Misses of the last of \p Passes traversals of \p Offsets, bytes, from an
/// empty cache. Random policies take \p Seed.
uint64_t predictedMisses(const CacheShape &Shape,
                         std::span<const uint64_t> Offsets, unsigned Passes,
                         uint64_t Seed = 1);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_MEMORYPREDICTION_H
