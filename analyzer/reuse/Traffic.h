//===- Traffic.h - What was counted -----------------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_TRAFFIC_H
#define WARPWISE_ANALYZER_REUSE_TRAFFIC_H

#include <cstdint>
#include <optional>

namespace warpwise::reuse {

/// Counts of 32-byte sectors, of a launch or of one place in the source. They
/// are fractions only where a sample was scaled up.
struct Traffic {
  double LoadRequests = 0, StoreRequests = 0, AtomicRequests = 0; ///< of warps
  double LoadSectors = 0, LoadHits = 0;                           ///< in L1
  double StoreSectors = 0, StoreHits = 0;
  double LocalLoadSectors = 0, LocalStoreSectors = 0; ///< of those above
  double AtomicSectors = 0;
  double L2ReadSectors = 0, L2ReadHits = 0; ///< asked for by L1s
  double L2WriteSectors = 0;                ///< stores and atomics
  double DramReadSectors = 0, DramWriteSectors = 0;

  Traffic &operator+=(const Traffic &O) { return add(O, 1); }
  /// Adds \p Times as much.
  Traffic &add(const Traffic &O, double Times) {
    LoadRequests += Times * O.LoadRequests;
    StoreRequests += Times * O.StoreRequests;
    AtomicRequests += Times * O.AtomicRequests;
    LoadSectors += Times * O.LoadSectors;
    LoadHits += Times * O.LoadHits;
    StoreSectors += Times * O.StoreSectors;
    StoreHits += Times * O.StoreHits;
    LocalLoadSectors += Times * O.LocalLoadSectors;
    LocalStoreSectors += Times * O.LocalStoreSectors;
    AtomicSectors += Times * O.AtomicSectors;
    L2ReadSectors += Times * O.L2ReadSectors;
    L2ReadHits += Times * O.L2ReadHits;
    L2WriteSectors += Times * O.L2WriteSectors;
    DramReadSectors += Times * O.DramReadSectors;
    DramWriteSectors += Times * O.DramWriteSectors;
    return *this;
  }

  double requests() const {
    return LoadRequests + StoreRequests + AtomicRequests;
  }
  /// What arrives at each level, read and written.
  double l1Sectors() const {
    return LoadSectors + StoreSectors + AtomicSectors;
  }
  double l2Sectors() const { return L2ReadSectors + L2WriteSectors; }
  double dramSectors() const { return DramReadSectors + DramWriteSectors; }

  /// Unset when there were no such accesses.
  std::optional<double> l1ReadHitRate() const {
    return rate(LoadHits, LoadSectors);
  }
  std::optional<double> l1StoreHitRate() const {
    return rate(StoreHits, StoreSectors);
  }
  std::optional<double> l2ReadHitRate() const {
    return rate(L2ReadHits, L2ReadSectors);
  }

  bool operator==(const Traffic &) const = default;

private:
  static std::optional<double> rate(double Hits, double All) {
    return All > 0 ? std::optional(Hits / All) : std::nullopt;
  }
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRAFFIC_H
