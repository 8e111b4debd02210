//===- RepeatedPass.cpp - Loops that load what a loop has loaded before ---===//
//
// The greatest of a row, then the sum of exponentials relative to it, then each
// of them over the sum: three loops over the same row. What lies between two
// loads of an element is the rest of the row, and more than L1 holds of as many
// rows as blocks are at work.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view Price = paths::warp_global_cycles_per_sector;

/// A thread may keep as many words in registers between two loops.
constexpr double MostWords = 64;
constexpr double WordBytes = 4;

/// Requests of a loop whose addresses a warp has all asked for before, and of
/// one that comes first: halos and ends are neither.
constexpr double NothingFresh = 0.05, AllFresh = 0.9;

/// What comes again within so many lines (a power of two) comes again in the
/// same loop, or in a loop so short that L1 holds it.
constexpr size_t NearLines = 3;

/// Two loops over the same elements make as many requests, but for their ends.
constexpr double AsMany = 0.1;

bool isInLoop(const Access &A, Operation Op) {
  return A.Memory == Space::Global && A.Op == Op && A.LoopDepth > 0 &&
         A.Sort == Access::Kind::Plain && !A.InLibrary;
}

/// The cost of a load in a loop whose rounds each load something else; null
/// where that is not known.
const Cost *roundsOf(const Access &A, unsigned Launch) {
  if (!isInLoop(A, Operation::Load) || !A.Root || A.Repeats > 0)
    return nullptr;
  const Cost *C = costUnder(A, Launch);
  return C && C->Weight > 0 && C->PerWarp > 1 && C->Reach ? C : nullptr;
}

/// Whether the warp that makes the requests of \p C has made them all before,
/// long ago.
bool isAgain(const Cost &C) {
  const auto &Far = C.Reach->Again;
  return C.Reach->FreshRequests <= NothingFresh &&
         std::accumulate(Far.begin() + NearLines, Far.end(), 0.0) >= AllFresh;
}

bool areAsMany(double Some, double Others) {
  return std::abs(Some - Others) <= AsMany * std::max(Some, Others);
}

/// Loops over one array, one after the other.
struct Passes {
  const Access *First = nullptr;
  std::vector<const Access *> Again;
};

/// Whether somebody may change elements of what \p First loads between two
/// loops: where stores go to data say, or nobody knows.
bool mayChange(const access::Kernel &K, const Access &First, unsigned Launch) {
  return std::ranges::any_of(K.Accesses, [&](const Access &B) {
    if (B.Op == Operation::Load || B.Memory == Space::Shared ||
        B.Memory == Space::Local || (B.Root && B.Root != First.Root))
      return false;
    const Cost *C = costUnder(B, Launch);
    return !C || !C->Reach || C->State == access::Proof::DataDependent;
  });
}

/// Those that begin with \p First under \p Launch.
Passes passesFrom(const access::Kernel &K, const Access &First,
                  unsigned Launch) {
  Passes Its{&First, {}};
  const Cost *C = roundsOf(First, Launch);
  if (!C || C->Reach->FreshRequests < AllFresh || mayChange(K, First, Launch))
    return Its;
  for (const Access &B : K.Accesses) {
    const Cost *Other = roundsOf(B, Launch);
    if (Other && &B > &First && B.Root == First.Root && B.Loop != First.Loop &&
        B.Bytes == First.Bytes && isAgain(*Other) &&
        areAsMany(C->Weight, Other->Weight))
      Its.Again.push_back(&B);
  }
  return Its;
}

/// Whether the last of \p Its loops does something with each element but add it
/// up: it may need what the others have found.
bool hasResultsOfEach(const access::Kernel &K, const Passes &Its,
                      unsigned Launch) {
  return std::ranges::any_of(K.Accesses, [&](const Access &B) {
    return B.Loop == Its.Again.back()->Loop && B.Op != Operation::Load &&
           makesRequests(B, Launch);
  });
}

