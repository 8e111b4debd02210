//===- BytesPerAccess.h - What an access moves at each level ----*- C++ -*-===//
//
// A strided walk that asks for 32 sectors costs little when the next accesses
// find those sectors in L1; its DRAM bytes say so, its L1 bytes do not.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_BYTESPERACCESS_H
#define WARPWISE_ANALYZER_REUSE_BYTESPERACCESS_H

#include "analyzer/reuse/Trace.h"
#include "analyzer/reuse/Traffic.h"

#include <algorithm>

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

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_BYTESPERACCESS_H
