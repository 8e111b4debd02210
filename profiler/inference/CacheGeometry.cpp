//===- CacheGeometry.cpp - Hits, misses and how much fits -----------------===//

#include "profiler/inference/CacheGeometry.h"

#include "profiler/inference/FitTest.h"
#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

/// More than any outliers, less than the first words of sectors among words.
constexpr double LeastColdShare = 0.05;
/// Hits and misses differ by this at least, in cycles.
constexpr double LeastDifference = 6;

std::vector<uint64_t> inOrder(uint64_t Lines, uint64_t LineBytes) {
  std::vector<uint64_t> Offsets(Lines);
  for (uint64_t I = 0; I != Lines; ++I)
    Offsets[I] = I * LineBytes;
  return Offsets;
}

} // namespace

std::optional<HitRule> inference::hitRule(AccessProbe &Probe, uint64_t Bytes,
                                          uint64_t Stride) {
  const uint64_t Loads =
      std::clamp<uint64_t>(Bytes / Stride, 1, FitTest::LongestList / 4);
  const uint64_t Passes = 4 + 400 / Loads;
  std::vector<uint64_t> List;
  for (uint64_t Pass = 0; Pass != Passes; ++Pass)
    for (uint64_t I = 0; I != Loads; ++I)
      List.push_back(I * Stride);
  // The first call also fills the caches behind this one. Few loads need more
  // calls for as many cold ones.
  Probe.time(List);
  std::vector<double> Warm, First;
  while (First.size() < 100) {
    const std::vector<float> Took = Probe.time(List);
    First.insert(First.end(), Took.begin(), Took.begin() + ptrdiff_t(Loads));
    Warm.insert(Warm.end(), Took.begin() + ptrdiff_t(Loads), Took.end());
  }
  HitRule Rule;
  Rule.Hit = median(Warm);
  const double HitTop = quantile(Warm, 0.95);
  const double Clear =
      HitTop + std::max(LeastDifference, 2 * (HitTop - Rule.Hit));
  std::vector<double> Cold;
  std::copy_if(First.begin(), First.end(), std::back_inserter(Cold),
               [&](double T) { return T >= Clear; });
  if (double(Cold.size()) <
      std::max(1.0, LeastColdShare * double(First.size())))
    return std::nullopt;
  Rule.Miss = median(Cold);
  const double MissBottom = quantile(Cold, 0.05), MissTop = quantile(Cold, 0.9);
  Rule.Threshold = (HitTop + MissBottom) / 2;
  Rule.Ceiling = std::max(MissTop, Rule.Miss) + (Rule.Miss - Rule.Hit) / 4;
  return Rule;
}

uint64_t inference::missesOfPass(AccessProbe &Probe, const HitRule &Rule,
                                 uint64_t Lines, uint64_t LineBytes,
                                 unsigned Passes, std::mt19937_64 *Shuffle) {
  std::vector<uint64_t> Once = inOrder(Lines, LineBytes);
  if (Shuffle)
    std::shuffle(Once.begin(), Once.end(), *Shuffle);
  std::vector<uint64_t> List;
  for (unsigned Pass = 0; Pass != Passes; ++Pass)
    List.insert(List.end(), Once.begin(), Once.end());
  const std::vector<float> Took = Probe.time(List);
  return uint64_t(
      std::count_if(Took.end() - ptrdiff_t(Lines), Took.end(), [&](float T) {
        return T >= Rule.Threshold && T < Rule.Ceiling;
      }));
}

std::optional<Capacity> inference::capacity(AccessProbe &Probe,
                                            const HitRule &Rule,
                                            uint64_t LineBytes, uint64_t Low,
                                            uint64_t High) {
  FitTest Test(Probe, Rule);
  // Few misses among many strays take more walks to be seen.
  const unsigned Calls = Test.noisy() ? 8 : 1;
  std::map<uint64_t, double> Curve;
  const auto Fits = [&](uint64_t Lines, unsigned Calls) {
    const FitTest::Walk W = Test.walk(inOrder(Lines, LineBytes), Calls);
    Curve[Lines * LineBytes] = double(W.total()) / W.Passes;
    return Test.fits(W);
  };
  uint64_t Fit = Low / LineBytes;
  uint64_t TooMany = std::min(High, Probe.size()) / LineBytes;
  if (Fit == 0 || Fit >= TooMany || !Fits(Fit, Calls) || Fits(TooMany, Calls))
    return std::nullopt;
  constexpr unsigned SweepPoints = 16;
  for (unsigned I = 1; I != SweepPoints; ++I)
    if (const uint64_t Lines =
            Low / LineBytes + (TooMany - Low / LineBytes) * I / SweepPoints)
      (void)Fits(Lines, 1);
  while (TooMany - Fit > 1) {
    const uint64_t Middle = std::midpoint(Fit, TooMany);
    (Fits(Middle, Calls) ? Fit : TooMany) = Middle;
  }
  // Line by line: down to what surely fits, then up to what surely does not.
  constexpr uint64_t Neighbours = 4;
  uint64_t Least = Fit > Neighbours ? Fit - Neighbours : 1;
  while (Least > 1 && !Fits(Least, 2 * Calls))
    --Least;
  Fit = Least;
  while (Fits(Fit + 1, 2 * Calls) && (Fit + 2) * LineBytes <= Probe.size())
    ++Fit;
  Capacity Found;
  Found.Bytes = Fit * LineBytes;
  Found.MissCurve.assign(Curve.begin(), Curve.end());
  return Found;
}