/// Whether a later loop of \p Its takes from shared memory what threads have
/// put there since the first: it needs what all of them found in that, as A
/// times the residual of A times x does.
bool needsWhatWasFound(const access::Kernel &K, const Passes &Its,
                       unsigned Launch) {
  const auto isShared = [&](const Access &B, Operation Op) {
    return B.Memory == Space::Shared && B.Op == Op && makesRequests(B, Launch);
  };
  const auto loadsSince = [&](const Access &Load) {
    return isShared(Load, Operation::Load) &&
           std::ranges::any_of(
               Its.Again,
               [&](const Access *Later) { return Load.Loop == Later->Loop; }) &&
           std::ranges::any_of(K.Accesses, [&](const Access &Store) {
             return isShared(Store, Operation::Store) && &Store > Its.First &&
                    &Store < &Load && Store.Root == Load.Root &&
                    Store.Loop != Load.Loop && Store.Loop != Its.First->Loop;
           });
  };
  return std::ranges::any_of(K.Accesses, loadsSince);
}

/// Words that each thread would have to keep; unset where that is not known.
std::optional<double> wordsKept(const access::Kernel &K, const Access &A,
                                unsigned Launch) {
  if (!A.Trips || Launch >= K.Works.size() || !K.Works[Launch].TripsKnown)
    return std::nullopt;
  return costUnder(A, Launch)->PerWarp * std::ceil(A.Bytes / WordBytes);
}

/// Rounds of the loop around that of \p A, if each walks over the same
/// elements, nothing of one is needed by another, and a thread has registers
/// for what all of them add up.
std::optional<double> roundsOverTheSame(const access::Kernel &K,
                                        const Access &A, const Cost &C) {
  constexpr double MostRounds = 16, NearlyOnce = 1.25;
  if (C.Launch >= K.Works.size() || !isInLoop(A, Operation::Load) ||
      A.LoopDepth < 2 || !A.BeginsAfresh || !A.Root || !C.Reach ||
      C.Weight <= 0 || C.DataDecides || C.RoundsPerEntry <= 1)
    return std::nullopt;
  const double Rounds = std::round(C.PerWarp / C.RoundsPerEntry);
  const double Walk =
      std::min<double>(C.RoundsPerEntry, access::Footprint::MostRounds);
  const double Warps =
      std::ceil(K.Works[C.Launch].BlockThreads / double(access::WarpLanes));
  const double Followed = std::min(Rounds, C.Reach->Requests / (Warps * Walk));
  return Rounds >= 2 && Rounds <= MostRounds && Followed >= 2 &&
                 C.Reach->FreshRequests * Followed < NearlyOnce
             ? std::optional(Rounds)
             : std::nullopt;
}

