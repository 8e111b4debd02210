//===- RequestMerger.cpp - Misses that share one read of L2 ---------------===//

#include "analyzer/reuse/RequestMerger.h"

#include <algorithm>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// Reads of a group that are remembered: more than its SMs can have under way.
constexpr size_t ReadsKept = 4096;

size_t hashOf(uint64_t FirstSector, uint32_t Sectors) {
  const uint64_t Value = (FirstSector * 33 + Sectors) * 0x9E3779B97F4A7C15;
  return size_t(Value >> 40) % ReadsKept;
}

} // namespace

RequestMerger::RequestMerger(const CacheOptions &Options,
                             std::vector<unsigned> Groups)
    : Options(Options), GroupOf(std::move(Groups)) {
  if (Options.MergeCycles != 0 && !GroupOf.empty())
    Reads = ZeroedArray<Read>(
        (*std::max_element(GroupOf.begin(), GroupOf.end()) + 1) * ReadsKept);
}

size_t RequestMerger::placeOf(unsigned Sm, const L2Request &R) const {
  return GroupOf[Sm] * ReadsKept + hashOf(R.FirstSector, R.Sectors);
}

std::optional<Cycle> RequestMerger::join(unsigned Sm, const L2Request &R) {
  if (Reads.empty())
    return std::nullopt;
  Read &Here = Reads[placeOf(Sm, R)];
  if (Here.FirstSector != R.FirstSector || Here.Sectors != R.Sectors ||
      R.When > Here.JoinUntil || Here.Requests >= Options.MergeRequests)
    return std::nullopt;
  ++Here.Requests;
  return Here.ReadyAt;
}

void RequestMerger::sent(unsigned Sm, const L2Request &R, Cycle ReadyAt) {
  if (Reads.empty())
    return;
  // The way between SM and unit, there and back, is the part of a hit's latency
  // in which nobody can join.
  const Cycle OnTheWay =
      Options.L2.LatencyCycles -
      std::min(Options.MergeCycles, Options.L2.LatencyCycles);
  Reads[placeOf(Sm, R)] = {R.FirstSector, ReadyAt,
                           ReadyAt - std::min(OnTheWay, ReadyAt - R.When),
                           R.Sectors, 1};
}
