//===- MissingReuse.cpp - What a block loads again and again --------------===//
//
// In a loop over rows, columns or partners the warps of a block load the same
// sectors, and each time L1 looks them up. A tile of them in shared memory is
// brought once, side by side, and read without a tag. Where products of a tile
// take two loads each, the same once more: a thread that has four results in
// registers takes four loads for four products. So do windows of a tile: a
// thread that walks down a column keeps what the next window wants, too.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "profiler/profile/RequestLaw.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

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

constexpr std::string_view Price = paths::warp_global_b4_throughput_per_tag;
constexpr std::string_view FactorPrice =
    paths::warp_shared_cycles_per_wavefront;

/// A sector that a block wants less often does not pay for two barriers.
constexpr double LeastTimes = 8;
/// Rounds of a loop that make at least one tile.
constexpr double LeastRounds = 16;

/// Results in a row that a thread gets. With more there is less to gain by each
/// further one, and fewer blocks to keep a GPU busy.
constexpr double ResultsInARow = 4;
/// Loads of a window, at least, and the share that the next thread makes again.
constexpr double FewestLoads = 3, LeastAgain = 0.5;

/// Lanes side by side, or all at one address: shared memory serves either
/// without a conflict.
bool isPlainPattern(const Access &A, const Cost &C) {
  return C.Worst && C.Worst->Stride && !C.Worst->IsMadeUp &&
         (*C.Worst->Stride == 0 || *C.Worst->Stride == int64_t(A.Bytes));
}

/// Where other places of the source load neighbours of the same, it is the
/// window of a stencil, which L1 serves well.
bool isWindow(const access::Kernel &K, const Access &A) {
  return A.Slides ||
         (A.Group && std::any_of(K.Accesses.begin(), K.Accesses.end(),
                                 [&](const Access &B) {
                                   return B.Group == A.Group &&
                                          B.Where != A.Where;
                                 }));
}

price::Staging stagingOf(const access::Kernel &K, const Access &A,
                         const Cost &C) {
  const double Rounds = A.RoundsAtOnce;
  const double Wavefronts =
      C.Worst->Stride == 0 ? 1 : std::max(1.0, Rounds * A.Bytes / 4.0);
  return {blockSectors(K, C), Wavefronts, Rounds};
}

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

double warpsOf(const access::Work &W) {
  return W.Blocks * std::ceil(W.BlockThreads / double(access::WarpLanes));
}

/// Whether threads have one result each: most store to some array in global
/// memory, and none stores to one twice.
bool haveOneResult(const access::Kernel &K, unsigned Launch) {
  constexpr double Rounding = 1e-3, MostOfThem = 0.5;
  const access::Work &W = K.Works[Launch];
  std::map<std::string, double> Requests, Lanes;
  for (const Access &A : K.Accesses)
    if (const Cost *C = costUnder(A, Launch);
        A.Memory == Space::Global && A.Op == Operation::Store && C) {
      Requests[A.Object] += C->Weight;
      Lanes[A.Object] += C->Weight * C->ActiveLanes;
    }
  return std::all_of(Requests.begin(), Requests.end(),
                     [&](const auto &Each) {
                       return Each.second <= warpsOf(W) * (1 + Rounding);
                     }) &&
         std::any_of(Lanes.begin(), Lanes.end(), [&](const auto &Each) {
           return Each.second >= MostOfThem * W.Blocks * W.BlockThreads;
         });
}

/// What each thread loads of an array in shared memory for its only result.
struct Window {
  std::vector<size_t> Loads;    ///< indices into Kernel::Accesses
  unsigned Axis = 1;            ///< along which threads share the most
  double Loaded = 0, Again = 0; ///< by a thread, and by the next one, too
};

/// Of \p Object under launch \p Launch. Along x threads are lanes: what they
/// load side by side now would be as far apart as there are results.
std::optional<Window> windowOf(const access::Kernel &K,
                               const std::string &Object, unsigned Launch) {
  if (Launch >= K.Works.size() || !haveOneResult(K, Launch))
    return std::nullopt;
  Window Its;
  std::array<double, 3> Again{};
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
    const double Requests = C->Weight * A.Kept / A.RoundsAtOnce;
    Its.Loads.push_back(N);
    Its.Loaded += Requests;
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      Again[Axis] += Requests * C->LoadedBeside[Axis];
  }
  const launch::Shape &Shape = K.Launches[Launch];
  for (const unsigned Axis : {1u, 2u})
    if (Shape.Block[Axis] > 1 && Again[Axis] > Its.Again &&
        (!Shape.Grid || (*Shape.Grid)[Axis] >= ResultsInARow)) {
      Its.Axis = Axis;
      Its.Again = Again[Axis];
    }
  const double Warps = warpsOf(K.Works[Launch]);
  Its.Loaded /= Warps;
  Its.Again /= Warps;
  if (Its.Loaded < FewestLoads || Its.Again < LeastAgain * Its.Loaded)
    return std::nullopt;
  return Its;
}

