//===- ReplacementPolicy.cpp - Which line makes room ----------------------===//

#include "profiler/inference/ReplacementPolicy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

/// A policy that decides is right this often, but for outliers.
constexpr double DecidesRight = 0.9;
/// By how much it is better than the next one that says something else.
constexpr double ClearMargin = 0.05;
/// A random policy's distribution has this much in common with what was seen.
constexpr double SharesMuch = 0.85;
/// Natural logarithm of how much likelier a policy with parameters has to be.
constexpr double ClearlyLikelier = 10;
/// Share of trials in which an outlier names a wrong line.
constexpr double Mistaken = 0.02;
constexpr size_t LeastTrials = 40;
/// A cache of few sets has few trials in a call.
constexpr unsigned MostCalls = 400;
/// Sets with many ways are compared in this many parts.
constexpr unsigned MostBins = 8;

using Distribution = std::vector<double>;

/// What a policy that decides would replace.
unsigned predictedVictim(const Eviction &E, Replacement Policy) {
  Cache Set(CacheShape::uniform(1, 1, E.Ways, Policy));
  for (unsigned Line = 0; Line != E.Ways; ++Line)
    Set.load(Line);
  for (unsigned Line : E.Touches)
    Set.load(Line);
  Set.load(E.Ways);
  unsigned Line = 0;
  while (Line != E.Ways && Set.load(Line) == Cache::Outcome::Hit)
    ++Line;
  return Line;
}

struct Decider {
  Replacement Policy;
  std::vector<unsigned> Victims;
  double Agreement = 0;
};

std::optional<Decider> decider(std::span<const Eviction> Trials,
                               Replacement Policy) {
  Decider D{Policy, {}, 0};
  size_t Right = 0;
  for (const Eviction &E : Trials) {
    if (Policy == Replacement::TreePlru && !std::has_single_bit(E.Ways))
      return std::nullopt;
    D.Victims.push_back(predictedVictim(E, Policy));
    Right += D.Victims.back() == E.Victim;
  }
  D.Agreement = double(Right) / double(Trials.size());
  return D;
}

/// Which part of its set the victim is in.
unsigned binOf(const Eviction &E) {
  return E.Victim * std::min(E.Ways, MostBins) / E.Ways;
}

Distribution frequencies(std::span<const Eviction> Trials, unsigned Bins) {
  Distribution D(Bins);
  for (const Eviction &E : Trials)
    D[binOf(E)] += 1.0 / double(Trials.size());
  return D;
}

double inCommon(const Distribution &A, const Distribution &B) {
  double Sum = 0;
  for (size_t I = 0; I != A.size(); ++I)
    Sum += std::min(A[I], B[I]);
  return Sum;
}

/// Each trial's share of the bins when all ways but \p Spared are alike.
Distribution evenly(std::span<const Eviction> Trials, unsigned Bins,
                    bool SparesMostRecent) {
  Distribution D(Bins);
  for (const Eviction &E : Trials) {
    const bool Spares = SparesMostRecent && E.Ways > 1;
    const double Each = 1.0 / double(E.Ways - Spares) / double(Trials.size());
    for (unsigned Way = 0; Way != E.Ways; ++Way)
      if (!Spares || Way != E.mostRecent())
        D[Way * std::min(E.Ways, MostBins) / E.Ways] += Each;
  }
  return D;
}

double logLikelihood(std::span<const Eviction> Trials, bool SparesMostRecent) {
  double Sum = 0;
  for (const Eviction &E : Trials) {
    double P = 1.0 / E.Ways;
    if (SparesMostRecent && E.Ways > 1)
      P = E.Victim == E.mostRecent() ? 0 : 1.0 / (E.Ways - 1);
    Sum += std::log((1 - Mistaken) * P + Mistaken / E.Ways);
  }
  return Sum;
}

/// Of each half of the trials by the way frequencies of the other half.
double logLikelihoodByWay(std::span<const Eviction> Trials, unsigned Ways) {
  double Sum = 0;
  for (size_t Half : {0, 1}) {
    std::vector<double> Seen(Ways, 1.0 / Ways);
    double All = 1;
    for (size_t I = Half; I < Trials.size(); I += 2) {
      Seen[Trials[I].Victim] += 1;
      All += 1;
    }
    for (size_t I = 1 - Half; I < Trials.size(); I += 2)
      Sum += std::log(Seen[Trials[I].Victim] / All);
  }
  return Sum;
}

