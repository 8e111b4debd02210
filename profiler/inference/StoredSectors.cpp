//===- StoredSectors.cpp - What a store leaves in the caches --------------===//

#include "profiler/inference/StoredSectors.h"

#include <algorithm>
#include <cassert>

namespace warpwise::inference {

namespace {

/// A share of hits from which on all hit but for noise.
bool hits(double Share) { return Share > 0.9; }

/// Lines in whose sectors a survivor was looked for.
constexpr unsigned TrackedSectors = 64;

} // namespace

double HitReference::hitShare(std::span<const double> Cycles) const {
  assert(!Cycles.empty() && "no loads");
  const auto Count = std::count_if(Cycles.begin(), Cycles.end(),
                                   [&](double C) { return isHit(C); });
  return double(Count) / double(Cycles.size());
}

std::string_view writeAllocation(const AbsentStores &Hits) {
  return hits(Hits.Sector) ? "sector" : hits(Hits.Line) ? "line" : "none";
}

std::string_view partialAllocation(const AbsentStores &Hits) {
  return hits(Hits.WordRest) ? "fetched sector"
         : hits(Hits.Word)   ? "stored bytes"
                             : "none";
}

std::string_view storeToPresent(double Word, double Rest) {
  if (hits(Word) && hits(Rest))
    return "updates";
  return !hits(Word) && !hits(Rest) ? "invalidates" : "invalidates the rest";
}

std::optional<Estimate>
halfLife(std::span<const std::array<double, 2>> Survivors) {
  assert(!Survivors.empty() && "nothing was looked at");
  if (Survivors.front()[1] < 0.5)
    return std::nullopt;
  for (size_t I = 1; I != Survivors.size(); ++I) {
    if (Survivors[I][1] >= 0.5)
      continue;
    Estimate E;
    E.Low = Survivors[I - 1][0];
    E.High = Survivors[I][0];
    E.Value = (E.Low + E.High) / 2;
    E.N = TrackedSectors;
    return E;
  }
  return std::nullopt;
}

bool keepsWrites(const Estimate &Extra, double Writing) {
  return Extra.Low > 0.25 * Writing;
}

} // namespace warpwise::inference
