//===- CacheGeometry.h - What a cache looks like from outside ---*- C++ -*-===//
//
// Mei et al.'s fine-grained pointer chase, made adaptive: each question is a
// function that asks an AccessProbe for as many timed traversals as it needs.
// Where the 2014 method takes equal sets, modulo indexing or LRU for granted,
// these do not; what they cannot tell they leave empty and say why.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_CACHEGEOMETRY_H
#define WARPWISE_PROFILER_INFERENCE_CACHEGEOMETRY_H

#include "profiler/inference/AccessProbe.h"
#include "profiler/inference/CacheModel.h"

#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace warpwise::inference {

/// What separates hits from misses of the cache in question.
struct HitRule {
  double Threshold = 0; ///< latencies below are hits
  double Hit = 0;       ///< typical latency of a hit, with the bracket's bias
  double Miss = 0;
  /// Latencies from here on are outliers: no miss takes so long.
  double Ceiling = std::numeric_limits<double>::infinity();
};
/// From a cold and a warm traversal of \p Bytes (which must fit); nothing when
/// hits and misses cannot be told apart.
std::optional<HitRule> hitRule(AccessProbe &Probe, uint64_t Bytes,
                               uint64_t Stride);

/// Misses of the last of \p Passes traversals of the first \p Lines lines, in
/// order or in a random order that every traversal repeats.
uint64_t missesOfPass(AccessProbe &Probe, const HitRule &Rule, uint64_t Lines,
                      uint64_t LineBytes, unsigned Passes,
                      std::mt19937_64 *Shuffle = nullptr);

/// The largest footprint, in whole lines of \p LineBytes, that is traversed
/// again without a miss: by bisection between \p Low and \p High bytes, then
/// confirmed line by line; the traversal repeats, so a stray outlier (a miss
/// that does not come again) does not count. Nothing when even Low misses or
/// High does not.
struct Capacity {
  uint64_t Bytes = 0;
  /// Misses of a warm traversal against footprint, for the plot.
  std::vector<std::pair<uint64_t, double>> MissCurve;
};
std::optional<Capacity> capacity(AccessProbe &Probe, const HitRule &Rule,
                                 uint64_t LineBytes, uint64_t Low,
                                 uint64_t High);

/// Bytes that one miss makes hit (the sector), and bytes that share a tag (the
/// line), by touching one word and probing its neighbours, and by the number of
/// lines that fit when only one sector of each is used.
struct Granularity {
  uint64_t SectorBytes = 0; ///< filled by one miss
  uint64_t LineBytes = 0;   ///< allocated by one miss
};
std::optional<Granularity> granularity(AccessProbe &Probe, const HitRule &Rule,
                                       uint64_t CapacityBytes);

/// Sets and their sizes by conflict groups (group testing for minimal eviction
/// sets); how lines map to sets; the replacement policy.
struct Organisation {
  /// Of each set that was found: in the order of the mapping's set numbers
  /// where all sets were, else in the order they were found in.
  std::vector<unsigned> Ways;
  bool AllSets = false; ///< no line was met that is in none of them
  /// How many sets there are by the mapping; 0 where it is not explained.
  uint64_t Sets = 0;
  std::vector<uint64_t> XorMasks; ///< over line numbers; empty: modulo sets
  bool MappingExplained = false;  ///< the masks or modulo predict every line
  std::optional<Replacement> Policy;
  std::vector<double> WayWeights; ///< for WeightedWay
  /// Share of the replaced lines that it predicts; for a random policy, the
  /// part of their distribution over the ways that it has in common.
  double PolicyAgreement = 0;
  std::string Unknown; ///< what could not be told, and why
};
Organisation organisation(AccessProbe &Probe, const HitRule &Rule,
                          uint64_t LineBytes, uint64_t CapacityBytes);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_CACHEGEOMETRY_H
