//===- RedundantRoundTrip.cpp - Sums that are kept in memory --------------===//
//
// Out[I] += In[...] in a loop stores each round's sum although only the last
// one is wanted: as long as Out may point to what the next round loads, no
// compiler may leave the others out. Nor may it where Out is volatile, in
// shared memory say. And what a thread leaves in an array for later, no
// compiler leaves out, although nobody else may ever look at it.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
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
constexpr std::string_view SharedPrice =
    paths::warp_shared_cycles_per_wavefront;

/// Two stores where one would do.
constexpr double MinWaste = 2;

/// What compilers unroll a loop to when they can.
constexpr double RoundsAtOnce = 4;

bool isPlain(const Access &A, Operation Op) {
  return A.Memory == Space::Global && A.Op == Op &&
         A.Sort == Access::Kind::Plain && A.LoopDepth > 0;
}

/// Of the requests of a warp, those that would do: one for each row of rounds
/// with the same addresses.
double shareNeeded(const Access &A, const Cost &C) {
  return std::max(1 - A.Repeats, C.PerWarp > 0 ? 1 / C.PerWarp : 1.0);
}

/// Whether a register holds what it loads from the first round on.
bool isMadeOnce(const Access &A) {
  return std::all_of(A.PerLaunch.begin(), A.PerLaunch.end(),
                     [](const Cost &C) { return C.PerWarp <= 1; });
}

/// The load that brings back what \p Store has stored, or null: one of the same
/// line, or one of a loop in which all loads of the array go to the same
/// addresses in each round. Those of \p Taken belong to other stores; on one
/// line several stores may share a load.
const Access *loadOf(const access::Kernel &K, const Access &Store,
                     const std::set<const Access *> &Taken) {
  const Access *Shared = nullptr, *Other = nullptr;
  bool AllRepeat = true;
  for (const Access &B : K.Accesses) {
    if (B.Op != Operation::Load || B.Memory != Space::Global ||
        B.Object != Store.Object)
      continue;
    const bool IsAlike = B.Bytes == Store.Bytes, IsFree = !Taken.contains(&B);
    if (IsAlike && B.Where.File == Store.Where.File &&
        B.Where.Line == Store.Where.Line) {
      if (IsFree)
        return &B;
      Shared = &B;
    }
    if (B.LoopDepth == 0)
      continue;
    AllRepeat &= B.Repeats > 0 || isMadeOnce(B);
    if (IsAlike && IsFree && !Other)
      Other = &B;
  }
  return Shared ? Shared : AllRepeat ? Other : nullptr;
}

/// Something that is loaded in the same loop and may be what is stored, as far
/// as a compiler can tell, or null.
const Access *loadBetween(const access::Kernel &K, const Access &Store) {
  const auto Found =
      std::find_if(K.Accesses.begin(), K.Accesses.end(), [&](const Access &B) {
        return isPlain(B, Operation::Load) && B.Object != Store.Object &&
               B.Loop == Store.Loop && !B.Object.empty() && !B.IsRestricted;
      });
  return Found == K.Accesses.end() ? nullptr : &*Found;
}

/// Whether other threads can have a part in what lies there: they wait for each
/// other, or some accesses are atomic.
bool isCommunicating(const access::Kernel &K, const Access &Store) {
  return K.HasBarriers || std::any_of(K.Accesses.begin(), K.Accesses.end(),
                                      [&](const Access &B) {
                                        return B.Object == Store.Object &&
                                               (B.Op == Operation::Atomic ||
                                                B.Sort != Access::Kind::Plain);
                                      });
}

bool areRoundsKnown(const access::Kernel &K, const Access &A, const Cost &C) {
  return A.Trips && C.Launch < K.Works.size() && K.Works[C.Launch].TripsKnown;
}

/// One sum that a loop keeps in memory.
struct RoundTrip {
  const Access *Store, *Back, *Between;
  SiteVerdict Verdict;
};

std::vector<RoundTrip> findAll(const access::Kernel &Kernel) {
  std::vector<RoundTrip> Found;
  std::set<const Access *> Taken;
  for (const Access &A : Kernel.Accesses) {
    if (!isPlain(A, Operation::Store) || A.Object.empty() || A.IsRestricted ||
        A.Repeats == 0)
      continue;
    const Access *Back = loadOf(Kernel, A, Taken);
    const Access *Between = loadBetween(Kernel, A);
    if (!Back || !Between || isCommunicating(Kernel, A))
      continue;
    auto V = judge(Kernel, A,
                   [&](const Cost &C) -> std::optional<Demand> {
                     const double Stores = 1 / shareNeeded(A, C);
                     return Demand{Stores, 1, Stores, Stores,
                                   !areRoundsKnown(Kernel, A, C)};
                   },
                   {MinWaste, 0});
    if (!V)
      continue;
    Taken.insert(Back);
    Found.push_back({&A, Back, Between, std::move(*V)});
  }
  return Found;
}

