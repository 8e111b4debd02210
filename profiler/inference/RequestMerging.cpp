//===- RequestMerging.cpp - Requests that become one before L2 ------------===//

#include "profiler/inference/RequestMerging.h"

#include <fmt/format.h>

#include <cassert>

namespace warpwise::inference {

namespace {

/// A gain below this is noise.
constexpr double LeastGain = 1.05;
/// The same for stores, which are timed on all SMs at once.
constexpr double LeastStoreGain = 1.1;
/// Skews up to here, in cycles, are as long as noise.
constexpr double LeastSkew = 16;

Estimate between(double Low, double High, size_t N) {
  Estimate E;
  E.Value = (Low + High) / 2;
  E.Low = Low;
  E.High = High;
  E.N = unsigned(N);
  return E;
}

} // namespace

std::optional<MergingGroup> mergingGroup(const SharingGains &Gains) {
  const auto Beyond = [](std::optional<double> Gain, double Control) {
    return Gain && *Gain >= LeastGain * Control;
  };
  assert(Gains.Gpcs.has_value() == Gains.Mixed.has_value() &&
         "groups without their control");
  if (Gains.Gpcs && (Beyond(Gains.GpcPairs, Gains.FarPairs) ||
                     Beyond(Gains.Gpcs, *Gains.Mixed)))
    return MergingGroup{"GPC", *Gains.Gpcs / *Gains.Mixed};
  if (Beyond(Gains.TpcPairs, Gains.FarPairs))
    return MergingGroup{"TPC", Gains.TpcPairs / Gains.FarPairs};
  if (Gains.FarPairs >= LeastGain)
    return MergingGroup{"device", Gains.FarPairs};
  return std::nullopt;
}

MergeWindow mergeWindow(MeasuredPoints LagBySkew) {
  // Together while the second answer keeps less than half of the skew.
  double Before = 0;
  bool Merged = false;
  for (const auto &[Skew, Lag] : LagBySkew) {
    if (Skew < LeastSkew)
      continue;
    if (Lag < Skew / 2) {
      Before = Skew;
      Merged = true;
    } else if (Merged) {
      return {between(Before, Skew, LagBySkew.size()), ""};
    }
  }
  return {std::nullopt, Merged ? "the answers came together at any skew"
                               : "the answers never came together"};
}

MergeWindow storeMergeWindow(MeasuredPoints GainBySkew) {
  assert(!GainBySkew.empty() && GainBySkew.front()[0] == 0 &&
         "the gain without skew is what fades");
  constexpr unsigned Repeats = 5; // behind each of the points
  const double First = GainBySkew.front()[1], Last = GainBySkew.back()[1];
  if (First < LeastStoreGain)
    return {std::nullopt, "stores of different warps to the same lines are not "
                          "faster than to their own"};
  for (size_t I = 1; I != GainBySkew.size(); ++I)
    if (GainBySkew[I][1] < (First + Last) / 2 && First > 1.05 * Last)
      return {between(GainBySkew[I - 1][0], GainBySkew[I][0], Repeats), ""};
  return {std::nullopt,
          fmt::format("the gain does not fade with skew: {:.2f} together, "
                      "{:.2f} with {:.0f} cycles",
                      First, Last, GainBySkew.back()[0])};
}

} // namespace warpwise::inference
