//===- RequestMerger.cpp - Misses that share one read of L2 ---------------===//

#include "analyzer/reuse/RequestMerger.h"

#include <algorithm>
#include <numeric>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// As many groups as an H200's SMs make (topology.sm_to_gpc), for GPUs whose
/// profile does not say.
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
    : Options(Options), GroupOf(std::move(Groups)),
      OnTheWay(Options.L2.LatencyCycles -
               std::min(Options.MergeCycles, Options.L2.LatencyCycles)) {
  if (Options.MergeCycles != 0 && !GroupOf.empty())
    Reads = ZeroedArray<Read>(
        (*std::max_element(GroupOf.begin(), GroupOf.end()) + 1) *
        size_t(ReadsKept));
}
