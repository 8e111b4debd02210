//===- AccessPatterns.h - What hits, by what an access takes ----*- C++ -*-===//
//
// Mei et al.'s patterns of global accesses: which of L2 and the TLBs hit. Each
// access was made for one of them; here it shows which of them the device
// tells apart.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_ACCESSPATTERNS_H
#define WARPWISE_PROFILER_INFERENCE_ACCESSPATTERNS_H

#include "profiler/inference/Statistics.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace warpwise::inference {

/// 0 to 5 for the paper's 1 to 6. The first three hit L2.
constexpr unsigned AccessPatternCount = 6;
constexpr unsigned L2HitPatterns = 3;

/// An access with what it was made for.
struct TimedAccess {
  unsigned Pattern = 0;
  /// Accesses to one line share a number; each line has one of pattern 0.
  unsigned Line = 0;
  double Cycles = 0;
};

/// What the accesses that were made for a pattern say about it.
struct PatternTimes {
  /// Nothing: too few accesses.
  std::optional<Estimate> Cycles;
  /// Over the same line's hit: lines of L2 differ in their distance.
  Estimate Extra;
  /// The earlier pattern that takes as long, so that this one cannot be told
  /// from it.
  std::optional<unsigned> Like;
  /// Of a pattern of its own: share of its accesses that are nearest to it.
  double AsBuilt = 0;
  unsigned Accesses = 0;

  bool shows() const { return Cycles && !Like; }
};

/// A smaller difference of latencies, in cycles, is no pattern of its own.
std::array<PatternTimes, AccessPatternCount>
tellPatterns(std::span<const TimedAccess> All, double LeastGap = 4);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_ACCESSPATTERNS_H
