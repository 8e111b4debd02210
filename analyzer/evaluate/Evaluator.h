//===- Evaluator.h - From a program to costs per launch ---------*- C++ -*-===//
//
// Decides which warps, blocks and made-up numbers a launch is evaluated with,
// and runs them. SiteCosts.h turns the sums into costs with a proof state.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_EVALUATOR_H
#define WARPWISE_ANALYZER_EVALUATE_EVALUATOR_H

#include "analyzer/evaluate/SiteCosts.h"
#include "analyzer/model/AccessModel.h"
#include "profiler/profile/RequestLaw.h"

#include <vector>

namespace warpwise::access {

struct LaunchResult {
  std::vector<SiteResult> Sites; ///< as Program::Sites
  std::vector<Cost> Privates;    ///< as Program::PrivateUses
  Work Besides;                  ///< all but its SharedBytes
  uint64_t Steps = 0;            ///< work that it took
  bool Truncated = false;        ///< some loop was left at the limit of steps
  bool LeftOutBlocks = false;    ///< blocks of the grid stand for others
};

/// Evaluates \p Code under \p Plan on a device of \p Law with at most about
/// \p Budget steps. Several may be evaluated at the same time, of one program
/// or of several.
LaunchResult evaluateLaunch(const Program &Code, const LaunchPlan &Plan,
                            const profile::RequestLaw &Law, uint64_t Budget);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_EVALUATOR_H
