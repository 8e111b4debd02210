//===- TlbGeometry.h - What address translation looks like ------*- C++ -*-===//
//
// A TLB miss costs few cycles beside a load whose latency differs from line to
// line by more than that. So each line is its own reference: it is timed once
// right after another line of its page was loaded, when its translation is at
// hand, and what it takes longer in a chase through many pages is the TLB's
// share.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_TLBGEOMETRY_H
#define WARPWISE_PROFILER_INFERENCE_TLBGEOMETRY_H

#include "profiler/inference/AccessProbe.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpwise::inference {

/// A probe of the excess over each line's own latency. Offsets name blocks of
/// BlockBytes, of each of which one line is loaded, a different one from block
/// to block so that the lines spread over a cache's sets.
class ExcessProbe : public AccessProbe {
public:
  static constexpr uint64_t BlockBytes = 4096;

  explicit ExcessProbe(AccessProbe &Probe) : Probe(Probe) {}
  uint64_t size() const override { return Probe.size(); }
  std::vector<float> time(std::span<const uint64_t> Offsets) override;

private:
  void addReferences(std::span<const uint64_t> Lines);

  AccessProbe &Probe;
  std::unordered_map<uint64_t, float> References; ///< by the line's offset
};

struct TlbLevel {
  /// Pages that fit: without a single miss where one can be told, else the
  /// most of the curve before it rises.
  uint64_t Entries = 0;
  bool Exact = false; ///< the former
  uint64_t ReachBytes = 0;
  /// Footprints between which a tenth and nine tenths of the penalty appear.
  uint64_t RiseBegins = 0, RiseEnds = 0;
  /// Whether the curve is flat again after it; else the penalty is more.
  bool Ends = false;
  double Penalty = 0; ///< cycles of a miss that the next level hits
  /// Entries of each set, largest first, if the misses against the number of
  /// pages tell; empty if not.
  std::vector<unsigned> SetSizes;

  /// The curve leaves the floor within a step of its points, and that is the
  /// reach; where it rises over octaves, no footprint is.
  bool isSharp() const {
    return Exact || double(RiseBegins) >= 0.4 * double(RiseEnds);
  }
};

struct TlbGeometry {
  std::vector<TlbLevel> Levels; ///< those that were left, nearest first
  /// What one entry translates, but no more than the stride; nothing where no
  /// level is exact.
  std::optional<uint64_t> PageBytes;
  /// Mean excess in cycles against footprint in bytes.
  std::vector<std::pair<uint64_t, double>> Curve;
};

struct TlbSearch {
  uint64_t Stride = 2 << 20; ///< between pages, at least as large as they are
  uint64_t MostPages = 0;    ///< 0: as many as the probe's array has
  double LeastPenalty = 4;   ///< cycles; smaller steps are noise
};

/// The probe should time loads that hit a cache behind the TLB, such as L2, and
/// take lists of three times the pages.
TlbGeometry tlbGeometry(AccessProbe &Probe, const TlbSearch &Search = {});

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_TLBGEOMETRY_H