/// Of what is there for each of several results in a row, what is left where
/// the next one wants \p Again of it.
double shareInARow(double Again) { return 1 - Again * (1 - 1 / ResultsInARow); }

/// With several results a thread, which load what is new to each. A block's
/// tile is as many times higher then, but for its edge.
Cure cureOfWindow(const access::Kernel &K, const Window &Its, unsigned Launch) {
  Cure Result{Launch, {}, price::Reshape{.Results = ResultsInARow}};
  for (const size_t N : Its.Loads)
    Result.Repairs.push_back(
        {.Access = N,
         .Share = shareInARow(
             costUnder(K.Accesses[N], Launch)->LoadedBeside[Its.Axis])});
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

class MissingReuse : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "S_5");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    checkFactors(Kernel, Device, Report);
    checkWindows(Kernel, Device, Report);
    const profile::RequestLaw Law = profile::requestLaw(Device).Law;
    for (const Access &A : Kernel.Accesses) {
      if (A.Memory != Space::Global || A.Op != Operation::Load ||
          A.Sort != Access::Kind::Plain || A.LoopDepth == 0 ||
          A.Object.empty() || isWindow(Kernel, A))
        continue;
      const auto V =
          judge(Kernel, A,
                [&](const Cost &C) -> std::optional<Demand> {
                  if (!hasReach(Kernel, C) || C.Reach->FreshSectors <= 0 ||
                      C.DataDecides || C.PerWarp < LeastRounds ||
                      !isPlainPattern(A, C) ||
                      isSmallTable(Kernel, C, Law.SectorBytes))
                    return std::nullopt;
                  const double Times = 1 / C.Reach->FreshSectors;
                  return Demand{Times, 1, Times, Times,
                                C.State == access::Proof::Estimated};
                },
                {LeastTimes, 0});
      if (V)
        Report(describe(Kernel, A, *V, Device),
               cureOf(Kernel, A, V->Shown->Launch,
                      {.Staged = stagingOf(Kernel, A, *V->Shown)}));
    }
  }

  /// Of two results by two a thread loads half as much for each.
  static void checkFactors(const access::Kernel &Kernel,
                           const profile::Profile &Device, const Sink &Report) {
    constexpr double Share = 0.5;
    const std::vector<size_t> Factors = factorsOf(Kernel);
    for (const size_t N : Factors) {
      const Access &A = Kernel.Accesses[N];
      const auto V = judge(Kernel, A,
                           [](const Cost &C) -> std::optional<Demand> {
                             if (C.PerWarp < LeastRounds)
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
      const auto V = judge(
          Kernel, A,
          [&](const Cost &C) -> std::optional<Demand> {
            const auto Its = windowOf(Kernel, A.Object, C.Launch);
            if (!Its)
              return std::nullopt;
            const double Left =
                Its->Loaded * shareInARow(Its->Again / Its->Loaded);
            return Demand{Its->Loaded, Left, Its->Loaded, Its->Loaded, false};
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

  static advice::Finding describeWindow(const access::Kernel &Kernel,
                                        const Access &A, const Window &Its,
                                        const SiteVerdict &V,
                                        const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, FactorPrice);
    F.OnlyByGain = true;
    dropCost(F);
    F.Guidelines = standing(Device, {"S_6"});
    const char Axis = "xyz"[Its.Axis];
    F.Message = fmt::format(
        "a thread loads {} elements of {} for one result, and the next one "
        "along {} loads {} of them again",
        number(Its.Loaded), quotedObject(A), Axis, number(Its.Again));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, FactorPrice);
    F.Remedy = fmt::format(
        "give each thread {} results or more in a row along {}, and keep in "
        "registers what the next one needs, too; {} loads for each are left",
        number(ResultsInARow), Axis, number(V.Need.Ideal));
    F.Cause = "window of " + A.Object;
    return F;
  }

  static advice::Finding describeFactor(const access::Kernel &Kernel,
                                        const Access &A, const SiteVerdict &V,
                                        const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, FactorPrice);
    F.OnlyByGain = true;
    dropCost(F);
    F.Guidelines = standing(Device, {"S_6"});
    F.Message = fmt::format("each product takes two loads from shared memory, "
                            "one of them from {}",
                            quotedObject(A));
    addNote(F, fmt::format("in a loop in which a warp loads from it {}",
                           counted(V.Shown->PerWarp, "time")));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, FactorPrice);
    F.Remedy = "give each thread two results by two, which share what they "
               "load in registers; half as many loads are left";
    F.Cause = "factors";
    return F;
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    F.Guidelines = standing(Device, {"S_5", "S_6"});
    F.Message = fmt::format(
        "a block loads each sector of {} about {}, and L1 looks it up each "
        "time",
        quotedObject(A), counted(std::round(V.Need.Actual), "time"));
    addNote(F, fmt::format("in a loop in which a warp loads from it {}",
                           counted(V.Shown->PerWarp, "time")));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy = "bring tiles into shared memory, each thread one element of "
               "them, and let the block read them there";
    F.Cause = "tiles";
    return F;
  }
};

REGISTER_RULE(MissingReuse);

} // namespace
