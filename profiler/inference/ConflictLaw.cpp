//===- ConflictLaw.cpp - Banks and prices from shared latencies -----------===//

#include "profiler/inference/ConflictLaw.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace warpwise::inference {

unsigned pointsOff(const Line &Law, const std::vector<double> &Wavefronts,
                   const std::vector<double> &Cycles, double Tolerance) {
  assert(Wavefronts.size() == Cycles.size() && "a request without a time");
  unsigned Off = 0;
  for (size_t I = 0; I != Cycles.size(); ++I)
    Off += std::abs(Law.at(Wavefronts[I]) - Cycles[I]) > Tolerance;
  return Off;
}

std::optional<SharedBanks> banksOf(const std::vector<double> &Distances,
                                   const std::vector<double> &Latencies,
                                   double Slope) {
  assert(Distances.size() == Latencies.size() && !Latencies.empty() &&
         "a distance without a latency");
  const double Free = *std::min_element(Latencies.begin(), Latencies.end());
  auto Conflicts = [&](size_t I) {
    return I < Latencies.size() && Latencies[I] > Free + Slope / 2;
  };
  size_t First = 0;
  while (First != Distances.size() && !Conflicts(First))
    ++First;
  if (First == Distances.size())
    return std::nullopt;
  unsigned Words = 0;
  while (Conflicts(First + Words))
    ++Words;
  const auto Again =
      std::find(Distances.begin(), Distances.end(), 2 * Distances[First]);
  if (Again == Distances.end() || !Conflicts(Again - Distances.begin()))
    return std::nullopt;
  const unsigned Width = Words * 4;
  return SharedBanks{unsigned(Distances[First]) / Width, Width};
}

std::optional<unsigned> periodOf(const std::vector<double> &Latencies,
                                 double Tolerance) {
  for (size_t Period = 1; 2 * Period <= Latencies.size(); ++Period) {
    bool Same = true;
    for (size_t I = 0; I + Period != Latencies.size(); ++I)
      Same &= std::abs(Latencies[I] - Latencies[I + Period]) <= Tolerance;
    if (Same)
      return unsigned(Period);
  }
  return std::nullopt;
}

} // namespace warpwise::inference
