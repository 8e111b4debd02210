//===- LaunchPlans.h - Under which launches a kernel is judged --*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_LAUNCHPLANS_H
#define WARPWISE_ANALYZER_EVALUATE_LAUNCHPLANS_H

#include "analyzer/evaluate/Program.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwise::access {

/// A launch as the evaluator needs it.
struct LaunchPlan {
  launch::Shape Shape;
  std::vector<launch::Argument> Arguments;
};

/// What is known about the launches of one kernel.
struct LaunchKnowledge {
  std::vector<const launch::Launch *> Launches;
  /// A shape that the user gave; goes before everything else.
  std::optional<launch::Dim3> Override;
  /// __launch_bounds__: most threads of a block.
  std::optional<unsigned> MaxThreads;
};

/// The launches to evaluate \p Code under, at least one. Where the shape is not
/// known, several usual ones are tried; what they disagree on is not asserted.
std::vector<LaunchPlan> planLaunches(const Program &Code,
                                     const LaunchKnowledge &Known);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_LAUNCHPLANS_H
