//===- BankedReuse.h - Distances in parallel caches -------------*- C++ -*-===//
//
// RDGC's analysis of a cache with banks, ports and registers for misses under
// way (section 4.4 of the paper), step by step: what a more or less parallel
// cache does to the distances. The model does without it, as hit ratios of an
// H200 do not need it; here it holds our distances against the paper's Table 3.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_REUSE_BANKEDREUSE_H
#define WARPWISE_TEST_UNIT_REUSE_BANKEDREUSE_H

#include "analyzer/reuse/ReuseDistance.h"

#include <functional>

namespace warpwise::reuse {

struct BankedCache {
  unsigned Banks = 1, Ports = 1; ///< ports of each bank
  unsigned Schedulers = 1;       ///< warps that issue together
  unsigned Mshrs = 32, MshrMerges = 8;
  unsigned LatencySteps = 2; ///< of a miss; at least 1
  unsigned Ways = 8;         ///< of a bank, which is one set
  std::function<unsigned(uint64_t Line)> BankOf;
};

/// What became of one line that a warp asked for, in one step.
struct BankedAccess {
  enum class Outcome { Hit, Miss, Merged, ReservationFail } What;
  unsigned Step = 0, Bank = 0, Warp = 0;
  uint64_t Line = 0;
  /// In the bank; Cold for the first access, unset for what is tried again.
  std::optional<uint32_t> Distance;

  bool operator==(const BankedAccess &) const = default;
};

struct BankedResult {
  std::vector<BankedAccess> Accesses; ///< by step, bank and port
  std::vector<unsigned> FreeMshrs;    ///< by step, after its accesses
  unsigned Steps = 0;
};

/// \p Warps: the lines of each warp's request, warps in their order. Groups of
/// as many warps as schedulers issue when the group before is done; smaller
/// numbers go first.
BankedResult analyzeBanked(const BankedCache &Cache,
                           const std::vector<std::vector<uint64_t>> &Warps);

} // namespace warpwise::reuse

#endif // WARPWISE_TEST_UNIT_REUSE_BANKEDREUSE_H