PolicyVerdict explainRandomly(std::span<const Eviction> Trials) {
  const unsigned Ways = Trials.front().Ways;
  const bool Alike = std::all_of(Trials.begin(), Trials.end(),
                                 [&](auto &E) { return E.Ways == Ways; });
  const unsigned Bins = std::min(Ways, MostBins);
  const Distribution Seen = frequencies(Trials, Bins);
  const double AllWays = logLikelihood(Trials, false);
  const double AllButOne = logLikelihood(Trials, true);
  const double ByWay = Alike ? logLikelihoodByWay(Trials, Ways) : -HUGE_VAL;
  PolicyVerdict V;
  if (ByWay > std::max(AllWays, AllButOne) + ClearlyLikelier) {
    // Such weights know nothing of what was touched.
    std::vector<Eviction> Recent, Older;
    for (const Eviction &E : Trials)
      (E.mostRecent() >= Ways / 2 ? Recent : Older).push_back(E);
    V.Agreement =
        Recent.empty() || Older.empty()
            ? 0
            : inCommon(frequencies(Recent, Bins), frequencies(Older, Bins));
    if (V.Agreement >= SharesMuch) {
      V.Policy = Replacement::WeightedWay;
      V.WayWeights.assign(Ways, 0);
      for (const Eviction &E : Trials)
        V.WayWeights[E.Victim] += 1.0 / double(Trials.size());
    }
  } else if (std::abs(AllWays - AllButOne) > ClearlyLikelier) {
    const bool Spares = AllButOne > AllWays;
    V.Agreement = inCommon(Seen, evenly(Trials, Bins, Spares));
    if (V.Agreement >= SharesMuch)
      V.Policy = Spares ? Replacement::NotMru : Replacement::Random;
  } else if (inCommon(Seen, evenly(Trials, Bins, false)) >= SharesMuch) {
    V.Unknown = "random replacement, but too few trials to tell whether the "
                "line used last is spared";
  }
  return V;
}

} // namespace

std::vector<Eviction> inference::observeEvictions(FitTest &Test,
                                                  const ConflictGroups &Groups,
                                                  uint64_t LineBytes,
                                                  unsigned Most, uint64_t Loads,
                                                  uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  std::vector<Eviction> Seen;
  uint64_t Spent = 0;
  unsigned Tried = 0;
  for (unsigned Call = 0; Call != MostCalls && Tried < Most && Spent < Loads;
       ++Call) {
    std::vector<uint64_t> List;
    std::vector<std::pair<size_t, Eviction>> Trials; ///< and where it looks
    std::vector<uint64_t> Lines;
    for (const ConflictGroup &G : Groups.Groups) {
      Eviction E;
      E.Ways = G.ways();
      if (!List.empty() && List.size() + 4 * E.Ways + 1 > FitTest::LongestList)
        break;
      Lines = G.Lines;
      std::shuffle(Lines.begin(), Lines.end(), Random);
      for (uint64_t Touches = Random() % (2 * E.Ways + 1); Touches; --Touches)
        E.Touches.push_back(unsigned(Random() % E.Ways));
      const auto Load = [&](unsigned Line) {
        List.push_back(Lines[Line] * LineBytes);
      };
      for (unsigned Line = 0; Line != E.Ways; ++Line)
        Load(Line);
      for (unsigned Line : E.Touches)
        Load(Line);
      Load(E.Ways);
      Trials.emplace_back(List.size(), std::move(E));
      for (unsigned Line = 0; Line != Trials.back().second.Ways; ++Line)
        Load(Line);
    }
    const std::vector<bool> Missed = Test.misses(List);
    Spent += List.size();
    for (auto &[From, E] : Trials) {
      ++Tried;
      while (E.Victim != E.Ways && !Missed[From + E.Victim])
        ++E.Victim;
      // No victim: its miss was an outlier, too.
      if (E.Victim != E.Ways)
        Seen.push_back(std::move(E));
    }
  }
  return Seen;
}

std::string_view inference::cyclicReplacement(double MissShare) {
  constexpr double All = 0.97; // but for what is misread
  return MissShare > All ? "LRU" : "not LRU";
}

PolicyVerdict inference::explainEvictions(std::span<const Eviction> Evictions) {
  PolicyVerdict V;
  if (Evictions.size() < LeastTrials) {
    V.Unknown = "too few replacements were seen";
    return V;
  }
  if (std::all_of(Evictions.begin(), Evictions.end(),
                  [](const Eviction &E) { return E.Ways == 1; })) {
    V.Unknown = "sets of one way have nothing to choose";
    return V;
  }
  std::vector<Decider> Deciders;
  for (Replacement Policy :
       {Replacement::Lru, Replacement::Fifo, Replacement::TreePlru})
    if (auto D = decider(Evictions, Policy))
      Deciders.push_back(std::move(*D));
  const auto LessRight = [](const Decider &A, const Decider &B) {
    return A.Agreement < B.Agreement;
  };
  // The first of those that say the same, as LRU and tree-PLRU of two ways do.
  const Decider Best =
      *std::max_element(Deciders.begin(), Deciders.end(), LessRight);
  V.Agreement = Best.Agreement;
  if (Best.Agreement >= DecidesRight) {
    std::erase_if(Deciders,
                  [&](const Decider &D) { return D.Victims == Best.Victims; });
    const auto Rival =
        std::max_element(Deciders.begin(), Deciders.end(), LessRight);
    if (Rival == Deciders.end() ||
        Best.Agreement - Rival->Agreement > ClearMargin)
      V.Policy = Best.Policy;
    else
      V.Unknown = fmt::format("{} and {} explain the replaced lines alike",
                              replacementName(Best.Policy),
                              replacementName(Rival->Policy));
    return V;
  }
  PolicyVerdict Randomly = explainRandomly(Evictions);
  if (Randomly.Policy)
    return Randomly;
  V.Unknown =
      !Randomly.Unknown.empty()
          ? Randomly.Unknown
          : fmt::format("no known policy explains the replaced lines; "
                        "{} comes nearest with {:.0f} %",
                        replacementName(Best.Policy), 100 * Best.Agreement);
  return V;
}
