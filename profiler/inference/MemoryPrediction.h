//===- MemoryPrediction.h - What the profile says will happen ---*- C++ -*-===//
//
// A profile is as good as what it predicts. These functions answer for accesses
// that were not measured, from the profile alone; the validation compares the
// answers with fresh measurements.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_MEMORYPREDICTION_H
#define WARPWISE_PROFILER_INFERENCE_MEMORYPREDICTION_H

#include "profiler/profile/Profile.h"

#include <cstdint>
#include <optional>
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

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_MEMORYPREDICTION_H