/// "32 stores", or what is true of any number of rounds.
std::string storesOf(const SiteVerdict &V) {
  return V.Need.IsLikely ? "as many stores" : asserted(V, "store");
}

/// Whether \p A stores to words of shared memory that registers could hold
/// during a loop.
bool storesCarried(const Access &A) {
  return A.Memory == Space::Shared && A.Op == Operation::Store &&
         std::any_of(A.PerLaunch.begin(), A.PerLaunch.end(), [](const Cost &C) {
           return C.KeptIfInRegister.has_value();
         });
}

/// Repairs of what \p K does to such words under \p Launch: registers hold all
/// of them, and rounds no longer wait for each other's stores.
std::vector<price::Repair> intoRegisters(const access::Kernel &K,
                                         unsigned Launch) {
  std::vector<price::Repair> All;
  for (size_t N = 0; N != K.Accesses.size(); ++N) {
    const Access &A = K.Accesses[N];
    const Cost *C = costUnder(A, Launch);
    if (!C || C->Weight <= 0)
      continue;
    if (C->KeptIfInRegister && A.Memory == Space::Shared)
      All.push_back({.Access = N, .Share = *C->KeptIfInRegister});
    else if (A.Waits > A.WaitsIfInRegister && A.Kept > 0)
      All.push_back({.Access = N, .Waits = A.WaitsIfInRegister / A.Waits});
  }
  return All;
}

/// What threads do to a global array of which each loads only what it has
/// stored itself.
struct OwnElements {
  double Words = 0; ///< that a thread would have to keep
  std::vector<price::Repair> Repairs;
};

/// Unset if that is not so, or if sums in memory are all there is to it.
std::optional<OwnElements> ownElements(const access::Kernel &K,
                                       const std::string &Object,
                                       unsigned Launch) {
  constexpr double WordBytes = 4;
  OwnElements Its;
  for (size_t N = 0; N != K.Accesses.size(); ++N) {
    const Access &A = K.Accesses[N];
    if (A.Memory != Space::Global || A.Object != Object)
      continue;
    const Cost *C = costUnder(A, Launch);
    if (!C || C->Weight <= 0)
      continue;
    if (!C->KeptIfInRegister || A.Repeats > 0)
      return std::nullopt;
    double Share = *C->KeptIfInRegister;
    if (A.Op == Operation::Store) {
      Its.Words += C->PerWarp * Share * std::ceil(A.Bytes / WordBytes);
      if (C->IsScratch)
        Share = 0;
    }
    Its.Repairs.push_back({.Access = N, .Share = Share});
  }
  return Its;
}

