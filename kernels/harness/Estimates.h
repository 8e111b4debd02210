//===- Estimates.h - Many values from one repeated sample -------*- C++ -*-===//
//
// One launch measures many patterns. These repeat it until the last of them is
// stable, and sum up.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_ESTIMATES_H
#define WARPWISE_KERNELS_HARNESS_ESTIMATES_H

#include "kernels/harness/Session.h"
#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace warpwise::harness {

/// inference::untilStable for samples of several values: ends when all of them
/// meet \p Rule; those that do not are marked as not converged.
inline std::vector<inference::Estimate>
untilAllStable(const std::function<std::vector<double>()> &Sample,
               const inference::StopRule &Rule) {
  std::vector<std::vector<double>> Of; // by value
  std::vector<inference::Estimate> Result;
  for (unsigned N = 1; N <= Rule.Most; ++N) {
    const std::vector<double> Values = Sample();
    Of.resize(Values.size());
    for (size_t I = 0; I != Values.size(); ++I)
      Of[I].push_back(Values[I]);
    if (N < Rule.Least)
      continue;
    Result.clear();
    bool All = true;
    for (const std::vector<double> &Each : Of) {
      inference::Estimate E = inference::estimate(Each);
      E.Converged = E.halfWidth() <=
                    std::max(Rule.Relative * std::abs(E.Value), Rule.Absolute);
      All &= E.Converged;
      Result.push_back(E);
    }
    if (All)
      break;
  }
  return Result;
}

/// Latencies of one warp repeat within a small part of a cycle.
constexpr inference::StopRule OneWarp{
    .Least = 5, .Most = 25, .Relative = 0.005, .Absolute = 0.2};
/// Those of many warps depend on how they meet.
constexpr inference::StopRule ManyWarps{
    .Least = 3, .Most = 9, .Relative = 0.02, .Absolute = 0.5};

/// The mean of \p Each, such as of a pattern's random instances. Its interval
/// is the mean of theirs; N is the number of samples of one.
inline inference::Estimate
meanOf(const std::vector<inference::Estimate> &Each) {
  inference::Estimate Mean;
  Mean.N = Each.front().N;
  for (const inference::Estimate &E : Each) {
    Mean.Value += E.Value / double(Each.size());
    Mean.Low += E.Low / double(Each.size());
    Mean.High += E.High / double(Each.size());
    Mean.Converged &= E.Converged;
  }
  return Mean;
}

inline std::vector<double>
valuesOf(const std::vector<inference::Estimate> &Each) {
  std::vector<double> Values;
  for (const inference::Estimate &E : Each)
    Values.push_back(E.Value);
  return Values;
}

/// The line through the points; a Skip when all \p X are alike.
inline inference::Line lineOver(const std::vector<double> &X,
                                const std::vector<double> &Y) {
  if (const std::optional<inference::Line> Found = inference::fitLine(X, Y))
    return *Found;
  throw Skip("the requests do not differ in what they ask for");
}

/// A curve's points.
inline std::vector<std::array<double, 2>> points(const std::vector<double> &X,
                                                 const std::vector<double> &Y) {
  std::vector<std::array<double, 2>> Points;
  for (size_t I = 0; I != X.size(); ++I)
    Points.push_back({X[I], Y[I]});
  return Points;
}

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_ESTIMATES_H
