//===- RequestMerging.h - Requests that become one before L2 ----*- C++ -*-===//
//
// What bandwidths and answers say about misses of several SMs, and stores of
// several warps, that travel as one.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_REQUESTMERGING_H
#define WARPWISE_PROFILER_INFERENCE_REQUESTMERGING_H

#include "profiler/inference/Statistics.h"

#include <array>
#include <optional>
#include <span>
#include <string>

namespace warpwise::inference {

/// Bandwidth of SMs that read the same lines over that of SMs that each read
/// their own; nothing where the device has no such groups.
struct SharingGains {
  double TpcPairs = 0; ///< SMs 2k and 2k + 1
  double FarPairs = 0; ///< of two GPCs; the control of all pairs
  std::optional<double> GpcPairs;
  std::optional<double> Gpcs;  ///< all SMs of a GPC
  std::optional<double> Mixed; ///< as many SMs of all GPCs, the control of Gpcs
};

/// The widest group of SMs whose requests are merged.
struct MergingGroup {
  std::string Name; ///< "TPC", "GPC" or "device"
  double Speedup = 1;
};
/// Sharing alone may help L2; only what is beyond SMs that are far from each
/// other is merged on the way. Nothing when no sharing gains.
std::optional<MergingGroup> mergingGroup(const SharingGains &Gains);

/// Pairs of an x and what was measured there, ascending.
using MeasuredPoints = std::span<const std::array<double, 2>>;

/// Up to which skew two requests are answered together, in cycles. A merged
/// request is answered with the one that it joined, another as much later as it
/// was asked: \p LagBySkew.
struct MergeWindow {
  std::optional<Estimate> Cycles;
  std::string WhyNot; ///< when there is none
};
MergeWindow mergeWindow(MeasuredPoints LagBySkew);

/// At which skew half of the gain of stores to the same lines is gone. \p
/// GainBySkew begins with no skew and ends with one at which nothing can meet.
MergeWindow storeMergeWindow(MeasuredPoints GainBySkew);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_REQUESTMERGING_H
