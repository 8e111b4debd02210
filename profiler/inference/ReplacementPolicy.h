//===- ReplacementPolicy.h - Which line makes room --------------*- C++ -*-===//
//
// A set is filled line by line from empty, some of its lines are loaded again,
// then comes one more line, and the first that misses after it is the one that
// was replaced. LRU, FIFO and tree-PLRU each name that line; the random
// policies name a distribution. The policy is the one that fits clearly best.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_REPLACEMENTPOLICY_H
#define WARPWISE_PROFILER_INFERENCE_REPLACEMENTPOLICY_H

#include "profiler/inference/ConflictGroups.h"

namespace warpwise::inference {

/// One such trial. Lines are named by their place in the order of filling.
struct Eviction {
  unsigned Ways = 0;
  std::vector<unsigned> Touches; ///< loaded again after the filling
  unsigned Victim = 0;
  unsigned mostRecent() const {
    return Touches.empty() ? Ways - 1 : Touches.back();
  }
};

/// Trials in the sets of \p Groups, several in one call of the probe. At most
/// \p Most of them and \p Loads loads.
std::vector<Eviction> observeEvictions(FitTest &Test,
                                       const ConflictGroups &Groups,
                                       uint64_t LineBytes, unsigned Most,
                                       uint64_t Loads, uint64_t Seed = 1);

/// In a word what the share of misses tells of a cyclic traversal of more lines
/// than there is room for, in which LRU misses each.
std::string_view cyclicReplacement(double MissShare);

struct PolicyVerdict {
  std::optional<Replacement> Policy;
  std::vector<double> WayWeights; ///< by the order of filling
  double Agreement = 0; ///< of the policy, or of the best if none is named
  std::string Unknown;  ///< why none is
};
PolicyVerdict explainEvictions(std::span<const Eviction> Evictions);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_REPLACEMENTPOLICY_H
