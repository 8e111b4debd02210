//===- SiteCosts.h - From the sums over an access to its cost ---*- C++ -*-===//
//
// What the runs of a launch and the proof say of one access when they are put
// together: the mean cost of its requests, what kind of knowledge that is, and
// between which bounds it lies.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_SITECOSTS_H
#define WARPWISE_ANALYZER_EVALUATE_SITECOSTS_H

#include "analyzer/evaluate/LaunchPlans.h"
#include "profiler/profile/RequestLaw.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class Value;
}

namespace warpwise::access {

struct Coverage;
struct SiteTally;
class Tally;

namespace proof {
struct LaunchProof;
}

struct SiteResult {
  /// Unset when no warp of the launch reaches the access.
  std::optional<Cost> Value;
  /// Requests per warp that reaches it; unset when a loop around it was not
  /// followed to its end.
  std::optional<uint64_t> Trips;
  std::optional<unsigned> Group;
  bool Slides = false;
  double Repeats = 0;
  /// See LanePattern.
  std::vector<const llvm::Value *> StepFactors;
};

/// What is known of a launch when all has run that will.
struct LaunchEvidence {
  const Program &Code;
  const LaunchPlan &Plan;
  const profile::RequestLaw &Law;
  const Tally &Main;                ///< of the likely numbers: these count
  const std::vector<Tally> &Others; ///< of others, to see what they matter
  const proof::LaunchProof &Proven;
  const Coverage &Seen; ///< by all of these runs
  bool Whole;           ///< what has run is the launch itself
};

/// True when it matters to what is said of site \p Number where other numbers
/// in place of what is not known lead.
bool asksForOthers(const LaunchEvidence &Known, uint32_t Number);

/// What the launch's requests of site \p Number cost.
SiteResult resultOf(const LaunchEvidence &Known, uint32_t Number);

/// True when all about the requests of a site was known.
bool isWhole(const SiteTally &T);

/// True when it is not known where some pointer argument points.
bool hasLoosePointers(const Program &Code, const LaunchPlan &Plan);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_SITECOSTS_H
