//===- StoredSectors.h - What a store leaves in the caches ------*- C++ -*-===//
//
// From hits and misses of loads after a store to what the caches do with what
// is stored.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_STOREDSECTORS_H
#define WARPWISE_PROFILER_INFERENCE_STOREDSECTORS_H

#include "profiler/inference/Statistics.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace warpwise::inference {

/// What tells a hit from a miss: how long either takes, in cycles.
struct HitReference {
  double Hit = 0, Miss = 0;

  /// Whether the two are far enough apart.
  bool tells() const { return Miss >= 2 * Hit; }
  bool isHit(double Cycles) const { return Cycles < (Hit + Miss) / 2; }
  double hitShare(std::span<const double> Cycles) const;
};

/// Shares of loads that hit L1 after a store to a line that it did not have.
struct AbsentStores {
  double Word = 0, WordRest = 0, Sector = 0, Line = 0;
};
/// What L1 allocates for a store of all of it: "sector", "line" or "none".
std::string_view writeAllocation(const AbsentStores &Hits);
/// For a store of part of a sector: "fetched sector", "stored bytes", "none".
std::string_view partialAllocation(const AbsentStores &Hits);
/// What a store does to a sector that L1 has, from the shares of loads that hit
/// the stored word and the rest of the sector.
std::string_view storeToPresent(double Word, double Rest);

/// Where a share of survivors falls below one half: between two of the
/// ascending points. Nothing when it does not, or does so at the first point.
std::optional<Estimate>
halfLife(std::span<const std::array<double, 2>> Survivors);

/// Whether L2 keeps what is written. \p Extra is how much longer it takes to
/// push out of L2 what was written than what was read, \p Writing how long it
/// takes to write as much to memory.
bool keepsWrites(const Estimate &Extra, double Writing);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_STOREDSECTORS_H
