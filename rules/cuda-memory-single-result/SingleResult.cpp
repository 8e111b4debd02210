//===- SingleResult.cpp - Threads that load for one result only -----------===//
//
// Threads side by side load much of the same. A thread that has several results
// keeps in registers what the next one needs, too: of two results by two, the
// factors of products; of four in a row, the windows of a stencil, whether they
// lie in a tile in shared memory or come from global memory.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"
#include "rules/cuda-memory-single-result/BlocksBeside.h"
#include "rules/cuda-memory-single-result/ResultsOfThread.h"
#include "rules/cuda-memory-single-result/SideBySide.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view GlobalPrice =
    paths::warp_global_b4_throughput_per_tag;
constexpr std::string_view SharedPrice =
    paths::warp_shared_cycles_per_wavefront;

/// Rounds of a loop over the factors of products.
constexpr double LeastRounds = 16;

/// Loads of the factors of products, of which none serves a second one.
std::vector<size_t> factorsOf(const access::Kernel &K) {
  constexpr double KeptEachTime = 0.9;
  std::vector<size_t> Found;
  for (size_t N = 0; N != K.Accesses.size(); ++N)
    if (K.Accesses[N].IsFactor && K.Accesses[N].LoopDepth > 0) {
      if (K.Accesses[N].Kept < KeptEachTime)
        return {};
      Found.push_back(N);
    }
  return Found;
}

/// Whether one of \p Factors is loaded so seldom that it serves several
/// products of what another brings: the thread has several results.
bool servesSeveral(const access::Kernel &K, const std::vector<size_t> &Factors,
                   unsigned Launch) {
  constexpr double Fewer = 0.6;
  double Most = 0;
  for (const size_t N : Factors)
    if (const Cost *C = costUnder(K.Accesses[N], Launch))
      Most = std::max(Most, C->PerWarp);
  return std::any_of(Factors.begin(), Factors.end(), [&](size_t N) {
    const Cost *C = costUnder(K.Accesses[N], Launch);
    return C && C->PerWarp < Fewer * Most;
  });
}

/// Two for each product, less where one brings the factors of several.
double loadsPerProduct(const access::Kernel &K) {
  const std::vector<size_t> Factors = factorsOf(K);
  double Sum = 0;
  for (const size_t N : Factors)
    Sum += 1.0 / std::max(1u, K.Accesses[N].RoundsAtOnce);
  return 2 * Sum / double(Factors.size());
}

/// What each thread loads for its only result: of an array in shared memory, or
/// all that it loads from global memory.
struct Window {
  std::vector<size_t> Loads;    ///< indices into Kernel::Accesses
  unsigned Axis = 1;            ///< along which threads share the most
  double Loaded = 0, Again = 0; ///< by a thread, and by the next one, too
};

/// Of what a thread asks for in \p C, the share that one beside it along
/// \p Axis does, too. Along x threads are lanes, and results side by side would
/// take what lanes load side by side now apart. A block's width apart they
/// share what all lanes load from one address.
double againAlong(const Cost &C, unsigned Axis) {
  // Nobody knows where data lead the next thread.
  if (C.State == access::Proof::DataDependent)
    return 0;
  if (Axis > 0)
    return C.LoadedBeside[Axis];
  const bool IsOneAddress = C.Worst && C.Worst->Stride == 0;
  return IsOneAddress && C.Reach ? 1 - C.Reach->FreshBeside[0] : 0;
}

/// Takes the axis along which the next thread loads the most of what a thread
/// of \p K loads. False where that is not much.
bool chooseAxis(Window &Its, const access::Kernel &K, unsigned Launch,
                bool IsInBlock) {
  const launch::Shape &Shape = K.Launches[Launch];
  std::array<double, 3> Again{};
  for (const size_t N : Its.Loads) {
    const Cost &C = *costUnder(K.Accesses[N], Launch);
    const double Requests =
        C.Weight * K.Accesses[N].Kept / K.Accesses[N].RoundsAtOnce;
    Its.Loaded += Requests;
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      Again[Axis] += Requests * againAlong(C, Axis);
  }
  for (const unsigned Axis : {1u, 2u, 0u}) {
    const double Rows =
        Shape.Grid ? (*Shape.Grid)[Axis] : double(ResultsInARow);
    if (IsInBlock   ? Axis > 0 && Shape.Block[Axis] > 1 && Rows >= ResultsInARow
        : Axis == 0 ? Rows >= ResultsInARow
                    : Rows * Shape.Block[Axis] >= ResultsInARow)
      if (Again[Axis] > Its.Again) {
        Its.Axis = Axis;
        Its.Again = Again[Axis];
      }
  }
  const double Warps = warpsOf(K.Works[Launch]);
  Its.Loaded /= Warps;
  Its.Again /= Warps;
  return Its.Loaded >= FewestLoads && Its.Again >= LeastAgain * Its.Loaded;
}

