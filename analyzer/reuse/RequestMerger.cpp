//===- RequestMerger.cpp - Misses that share one read of L2 ---------------===//

#include "analyzer/reuse/RequestMerger.h"

#include <algorithm>
#include <numeric>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// Reads of a group that are remembered: more than its SMs can have under way.
constexpr size_t ReadsKept = 4096;

size_t hashOf(uint64_t FirstSector) {
  return size_t(FirstSector * 0x9E3779B97F4A7C15 >> 40) % ReadsKept;
}

constexpr unsigned AssumedGroups = 8;

} // namespace

std::vector<unsigned> reuse::mergeGroups(const CacheOptions &Options) {
  std::vector<unsigned> GroupOf = Options.SmToGroup;
  for (unsigned Sm = unsigned(GroupOf.size()); Sm < Options.Sm.Count; ++Sm)
    GroupOf.push_back(Sm % AssumedGroups);
  std::vector<unsigned> Known(
      GroupOf.empty() ? 0
                      : *std::max_element(GroupOf.begin(), GroupOf.end()) + 1);
  for (unsigned Group : GroupOf)
    ++Known[Group];
  std::vector<unsigned> Sizes = Known, To(Known.size());
  std::iota(To.begin(), To.end(), 0u);
  const auto Side = [&](size_t Sm) {
    return Sm < Options.SmToPartition.size() ? Options.SmToPartition[Sm] : 0;
  };
  const auto Stray = [&](unsigned Group) { return Known[Group] <= TpcSms; };
  for (size_t Sm = 0; Sm != GroupOf.size(); ++Sm) {
    unsigned &Into = To[GroupOf[Sm]];
    if (!Stray(GroupOf[Sm]) || !Stray(Into))
      continue;
    for (size_t Other = 0; Other != GroupOf.size(); ++Other)
      if (const unsigned Group = GroupOf[Other];
          !Stray(Group) && Side(Other) == Side(Sm) &&
          (Stray(Into) || Sizes[Group] < Sizes[Into]))
        Into = Group;
    if (!Stray(Into))
      Sizes[Into] += Known[GroupOf[Sm]];
  }
  for (unsigned &Group : GroupOf)
    Group = To[Group];
  return GroupOf;
}

RequestMerger::RequestMerger(const CacheOptions &Options,
                             std::vector<unsigned> Groups)
    : Options(Options), GroupOf(std::move(Groups)) {
  if (Options.MergeCycles != 0 && !GroupOf.empty())
    Reads = ZeroedArray<Read>(
        (*std::max_element(GroupOf.begin(), GroupOf.end()) + 1) * ReadsKept);
}

size_t RequestMerger::placeOf(unsigned Sm, const L2Request &R) const {
  return GroupOf[Sm] * ReadsKept + hashOf(R.FirstSector);
}

std::optional<Cycle> RequestMerger::join(unsigned Sm, const L2Request &R) {
  if (Reads.empty())
    return std::nullopt;
  PassesBy = false;
  Read &Here = Reads[placeOf(Sm, R)];
  if (Here.Sectors == 0 || Here.FirstSector != R.FirstSector ||
      R.When > Here.JoinUntil || Here.Requests >= Options.MergeRequests)
    return std::nullopt;
  if (Here.Sectors != R.Sectors) {
    Here.Sectors = 0;
    PassesBy = true;
    return std::nullopt;
  }
  ++Here.Requests;
  return Here.ReadyAt;
}

void RequestMerger::sent(unsigned Sm, const L2Request &R, Cycle ReadyAt,
                         Cycle Longer) {
  if (Reads.empty() || PassesBy)
    return;
  // The way between SM and unit, there and back, is the part of a hit's latency
  // in which nobody can join.
  const Cycle OnTheWay =
      Options.L2.LatencyCycles -
      std::min(Options.MergeCycles, Options.L2.LatencyCycles);
  Reads[placeOf(Sm, R)] = {R.FirstSector, ReadyAt + Longer,
                           ReadyAt - std::min(OnTheWay, ReadyAt - R.When),
                           R.Sectors, 1};
}
