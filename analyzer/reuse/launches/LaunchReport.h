//===- LaunchReport.h - What the cache model says of a launch ---*- C++ -*-===//
//
// Plain data, for the writers.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_LAUNCHES_LAUNCHREPORT_H
#define WARPWISE_ANALYZER_REUSE_LAUNCHES_LAUNCHREPORT_H

#include "analyzer/launch/facts/LaunchFacts.h"
#include "analyzer/reuse/Simulator.h"
#include "analyzer/reuse/launches/UserInput.h"

namespace warpwise::reuse {

/// The launch with other caches.
struct VariantResult {
  std::vector<std::string> Values; ///< of the axes
  Traffic Total;
  std::string Error; ///< one sentence; then Total is not valid
};

struct LaunchReport {
  enum class Status {
    Modelled,
    Partial, ///< see Reason for what not to rely on
    NotModelled
  } State = Status::NotModelled;
  std::string Reason; ///< one sentence, of all but Modelled

  std::string Kernel;  ///< demangled
  std::string Mangled; ///< as nvcc has it
  Place At;            ///< as in launch::Launch
  std::optional<launch::Dim3> Grid, Block;
  std::optional<unsigned> Invocation; ///< see ChosenLaunch
  std::vector<std::string> Assumptions;

  double Seconds = 0; ///< of one core, for traces and caches
  std::vector<Place> Sites;
  SimulationResult Result;
  std::vector<VariantResult> Variants;
};

/// What all launches of a run have in common.
struct ReuseRun {
  std::string File, Profile;
  CacheOptions Caches;
  std::vector<Axis> Axes;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LAUNCHES_LAUNCHREPORT_H
