//===- CostFit.h - From measured requests to the cost model -----*- C++ -*-===//
//
// Plain C++: what a pattern is made of in each memory, the fit, and its place
// in the profile.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_COSTFIT_H
#define WARPWISE_KERNELS_HARNESS_COSTFIT_H

#include "kernels/harness/LanePatterns.h"
#include "kernels/harness/Session.h"
#include "profiler/inference/WarpCostModel.h"

#include <optional>
#include <string>
#include <vector>

namespace warpwise::harness {

/// Whose rules count a request's parts.
enum class CostRules {
  Shared,  ///< data wavefronts
  Global,  ///< data wavefronts, tags (lines of 128 bytes) and sectors
  Constant ///< words
};

/// What \p P is made of. \p LinesPerTag: lines of L1 whose tags one pass looks
/// up; a tag wavefront is such a pass.
inference::WarpFeatures featuresOf(CostRules Rules, const Pattern &P,
                                   unsigned Bytes, unsigned LinesPerTag);

/// What was measured, and how the profile calls it.
struct CostMeasurement {
  CostRules Rules;
  std::string Path; ///< "warp.shared.b4.latency"
  std::string What; ///< one line: what the cycles are
  unsigned Bytes;
};

/// The quantities below CostMeasurement::Path, without it.
std::vector<std::string> costQuantities(CostRules Rules);

/// Fits the model to the \p Cycles of \p Patterns and records it. Where tags
/// count, so many lines per tag wavefront are taken as fit best.
void recordCost(Session &S, const CostMeasurement &M,
                const std::vector<Pattern> &Patterns,
                const std::vector<double> &Cycles);

/// A model as recordCost left it in the profile, with what it needs.
struct RecordedCost {
  inference::WarpCostModel Model;
  CostRules Rules;
  unsigned Bytes = 4;
  unsigned LinesPerTag = 1;

  double predict(const Pattern &P) const {
    return Model.predict(featuresOf(Rules, P, Bytes, LinesPerTag));
  }
};
/// Nothing when there is none at \p M.Path.
std::optional<RecordedCost> recordedCost(const profile::Profile &P,
                                         const CostMeasurement &M);

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_COSTFIT_H