/// Of \p Object under launch \p Launch.
std::optional<Window> windowOf(const access::Kernel &K,
                               const std::string &Object, unsigned Launch) {
  if (Launch >= K.Works.size() || !haveOneResult(K, Launch))
    return std::nullopt;
  Window Its;
  for (size_t N = 0; N != K.Accesses.size(); ++N) {
    const Access &A = K.Accesses[N];
    if (A.Memory != Space::Shared || A.Object != Object)
      continue;
    const Cost *C = costUnder(A, Launch);
    if (A.Op != Operation::Load || !C || C->Weight <= 0)
      continue;
    if (A.Sort != Access::Kind::Plain || A.IsFactor ||
        (A.LoopDepth > 0 && !A.IsWrittenOut))
      return std::nullopt; // who knows what else a thread needs
    Its.Loads.push_back(N);
  }
  if (!chooseAxis(Its, K, Launch, /*IsInBlock=*/true))
    return std::nullopt;
  return Its;
}

/// Of global memory, in a kernel that has nothing in shared memory, or should
/// have, and nothing to add up elsewhere.
std::optional<Window> rowOf(const access::Kernel &K, unsigned Launch) {
  if (!haveOneResult(K, Launch) || K.Works[Launch].Barriers > 0)
    return std::nullopt;
  Window Its;
  std::set<std::string> Stored;
  for (const Access &A : K.Accesses)
    if (A.Memory == Space::Global && A.Op == Operation::Store)
      Stored.insert(A.Object);
  for (size_t N = 0; N != K.Accesses.size(); ++N) {
    const Access &A = K.Accesses[N];
    const Cost *C = costUnder(A, Launch);
    if (!C || C->Weight <= 0)
      continue;
    if (A.Memory == Space::Shared || A.Op == Operation::Atomic)
      return std::nullopt;
    if (A.Memory != Space::Global || A.Op != Operation::Load)
      continue;
    if (A.Sort != Access::Kind::Plain || C->DataDecides ||
        Stored.contains(A.Object))
      return std::nullopt;
    Its.Loads.push_back(N);
  }
  if (!chooseAxis(Its, K, Launch, /*IsInBlock=*/false))
    return std::nullopt;
  return Its;
}

/// The load of which the next thread makes the most again.
size_t mainOf(const access::Kernel &K, const Window &Its, unsigned Launch) {
  return *std::max_element(
      Its.Loads.begin(), Its.Loads.end(), [&](size_t A, size_t B) {
        const auto again = [&](size_t N) {
          const Cost &C = *costUnder(K.Accesses[N], Launch);
          return C.Weight * K.Accesses[N].Kept * againAlong(C, Its.Axis);
        };
        return again(A) < again(B);
      });
}

/// With several results a thread, which load what is new to each.
Cure cureOfRow(const Window &Its, const access::Kernel &K, unsigned Launch) {
  Cure Result{Launch, {}, price::Reshape{.Results = ResultsInARow}};
  for (const size_t N : Its.Loads)
    Result.Repairs.push_back(
        {.Access = N,
         .Share = shareInARow(
             againAlong(*costUnder(K.Accesses[N], Launch), Its.Axis))});
  return Result;
}

