//===- RunRules.cpp - All enabled rules over a model ----------------------===//

#include "rules/RunRules.h"

#include "analyzer/advice/Merge.h"
#include "analyzer/price/DeviceRates.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwise::rules {

using access::Place;
using advice::Finding;

/// Kernels by the places at which they were judged: those of their accesses
/// whose cost is known under some launch, and their own declaration.
using KernelsAt = std::map<Place, std::set<std::string>>;

static KernelsAt findJudgedKernels(const access::Model &Model) {
  KernelsAt Judged;
  for (const access::Kernel &K : Model.Kernels) {
    if (K.State == access::Status::Skipped)
      continue;
    Judged[K.Where].insert(K.Name);
    for (const access::Access &A : K.Accesses)
      if (isJudged(A))
        Judged[A.Where].insert(K.Name);
  }
  return Judged;
}

/// Where nothing was accessed (the declaration of an array), the other
/// instantiations of the kernel are what it can be compared with.
static const std::set<std::string> &
judgedLike(const Finding &F, const access::Kernel &K, const KernelsAt &Judged) {
  const auto Same = Judged.find(F.Where);
  return Same != Judged.end() ? Same->second : Judged.at(K.Where);
}

static void runRule(const Entry &E, const access::Model &Model,
                    const profile::Profile &Device,
                    const price::KnownRates &Rates, const KernelsAt &Judged,
                    std::vector<Finding> &All) {
  const auto Rule = E.Create();
  if (!Rule->quietOn(Device).empty())
    return;
  for (const access::Kernel &K : Model.Kernels) {
    if (K.State == access::Status::Skipped)
      continue;
    Rule->check(K, Device, [&](Finding F, const Remedy &Cure) {
      F.Rule = E.Name;
      F.Kernel = K.Name;
      F.FoundIn = {K.Name};
      const auto &Compared = judgedLike(F, K, Judged);
      F.CleanIn.assign(Compared.begin(), Compared.end());
      if (Rates.Rates)
        F.Faster = price::gainOf(K, Cure.Launch, Cure.Repairs, *Rates.Rates);
      All.push_back(std::move(F));
    });
  }
}

std::vector<std::string_view> ruleNames() {
  std::vector<std::string_view> Names;
  for (const Entry &E : registry())
    Names.push_back(E.Name);
  return Names;
}

std::vector<Finding> runRules(const access::Model &Model,
                              const profile::Profile &Device,
                              const advice::CheckGlobs &Enabled) {
  const KernelsAt Judged = findJudgedKernels(Model);
  const price::KnownRates Rates = price::ratesOf(Device);
  std::vector<Finding> All;
  for (const Entry &E : registry())
    if (Enabled.contains(E.Name))
      runRule(E, Model, Device, Rates, Judged, All);
  return advice::mergeFindings(std::move(All));
}

std::vector<std::pair<std::string_view, std::string>>
quietRules(const profile::Profile &Device, const advice::CheckGlobs &Enabled) {
  std::vector<std::pair<std::string_view, std::string>> Quiet;
  for (const Entry &E : registry())
    if (Enabled.contains(E.Name))
      if (std::string Why = E.Create()->quietOn(Device); !Why.empty())
        Quiet.emplace_back(E.Name, std::move(Why));
  return Quiet;
}

} // namespace warpwise::rules
