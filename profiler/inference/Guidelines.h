//===- Guidelines.h - Fang's 23 statements, tested on a device --*- C++ -*-===//
//
// Fang et al. (2017), section 7, close with 23 statements on how to use the
// memories of a GPU. Here each is a test of what was measured. A rule of the
// advisor keeps quiet where its statement does not hold, so a verdict is about
// the advice: "G_3 does not hold" means that consecutive access gains nothing
// here, and not that a side remark of the statement is wrong. Side remarks are
// checked in the evidence.
//
// What counts as an effect (the constants are in AccessRules.h):
//  - "should", "is smaller", "does not support": holds from NoEffect (5 %) on;
//  - "is not a must", "slight", "invariant": holds below LargeEffect (1.5), as
//    Fang calls 12 of 110 clk neglectable;
//  - capabilities: by the decision rules.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_GUIDELINES_H
#define WARPWISE_PROFILER_INFERENCE_GUIDELINES_H

#include "profiler/profile/Profile.h"

#include <span>
#include <string_view>

namespace warpwise::inference {

/// A median filter of 3 x 3, the smallest of Fang's example for L_3, sorts this
/// many elements: a sort that stays in registers up to here needs no other
/// operation.
constexpr double SmallestSort = 9;

struct Statement {
  std::string_view Id; ///< "S_1"
  std::string_view Text;
  /// Paths that the test needs. "curves." leads to a curve, "degree_*" stands
  /// for all of BroadcastDegrees, "sm_*" for any architecture.
  std::span<const std::string_view> Needs;
  /// The verdict, when there is a value at all of Needs.
  profile::Guideline (*Test)(const profile::Profile &P);
};

/// All 23, sorted by Id.
std::span<const Statement> statements();

/// The verdict for one; not tested, with the path that is missing, where the
/// profile lacks something.
profile::Guideline testStatement(const Statement &S, const profile::Profile &P);

/// Replaces the guidelines of \p P by the verdicts on what it holds, and
/// records the table of AccessRules.h.
void deriveGuidelines(profile::Profile &P);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_GUIDELINES_H