/// Of a tile, which is as many times higher then, but for its edge.
Cure cureOfWindow(const access::Kernel &K, const Window &Its, unsigned Launch) {
  Cure Result = cureOfRow(Its, K, Launch);
  const std::string &Object = K.Accesses[Its.Loads.front()].Object;
  double Stored = 0; // of the stores that fill the tile, the share left
  for (size_t N = 0; N != K.Accesses.size(); ++N) {
    const Cost *C = costUnder(K.Accesses[N], Launch);
    if (K.Accesses[N].StagedIn != Object || !C || !C->Reach || C->Weight <= 0)
      continue;
    const double Share = shareInARow(1 - C->Reach->FreshBeside[Its.Axis]);
    Result.Repairs.push_back(
        {.Access = N, .Share = Share, .AloneShare = Share});
    Stored = std::max(Stored, Share);
  }
  for (size_t N = 0; N != K.Accesses.size(); ++N)
    if (const Access &A = K.Accesses[N];
        A.Memory == Space::Shared && A.Op == Operation::Store &&
        A.Object == Object && Stored > 0 && makesRequests(A, Launch))
      Result.Repairs.push_back({.Access = N, .Share = Stored});
  return Result;
}

class SingleResult : public Rule {
  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    checkFactors(Kernel, Device, Report);
    checkWindows(Kernel, Device, Report);
    checkRows(Kernel, Device, Report);
    checkSideBySide(Kernel, Device, Report);
    checkBlocksBeside(Kernel, Device, Report);
  }

  /// Of what a thread loads from global memory for its result.
  static void checkRows(const access::Kernel &Kernel,
                        const profile::Profile &Device, const Sink &Report) {
    std::map<unsigned, Window> Rows;   // by launch
    std::map<size_t, unsigned> Places; // launches of which each is the main one
    for (unsigned L = 0; L != Kernel.Works.size(); ++L)
      if (auto Its = rowOf(Kernel, L)) {
        ++Places[mainOf(Kernel, *Its, L)];
        Rows[L] = std::move(*Its);
      }
    if (Places.empty())
      return;
    const Access &A =
        Kernel
            .Accesses[std::ranges::max_element(Places, {}, [](const auto &Its) {
                        return Its.second;
                      })->first];
    const auto V = judge(Kernel, A,
                         [&](const Cost &C) -> std::optional<Demand> {
                           const auto Its = Rows.find(C.Launch);
                           return Its == Rows.end()
                                      ? std::nullopt
                                      : std::optional(demandOf(Its->second));
                         },
                         {1, 0});
    if (!V)
      return;
    const unsigned Launch = V->Shown->Launch;
    Report(describeRow(Kernel, A, Rows.at(Launch), *V, Device),
           cureOfRow(Rows.at(Launch), Kernel, Launch));
  }

  static Demand demandOf(const Window &Its) {
    const double Left = Its.Loaded * shareInARow(Its.Again / Its.Loaded);
    return {Its.Loaded, Left, Its.Loaded, Its.Loaded, false};
  }

  /// Of two results by two a thread loads half as much for each.
  static void checkFactors(const access::Kernel &Kernel,
                           const profile::Profile &Device, const Sink &Report) {
    constexpr double Share = 0.5;
    const std::vector<size_t> Factors = factorsOf(Kernel);
    for (const size_t N : Factors) {
      const Access &A = Kernel.Accesses[N];
      const auto V = judge(Kernel, A,
                           [&](const Cost &C) -> std::optional<Demand> {
                             if (C.PerWarp < LeastRounds ||
                                 servesSeveral(Kernel, Factors, C.Launch))
                               return std::nullopt;
                             return Demand{2, 1, 2, 2, false};
                           },
                           {1 / Share, 0});
      if (V)
        Report(describeFactor(Kernel, A, *V, Device),
               cureOf(Kernel, A, V->Shown->Launch, {.Share = Share}));
    }
  }

  /// Of several results in a row a thread loads for each what is new.
  static void checkWindows(const access::Kernel &Kernel,
                           const profile::Profile &Device, const Sink &Report) {
    std::set<std::string> Done;
    for (const Access &A : Kernel.Accesses) {
      if (A.Memory != Space::Shared || A.Op != Operation::Load ||
          A.Object.empty() || !Done.insert(A.Object).second)
        continue;
      const auto V = judge(Kernel, A,
                           [&](const Cost &C) -> std::optional<Demand> {
                             const auto Its =
                                 windowOf(Kernel, A.Object, C.Launch);
                             if (!Its)
                               return std::nullopt;
                             return demandOf(*Its);
                           },
                           {1, 0});
      if (!V)
        continue;
      const unsigned Launch = V->Shown->Launch;
      const Window Its = *windowOf(Kernel, A.Object, Launch);
      Report(describeWindow(Kernel, A, Its, *V, Device),
             cureOfWindow(Kernel, Its, Launch));
    }
  }

  /// Whether somebody knows the rounds of the loops around.
  static bool isCounted(const access::Kernel &Kernel, const Window &Its) {
    return std::ranges::all_of(Its.Loads, [&](size_t N) {
      return areRoundsKnown(Kernel.Accesses[N]);
    });
  }

  static advice::Finding describeWindow(const access::Kernel &Kernel,
                                        const Access &A, const Window &Its,
                                        const SiteVerdict &V,
                                        const profile::Profile &Device) {
    auto F = describeResults(Kernel, A, Its, V, Device, SharedPrice);
    F.Guidelines = standing(Device, {"S_6"});
    F.Message = fmt::format(
        "a thread loads {} elements of {} for one result, and the next one "
        "along {} loads {} of them again",
        number(Its.Loaded), quotedObject(A), "xyz"[Its.Axis],
        number(Its.Again));
    F.Cause = "window of " + A.Object;
    return F;
  }

  static advice::Finding describeRow(const access::Kernel &Kernel,
                                     const Access &A, const Window &Its,
                                     const SiteVerdict &V,
                                     const profile::Profile &Device) {
    auto F = describeResults(Kernel, A, Its, V, Device, GlobalPrice);
    const char Axis = "xyz"[Its.Axis];
    F.Message =
        isCounted(Kernel, Its)
            ? fmt::format("a thread makes {} loads from global memory for one "
                          "result, and the next one along {} makes {} of them "
                          "again, as here of {}",
                          number(Its.Loaded), Axis, number(Its.Again),
                          quotedObject(A))
            : fmt::format("a thread loads from global memory in a loop for one "
                          "result, and the next one along {} loads most of the "
                          "same again, as here of {}",
                          Axis, quotedObject(A));
    // Instances of a template may share more along different axes.
    F.Cause = fmt::format("row of results along {}", Axis);
    F.Choice = "reuse";
    return F;
  }

  /// What findings about several results in a row have in common.
  static advice::Finding describeResults(const access::Kernel &Kernel,
                                         const Access &A, const Window &Its,
                                         const SiteVerdict &V,
                                         const profile::Profile &Device,
                                         std::string_view Evidence) {
    auto F = startFinding(Kernel, A, V, Device, Evidence);
    F.OnlyByGain = true;
    dropCost(F);
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Evidence);
    F.Remedy = fmt::format(
        "give each thread {} results or more {}, and keep in "
        "registers what the next one needs, too",
        number(ResultsInARow),
        Its.Axis == 0 ? std::string("a block's width apart")
                      : fmt::format("in a row along {}", "xyz"[Its.Axis]));
    if (isCounted(Kernel, Its))
      F.Remedy +=
          fmt::format("; {} loads for each are left", number(V.Need.Ideal));
    return F;
  }

  static advice::Finding describeFactor(const access::Kernel &Kernel,
                                        const Access &A, const SiteVerdict &V,
                                        const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, SharedPrice);
    F.OnlyByGain = true;
    dropCost(F);
    F.Guidelines = standing(Device, {"S_6"});
    const double PerProduct = loadsPerProduct(Kernel);
    F.Message = PerProduct == 2
                    ? fmt::format("each product takes two loads from shared "
                                  "memory, one of them from {}",
                                  quotedObject(A))
                    : fmt::format("each product takes {} from shared "
                                  "memory, as here from {}",
                                  counted(PerProduct, "load"), quotedObject(A));
    if (const std::string Times = timesOfWarp(Kernel, A, *V.Shown);
        !Times.empty())
      addNote(F,
              fmt::format("in a loop in which a warp loads from it {}", Times));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, SharedPrice);
    F.Remedy = "give each thread two results by two, which share what they "
               "load in registers; half as many loads are left";
    F.Cause = "factors";
    return F;
  }
};

REGISTER_RULE(SingleResult);

} // namespace
