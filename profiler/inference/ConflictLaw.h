//===- ConflictLaw.h - Banks and prices from shared latencies ---*- C++ -*-===//
//
// What the latencies of conflicting loads say about the banks.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_CONFLICTLAW_H
#define WARPWISE_PROFILER_INFERENCE_CONFLICTLAW_H

#include "profiler/inference/Statistics.h"

#include <optional>
#include <vector>

namespace warpwise::inference {

/// How many \p Cycles lie further than \p Tolerance from \p Law.
unsigned pointsOff(const Line &Law, const std::vector<double> &Wavefronts,
                   const std::vector<double> &Cycles, double Tolerance);

struct SharedBanks {
  unsigned Count = 0;
  unsigned Width = 0; ///< bytes
};
/// From the latency of two words against their distance (bytes, ascending, in
/// steps of 4): the first distance with a conflict is where the banks begin
/// again, and as many distances in a row conflict as a bank has words.
/// \p Slope is the price of a conflict. Nothing when no distance conflicts, or
/// when the conflicts do not come again at twice the first distance.
std::optional<SharedBanks> banksOf(const std::vector<double> &Distances,
                                   const std::vector<double> &Latencies,
                                   double Slope);

/// The least period of the latency over strides 1 and up, which \p Latencies
/// begins with; values within \p Tolerance are the same. Nothing when there is
/// none within half of the strides.
std::optional<unsigned> periodOf(const std::vector<double> &Latencies,
                                 double Tolerance);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_CONFLICTLAW_H
