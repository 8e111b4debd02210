//===- EarlyReduction.cpp - Blocks that put together little ---------------===//
//
// A sum over an array whose threads load an element each, and then put together
// what they have, by shuffles, barriers and atomics: all of that for one
// element of a thread. One that has added up sixteen before takes a sixteenth
// of it.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view Price = paths::device_launch_block_interval;

/// Elements that a thread brings now, at most, for it to be worth telling.
constexpr double FewElements = 4;

/// Of the threads of a block, as many results as it may have at most: what
/// shuffles and barriers are for is to make few of many.
constexpr double ResultsOfThread = 1 / 8.0;

/// Elements of a thread in place of one: with fewer blocks of an SM than these
/// what is saved is lost again, and more elements save next to nothing.
constexpr double BlocksOfSm = 8, MostElements = 16, ElementsOfUnknownGrid = 4;

/// Elements in a block, at least, for the ones that all of its threads load.
bool isElement(const Access &A, const Cost &C, const access::Work &W) {
  return A.Memory == Space::Global && A.Op == Operation::Load && !A.Gathers &&
         A.Sort == Access::Kind::Plain && C.Weight > 0 && C.Worst &&
         C.Worst->Stride != 0 && C.Weight >= warpsOf(W) / 2;
}

/// Whether each block of \p K leaves few results for its threads, and all that
/// it stores or adds to is some of them.
bool haveFewResults(const access::Kernel &K, unsigned Launch) {
  const access::Work &W = K.Works[Launch];
  std::map<std::string, double> Results; // of a block, by array
  for (const Access &A : K.Accesses) {
    const Cost *C = costUnder(A, Launch);
    if (A.Memory != Space::Global || A.Op == Operation::Load || !C)
      continue;
    const double Lanes = A.IsJoined ? 1 : C->ActiveLanes;
    Results[A.Object] += C->Weight * Lanes / W.Blocks;
  }
  return !Results.empty() && std::ranges::all_of(Results, [&](const auto &Its) {
    return Its.second <= ResultsOfThread * W.BlockThreads;
  });
}

double sumOf(const std::array<double, access::PipeCount> &Issued) {
  return std::accumulate(Issued.begin(), Issued.end(), 0.0);
}

/// Elements that a thread of \p K could add up in place of one.
std::optional<double> elementsInstead(const access::Kernel &K, const Access &A,
                                      const Cost &C, double Sms) {
  if (C.Launch >= K.Works.size() || C.DataDecides)
    return std::nullopt;
  const access::Work &W = K.Works[C.Launch];
  const bool IsCounted = A.LoopDepth == 0 || W.TripsKnown;
  if (!IsCounted || sumOf(W.Gathered) <= 0 || !isElement(A, C, W) ||
      C.PerWarp > FewElements || !haveFewResults(K, C.Launch))
    return std::nullopt;
  // Of a grid that nobody knows a few: it has to have as many blocks to spare.
  const double Most =
      W.IsWholeGrid ? W.Blocks / (BlocksOfSm * Sms) : ElementsOfUnknownGrid;
  const double Elements = std::floor(std::min(MostElements, Most));
  return Elements >= 2 ? std::optional(Elements) : std::nullopt;
}

class EarlyReduction : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return unpriced(Device, Price, "how fast an SM gets new blocks");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const double Sms = Device.value(paths::device_sm_count).value_or(1);
    for (const Access &A : Kernel.Accesses) {
      const auto V =
          judge(Kernel, A,
                [&](const Cost &C) -> std::optional<Demand> {
                  const auto Elements = elementsInstead(Kernel, A, C, Sms);
                  return Elements ? std::optional(Demand{*Elements, 1,
                                                         *Elements, *Elements})
                                  : std::nullopt;
                },
                {2, 0});
      if (!V)
        continue;
      const unsigned Launch = V->Shown->Launch;
      return Report(describe(Kernel, A, *V, Device),
                    {Launch, {}, price::Reshape{.Brought = V->Need.Actual}});
    }
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    const access::Work &W = Kernel.Works[V.Shown->Launch];
    F.Message = fmt::format(
        "threads bring {} of {} each to what their block puts together",
        counted(std::round(V.Shown->PerWarp), "element"), quotedObject(A));
    addNote(F, fmt::format("of the instructions, {} % put together what "
                           "threads have found",
                           number(std::round(100 * sumOf(W.Gathered) /
                                             sumOf(W.Issued)))));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy = fmt::format(
        "let each thread put together {} times as many in a loop first, a "
        "block's width or the grid's apart: in as many times fewer blocks, or, "
        "where each block or warp has a result of its own, with as many times "
        "fewer threads for it",
        number(V.Need.Actual));
    F.Cause = "one element for each thread";
    F.Choice = "fewer blocks";
    return F;
  }
};

REGISTER_RULE(EarlyReduction);

} // namespace