class RedundantRoundTrip : public Rule {
  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    checkShared(Kernel, Device, Report);
    checkOwn(Kernel, Device, Report);
    const std::vector<RoundTrip> All = findAll(Kernel);
    for (const RoundTrip &R : All) {
      Cure Its = cureOf(Kernel, R);
      // Cures of one cause are followed together: once is enough.
      if (&R == &All.front())
        addLoads(Kernel, All, Its);
      Report(describe(Kernel, *R.Store, R.Verdict, Device, *R.Between),
             std::move(Its));
    }
  }

  static void checkOwn(const access::Kernel &Kernel,
                       const profile::Profile &Device, const Sink &Report) {
    constexpr double MostWords = 32; // or registers may not be enough
    std::set<std::string> Done;
    for (const Access &A : Kernel.Accesses) {
      if (A.Memory != Space::Global || A.Op != Operation::Load ||
          A.Object.empty() || !Done.insert(A.Object).second)
        continue;
      const auto V =
          judge(Kernel, A,
                [&](const Cost &C) -> std::optional<Demand> {
                  const auto Its = ownElements(Kernel, A.Object, C.Launch);
                  if (!Its || !C.KeptIfInRegister || Its->Words > MostWords)
                    return std::nullopt;
                  // A row of a length that nobody knows is no variable.
                  if (A.LoopDepth > 0 && !areRoundsKnown(Kernel, A, C))
                    return std::nullopt;
                  // A store and a load, where one of them would do or none.
                  return Demand{2, 1, 2, 2, !areRoundsKnown(Kernel, A, C)};
                },
                {MinWaste, 0});
      if (!V)
        continue;
      Report(describeOwn(Kernel, A, *V, Device),
             {V->Shown->Launch,
              ownElements(Kernel, A.Object, V->Shown->Launch)->Repairs,
              {}});
    }
  }

  static advice::Finding describeOwn(const access::Kernel &Kernel,
                                     const Access &A, const SiteVerdict &V,
                                     const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    const bool IsScratch = V.Shown->IsScratch;
    F.Message = fmt::format(
        "each thread loads from {} only what it has stored there itself{}",
        quotedObject(A),
        IsScratch ? ", and the host code shows it to nobody else" : "");
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy = fmt::format(
        "keep it in variables of the thread{}",
        IsScratch ? fmt::format(", and do without {}", quotedObject(A))
                  : ", and store what others want once");
    F.Cause = "elements of " + A.Object;
    return F;
  }

  static void checkShared(const access::Kernel &Kernel,
                          const profile::Profile &Device, const Sink &Report) {
    std::set<unsigned> Cured; // launches, each with all that is to be done
    for (const Access &A : Kernel.Accesses) {
      if (!storesCarried(A))
        continue;
      const auto V = judge(Kernel, A,
                           [&](const Cost &C) -> std::optional<Demand> {
                             if (!C.KeptIfInRegister)
                               return std::nullopt;
                             const double Stores = 1 / *C.KeptIfInRegister;
                             return Demand{Stores, 1, Stores, Stores,
                                           !areRoundsKnown(Kernel, A, C)};
                           },
                           {MinWaste, 0});
      if (!V)
        continue;
      Cure Its{V->Shown->Launch, {}, {}};
      if (Cured.insert(Its.Launch).second)
        Its.Repairs = intoRegisters(Kernel, Its.Launch);
      Report(describeShared(Kernel, A, *V, Device), std::move(Its));
    }
  }

  static advice::Finding describeShared(const access::Kernel &Kernel,
                                        const Access &A, const SiteVerdict &V,
                                        const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, SharedPrice);
    // The load that goes with each store takes as many.
    const double Wavefronts = 2 * V.Shown->Wavefronts.value_or(1);
    F.ExtraCycles *= Wavefronts;
    F.ExtraCyclesLow *= Wavefronts;
    F.ExtraCyclesHigh *= Wavefronts;
    F.Weight = std::max(1.0, F.Weight / V.Need.asserted());
    F.Message = fmt::format(
        "{} is loaded and stored in each round of a loop: {} to the same words "
        "of shared memory where one would do",
        quotedObject(A), storesOf(V));
    addNote(F, "volatile asks for each of them, though no other thread can "
               "look at the words before the loop is over");
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, SharedPrice);
    F.Remedy = fmt::format("keep it in a variable of its own during the loop, "
                           "and store it to {} once after it",
                           quotedObject(A));
    F.Cause = "sums in shared memory";
    return F;
  }

  static Cure cureOf(const access::Kernel &K, const RoundTrip &R) {
    const auto indexOf = [&](const Access &B) {
      return size_t(&B - K.Accesses.data());
    };
    const Cost &Shown = *R.Verdict.Shown;
    Cure Result{
        Shown.Launch,
        {{.Access = indexOf(*R.Store), .Share = shareNeeded(*R.Store, Shown)}},
        {}};
    if (const Cost *C = costUnder(*R.Back, Shown.Launch);
        C && C->Weight > 0 && R.Back->Repeats > 0 && R.Back->Kept > 0)
      Result.Repairs.push_back(
          {.Access = indexOf(*R.Back), .Share = shareNeeded(*R.Back, *C)});
    return Result;
  }

  /// Without the stores the compiler loads for several rounds at a time.
  static void addLoads(const access::Kernel &K,
                       const std::vector<RoundTrip> &Cured, Cure &To) {
    const auto isCured = [&](const Access &B) {
      return std::any_of(Cured.begin(), Cured.end(), [&](const RoundTrip &R) {
        return R.Store->Object == B.Object;
      });
    };
    const bool AreLast = std::none_of(
        K.Accesses.begin(), K.Accesses.end(), [&](const Access &B) {
          return isPlain(B, Operation::Store) && !isCured(B) && !B.IsRestricted;
        });
    for (size_t N = 0; AreLast && N != K.Accesses.size(); ++N)
      if (const Access &B = K.Accesses[N]; isPlain(B, Operation::Load) &&
                                           !isCured(B) && B.Waits >= 1 &&
                                           makesRequests(B, To.Launch))
        To.Repairs.push_back({.Access = N, .Waits = 1 / RoundsAtOnce});
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device,
                                  const Access &Between) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    const double Sectors = V.Shown->Sectors.value_or(1);
    F.ExtraCycles *= Sectors;
    F.ExtraCyclesLow *= Sectors;
    F.ExtraCyclesHigh *= Sectors;
    // What counts is the loop, not each of its rounds.
    F.Weight = std::max(1.0, F.Weight / V.Need.asserted());
    F.Message =
        fmt::format("{} is stored in each round of a loop: {} to the same "
                    "addresses where one would do",
                    quotedObject(A), storesOf(V));
    addNote(F, fmt::format("the compiler has to store it each time: what is "
                           "loaded from '{}' may be the same memory",
                           Between.Object));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy = fmt::format("keep it in a variable of its own during the loop, "
                           "and store it to {} once after it",
                           quotedObject(A));
    F.Cause = "sums in memory"; // one alone leaves the others in the way
    return F;
  }
};

REGISTER_RULE(RedundantRoundTrip);

} // namespace
