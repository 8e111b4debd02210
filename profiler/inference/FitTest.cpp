//===- FitTest.cpp - Whether lines fit into a cache together --------------===//

#include "profiler/inference/FitTest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

/// A list that fits is taken for one that does not this often.
constexpr double FalseAlarm = 1e-4;
/// Loads that the share of strays is measured with, and the share that is
/// allowed for when there were none.
constexpr size_t StrayLoads = 8000;
constexpr double LeastStrays = 5e-5;
/// Loads of an ordinary walk, and the traversals that they may give.
constexpr size_t WalkLoads = 6000;
constexpr size_t LeastPasses = 4, MostPasses = 16, NoisyPasses = 12;

/// The least count that a binomial variable reaches with less than
/// \p Probability.
unsigned unlikelyCount(double Trials, double Share, double Probability) {
  double Term = std::pow(1 - Share, Trials), Below = 0;
  for (unsigned Count = 0;; ++Count) {
    if (Count > Trials || 1 - Below < Probability)
      return Count;
    Below += Term;
    Term *= (Trials - Count) / (Count + 1) * Share / (1 - Share);
  }
}

} // namespace

FitTest::FitTest(AccessProbe &Probe, const HitRule &Rule)
    : Probe(Probe), Rule(Rule) {
  const std::vector<float> Took =
      Probe.time(std::vector<uint64_t>(StrayLoads, 0));
  const auto Seen = std::count_if(Took.begin() + 1, Took.end(),
                                  [&](float T) { return isMiss(T); });
  Noisy = Seen > 1;
  // Half as many again, because it is an estimate.
  Strays = std::clamp(1.5 * double(Seen) / StrayLoads, LeastStrays, 0.5);
}

uint64_t FitTest::Walk::total() const {
  return std::accumulate(Misses.begin(), Misses.end(), uint64_t(0));
}

FitTest::Walk FitTest::walk(std::span<const uint64_t> Offsets, unsigned Calls,
                            std::mt19937_64 *Shuffle) {
  const size_t N = Offsets.size();
  Walk W;
  W.Misses.assign(N, 0);
  if (N == 0)
    return W;
  size_t Passes = std::clamp(WalkLoads / N, LeastPasses, MostPasses);
  Passes = std::max<size_t>(2, std::min(Passes, LongestList / N));
  // Among strays, few misses take more traversals to be seen.
  if (Noisy)
    Calls = std::max(Calls, unsigned(NoisyPasses / (Passes - 1)));
  std::vector<size_t> Order(N);
  std::iota(Order.begin(), Order.end(), size_t(0));
  for (unsigned Call = 0; Call != Calls; ++Call) {
    std::vector<size_t> Places;
    std::vector<uint64_t> List;
    Places.reserve(N * Passes);
    List.reserve(N * Passes);
    for (size_t Pass = 0; Pass != Passes; ++Pass) {
      if (Shuffle)
        std::shuffle(Order.begin(), Order.end(), *Shuffle);
      for (size_t Place : Order) {
        Places.push_back(Place);
        List.push_back(Offsets[Place]);
      }
    }
    const std::vector<float> Took = Probe.time(List);
    for (size_t I = N; I != Took.size(); ++I)
      W.Misses[Places[I]] += isMiss(Took[I]);
    W.Passes += unsigned(Passes) - 1;
  }
  return W;
}

bool FitTest::fits(const Walk &W) const {
  if (W.Misses.empty())
    return true;
  const auto Lines = double(W.Misses.size());
  // Too many in all, or on one line.
  if (W.total() >= unlikelyCount(Lines * W.Passes, Strays, FalseAlarm))
    return false;
  return *std::max_element(W.Misses.begin(), W.Misses.end()) <
         unlikelyCount(W.Passes, Strays, FalseAlarm / Lines);
}

std::vector<bool> FitTest::misses(std::span<const uint64_t> Offsets) {
  std::vector<float> Took = Probe.time(Offsets);
  if (Noisy && Repeatable) {
    const std::vector<float> Again = Probe.time(Offsets);
    std::transform(Took.begin(), Took.end(), Again.begin(), Took.begin(),
                   [](float A, float B) { return std::min(A, B); });
  }
  std::vector<bool> Missed(Took.size());
  std::transform(Took.begin(), Took.end(), Missed.begin(),
                 [&](float T) { return isMiss(T); });
  return Missed;
}

void FitTest::learnWhetherRepeatable(std::span<const uint64_t> TooMany) {
  std::vector<uint64_t> List;
  while (List.size() < 1000 || List.size() < 6 * TooMany.size())
    List.insert(List.end(), TooMany.begin(), TooMany.end());
  Repeatable = false;
  const std::vector<bool> First = misses(List), Second = misses(List);
  size_t Different = 0;
  for (size_t I = 0; I != First.size(); ++I)
    Different += First[I] != Second[I];
  Repeatable = Different <= size_t(0.06 * double(First.size()));
}
