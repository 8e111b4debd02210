//===- Organisation.cpp - Sets, mapping and replacement -------------------===//

#include "profiler/inference/ConflictGroups.h"
#include "profiler/inference/ReplacementPolicy.h"
#include "profiler/inference/SetMapping.h"

#include <algorithm>
#include <bit>
#include <numeric>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

/// Sets that are looked for; of caches with more, these are a sample.
constexpr unsigned MostSets = 40;
constexpr unsigned Trials = 1600;
constexpr uint64_t TrialLoads = 200000;
/// The mapping predicts unseen lines, but for what outliers hide.
constexpr double MappingHolds = 0.98;

void say(std::string &Unknown, std::string_view What) {
  if (!Unknown.empty() && !What.empty())
    Unknown += "; ";
  Unknown += What;
}

} // namespace

Organisation inference::organisation(AccessProbe &Probe, const HitRule &Rule,
                                     uint64_t LineBytes,
                                     uint64_t CapacityBytes) {
  Organisation O;
  FitTest Test(Probe, Rule);
  ConflictSearch Search(Test, LineBytes, CapacityBytes / LineBytes);
  ConflictGroups Found = Search.find(MostSets);
  if (Found.Groups.empty()) {
    O.Unknown = Found.Unknown;
    return O;
  }
  O.AllSets = Found.Complete;
  const auto Mapping =
      explainSets(Found, unsigned(std::bit_width(Search.lines() - 1)));
  if (Mapping && agreementOnUnseen(Search, Found, *Mapping) >= MappingHolds) {
    O.MappingExplained = true;
    O.Sets = Mapping->Sets;
    O.XorMasks = Mapping->XorMasks;
    O.AllSets = Found.Groups.size() == O.Sets;
    if (O.AllSets)
      std::sort(Found.Groups.begin(), Found.Groups.end(),
                [&](const ConflictGroup &A, const ConflictGroup &B) {
                  return Mapping->setOf(A.Lines.front()) <
                         Mapping->setOf(B.Lines.front());
                });
  } else {
    say(O.Unknown, "neither modulo nor XOR of address bits explains which "
                   "lines share a set");
  }
  for (const ConflictGroup &G : Found.Groups)
    O.Ways.push_back(G.ways());
  const PolicyVerdict V = explainEvictions(
      observeEvictions(Test, Found, LineBytes, Trials, TrialLoads));
  O.Policy = V.Policy;
  O.WayWeights = V.WayWeights;
  O.PolicyAgreement = V.Agreement;
  say(O.Unknown, V.Unknown);
  return O;
}
