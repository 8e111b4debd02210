//===- RunRules.h - All enabled rules over a model --------------*- C++ -*-===//
//
// The one way from an access model to findings. It lives here and not in
// advice, because advice must not know the rules.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_RULES_RUNRULES_H
#define WARPWISE_RULES_RUNRULES_H

#include "analyzer/advice/CheckGlobs.h"
#include "analyzer/advice/KernelSummary.h"
#include "rules/Rule.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwise::rules {

/// Names of all rules, sorted.
std::vector<std::string_view> ruleNames();

struct Judgement {
  /// Merged per place and sorted by it.
  std::vector<advice::Finding> Findings;
  /// The kernels that were judged, as in the model.
  std::vector<advice::KernelSummary> Kernels;
};

/// What the enabled rules make of \p Model.
Judgement judgeModel(const access::Model &Model, const profile::Profile &Device,
                     const advice::CheckGlobs &Enabled);

/// The enabled rules that have nothing to say on \p Device, with the reason.
std::vector<std::pair<std::string_view, std::string>>
quietRules(const profile::Profile &Device, const advice::CheckGlobs &Enabled);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_RUNRULES_H
