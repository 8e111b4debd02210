//===- SiteTraffic.h - Bytes per access, for the rules ----------*- C++ -*-===//
//
// What the cache model tells a rule: how many bytes a warp's access at a place
// of the source moves at each level. A strided walk that asks for 32 sectors
// costs little when the next accesses find those sectors in L1; its DRAM bytes
// say so, its L1 bytes do not.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_SITETRAFFIC_H
#define WARPWISE_ANALYZER_REUSE_SITETRAFFIC_H

#include "analyzer/reuse/Trace.h"
#include "analyzer/reuse/Traffic.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpwise::reuse {

/// Means over the accesses of warps, loads, stores and atomics together, in
/// bytes of whole sectors. Each level counts what arrives there from the one
/// above.
struct BytesPerAccess {
  double L1 = 0;       ///< asked of L1
  double L2 = 0;       ///< asked of L2 after L1 and merging, writes included
  double Dram = 0;     ///< read and written
  double Accesses = 0; ///< of warps, in the launch
};

inline BytesPerAccess bytesPerAccess(const Traffic &T) {
  const double PerAccess = SectorBytes / std::max(1.0, T.requests());
  return {PerAccess * T.l1Sectors(), PerAccess * T.l2Sectors(),
          PerAccess * T.dramSectors(), T.requests()};
}

/// The traffic of one launch by place.
class SiteTraffic {
public:
  SiteTraffic(const std::vector<Place> &Sites,
              const std::vector<Traffic> &Counts) {
    for (size_t I = 0; I != std::min(Sites.size(), Counts.size()); ++I)
      ByPlace[{Sites[I].File, Sites[I].Line, Sites[I].Column}] += Counts[I];
  }

  /// Nothing for a place where no warp of the launch accessed memory.
  std::optional<BytesPerAccess> find(const std::string &File, unsigned Line,
                                     unsigned Column) const {
    const auto Found = ByPlace.find({File, Line, Column});
    if (Found == ByPlace.end())
      return std::nullopt;
    return bytesPerAccess(Found->second);
  }

private:
  std::map<std::tuple<std::string, unsigned, unsigned>, Traffic> ByPlace;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SITETRAFFIC_H