class RepeatedPass : public Rule {
  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    checkLoops(Kernel, Device, Report);
    checkRounds(Kernel, Device, Report);
  }

  /// Rounds of a loop that each walk over the same elements.
  static void checkRounds(const access::Kernel &Kernel,
                          const profile::Profile &Device, const Sink &Report) {
    std::set<unsigned> Done; // loops
    for (const Access &A : Kernel.Accesses) {
      // Those beside it may slide along, as what is a lag later does.
      if (!A.Loop || Done.contains(*A.Loop) || !A.IsSameInRounds || !A.Trips)
        continue;
      const auto V = judge(
          Kernel, A,
          [&](const Cost &C) -> std::optional<Demand> {
            const auto Rounds = roundsOverTheSame(Kernel, A, C);
            return Rounds && Kernel.Works[C.Launch].TripsKnown &&
                           !mayChange(Kernel, A, C.Launch)
                       ? std::optional(Demand{*Rounds, 1, *Rounds, *Rounds})
                       : std::nullopt;
          },
          {2, 0});
      if (!V)
        continue;
      Done.insert(*A.Loop);
      const unsigned Launch = V->Shown->Launch;
      const double Rounds = V->Need.Actual;
      Cure Cured{Launch, {}, {}};
      for (size_t N = 0; N != Kernel.Accesses.size(); ++N) {
        const Access &B = Kernel.Accesses[N];
        const Cost *C = costUnder(B, Launch);
        if (C && B.Loop == A.Loop && roundsOverTheSame(Kernel, B, *C) == Rounds)
          Cured.Repairs.push_back({.Access = N, .Share = 1 / Rounds});
      }
      if (Kernel.Registers) {
        Cured.Shape.emplace();
        Cured.Shape->Registers = *Kernel.Registers + unsigned(Rounds);
      }
      Report(describeRounds(Kernel, A, *V, Device), std::move(Cured));
    }
  }

  static advice::Finding describeRounds(const access::Kernel &Kernel,
                                        const Access &A, const SiteVerdict &V,
                                        const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    const std::string Rounds = number(V.Need.Actual);
    F.Message = fmt::format("each of {} rounds of a loop walks over the same "
                            "elements of {}",
                            Rounds, quotedObject(A));
    addLaunchNote(F, Kernel, V);
    F.Remedy = fmt::format("make the loop over these rounds the inner one: it "
                           "has each element for all {} rounds, and keeps what "
                           "they add up in {} registers",
                           Rounds, Rounds);
    F.Cause = "order of loops";
    F.Choice = "reuse";
    return F;
  }

  static void checkLoops(const access::Kernel &Kernel,
                         const profile::Profile &Device, const Sink &Report) {
    std::set<unsigned> Done; // arrays
    for (const Access &A : Kernel.Accesses) {
      const auto V = judge(Kernel, A,
                           [&](const Cost &C) -> std::optional<Demand> {
                             const Passes Its = passesFrom(Kernel, A, C.Launch);
                             const double All = 1.0 + double(Its.Again.size());
                             return Demand{All, 1, All, All, !A.Trips};
                           },
                           {2, 0});
      if (V && Done.insert(*A.Root).second)
        report(Kernel, A, *V, Device, Report);
    }
  }

  static void report(const access::Kernel &Kernel, const Access &A,
                     const SiteVerdict &V, const profile::Profile &Device,
                     const Sink &Report) {
    const unsigned Launch = V.Shown->Launch;
    const Passes Its = passesFrom(Kernel, A, Launch);
    const auto Words = wordsKept(Kernel, A, Launch);
    const bool InRegisters = Words && *Words <= MostWords;
    if (!InRegisters && needsWhatWasFound(Kernel, Its, Launch))
      return;
    const bool LastStays =
        !InRegisters && hasResultsOfEach(Kernel, Its, Launch);
    const size_t Spared = Its.Again.size() - (LastStays ? 1 : 0);
    if (Spared == 0)
      return;
    Cure Cured{Launch, {}, {}};
    for (size_t N = 0; N != Spared; ++N)
      Cured.Repairs.push_back(
          {.Access = size_t(Its.Again[N] - Kernel.Accesses.data()),
           .Share = 0});
    if (InRegisters && Kernel.Registers) {
      Cured.Shape.emplace();
      Cured.Shape->Registers = *Kernel.Registers + unsigned(*Words);
    }

    // The finding is about the loop that could do without its loads.
    auto F = startFinding(Kernel, *Its.Again.front(), V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    F.Message = fmt::format("a loop loads again what each thread has loaded "
                            "from {} in a loop before",
                            quotedObject(A));
    F.Notes.push_back(
        {A.Where, fmt::format("loaded here first{}", times(Its))});
    addLaunchNote(F, Kernel, V);
    F.Remedy =
        InRegisters
            ? fmt::format("keep the {} elements of each thread in registers, "
                          "in loops that are written out",
                          number(V.Shown->PerWarp))
            : fmt::format("compute in one loop what {} loops compute: what "
                          "depends on a greatest or a mean can be corrected "
                          "when that changes",
                          number(double(Spared) + 1));
    F.Cause = "passes over the same data";
    Report(F, std::move(Cured));
  }

  static std::string times(const Passes &Its) {
    return Its.Again.size() > 1
               ? fmt::format(", {} times in all", 1 + Its.Again.size())
               : "";
  }
};

REGISTER_RULE(RepeatedPass);

} // namespace
