//===- BlocksBeside.cpp - Blocks that walk over the same ------------------===//
//
// A block counts the scores above one threshold: all scores are read for each
// of sixteen thresholds. A block that counts for four of them reads them a
// quarter as often. What its threads have found they put together at the end,
// so they are not threads that have one result each (SingleResult.cpp).
//
//===----------------------------------------------------------------------===//

#include "rules/cuda-memory-single-result/BlocksBeside.h"

#include "profiler/profile/Paths.h"
#include "rules/BlockReach.h"
#include "rules/Wording.h"
#include "rules/cuda-memory-single-result/ResultsOfThread.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

namespace warpwise::rules {

using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view Price = paths::warp_global_b4_throughput_per_tag;

/// What a block does besides, to put together what its threads have found, as a
/// share of its loads.
constexpr double LittleElse = 0.25;

/// What the blocks of one launch walk over.
struct Walk {
  const Access *Main = nullptr; ///< most of what the next block loads again
  unsigned Axis = 0;            ///< along which it is the next one
  double Loaded = 0, Again = 0; ///< by a warp, and in the next block, too
  std::vector<price::Repair> Repairs;
};

/// Of what a block asks for in \p C, the share that the next along \p Axis
/// does, too.
double againBeside(const Cost &C, unsigned Axis) {
  return C.Reach ? 1 - C.Reach->FreshBeside[Axis] : 0;
}

bool isWalk(const Access &A, const Cost &C) {
  return A.Op == Operation::Load && A.LoopDepth > 0 &&
         A.Sort == Access::Kind::Plain && !C.DataDecides &&
         C.PerWarp >= FewestLoads;
}

/// The loads of \p K in loops; unset where a block does much besides, has
/// several results, or what it loads is not known.
std::optional<std::vector<const Access *>> walksOf(const access::Kernel &K,
                                                   unsigned Launch) {
  std::vector<const Access *> Walks;
  std::map<std::string, double> Stored; // elements of a block, as places tell
  double Loads = 0, Else = 0;
  for (const Access &A : K.Accesses) {
    if (A.Memory == Space::Constant)
      continue;
    const Cost *C = costUnder(A, Launch);
    if (!C)
      return std::nullopt;
    if (A.Memory == Space::Global && A.Op != Operation::Load && C->Weight > 0)
      Stored[A.Object] += C->ActiveLanes;
    if (A.Memory == Space::Global && isWalk(A, *C)) {
      Walks.push_back(&A);
      Loads += C->Weight;
    } else {
      Else += C->Weight;
    }
  }
  const double Warps = warpsOf(K.Works[Launch]);
  if (Loads <= 0 || Else > LittleElse * Loads ||
      K.Works[Launch].Barriers * Warps > LittleElse * Loads)
    return std::nullopt;
  for (const auto &[Object, Results] : Stored)
    if (Results >= ResultsInARow)
      return std::nullopt;
  for (const Access *A : Walks)
    if (A->Object.empty() || Stored.contains(A->Object))
      return std::nullopt;
  return Walks;
}

/// Of the axes along which a block has a result of its own, that along which
/// the next one loads the most again.
std::optional<Walk> walkUnder(const access::Kernel &K, unsigned Launch) {
  if (Launch >= K.Works.size() || haveOneResult(K, Launch))
    return std::nullopt;
  const launch::Shape &Shape = K.Launches[Launch];
  const auto Walks = walksOf(K, Launch);
  if (!Walks || !Shape.Grid)
    return std::nullopt;
  Walk Its;
  for (unsigned Axis = 0; Axis != 3; ++Axis) {
    if ((*Shape.Grid)[Axis] < ResultsInARow)
      continue;
    Walk Along;
    Along.Axis = Axis;
    double Most = 0;
    for (const Access *A : *Walks) {
      const Cost &C = *costUnder(*A, Launch);
      const double Shared = againBeside(C, Axis), Loads = C.Weight * A->Kept;
      Along.Loaded += Loads;
      Along.Again += Loads * Shared;
      Along.Repairs.push_back({.Access = size_t(A - K.Accesses.data()),
                               .Share = shareInARow(Shared)});
      if (Loads * Shared > Most) {
        Most = Loads * Shared;
        Along.Main = A;
      }
    }
    if (Along.Again > Its.Again)
      Its = std::move(Along);
  }
  if (!Its.Main || Its.Again < LeastAgain * Its.Loaded)
    return std::nullopt;
  const double Warps = warpsOf(K.Works[Launch]);
  Its.Loaded /= Warps;
  Its.Again /= Warps;
  return Its;
}

advice::Finding describe(const access::Kernel &K, const Walk &Its,
                         const SiteVerdict &V, const profile::Profile &Device) {
  const Access &A = *Its.Main;
  auto F = startFinding(K, A, V, Device, Price);
  F.OnlyByGain = true;
  dropCost(F);
  const char Axis = "xyz"[Its.Axis];
  F.Message = fmt::format("each block walks over {} for a result of its own, "
                          "and the next block along {} over the same",
                          quotedObject(A), Axis);
  addLaunchNote(F, K, V);
  addEvidenceNote(F, Device, Price);
  F.Remedy = fmt::format("let a block do what {} blocks along {} do now: each "
                         "element that it loads serves {} results, which its "
                         "threads keep in registers until the end",
                         number(ResultsInARow), Axis, number(ResultsInARow));
  F.Cause = fmt::format("results of blocks along {}", Axis);
  F.Choice = "reuse";
  return F;
}

} // namespace

void checkBlocksBeside(const access::Kernel &Kernel,
                       const profile::Profile &Device, const Sink &Report) {
  for (const Access &A : Kernel.Accesses) {
    const auto V = judge(
        Kernel, A,
        [&](const Cost &C) -> std::optional<Demand> {
          const auto Its = walkUnder(Kernel, C.Launch);
          if (!Its || Its->Main != &A)
            return std::nullopt;
          const double Left =
              Its->Loaded * shareInARow(Its->Again / Its->Loaded);
          return Demand{Its->Loaded, Left, Its->Loaded, Its->Loaded, false};
        },
        {1, 0});
    if (!V)
      continue;
    const unsigned Launch = V->Shown->Launch;
    const Walk Its = *walkUnder(Kernel, Launch);
    Report(describe(Kernel, Its, *V, Device),
           {Launch, Its.Repairs, price::Reshape{.Results = ResultsInARow}});
  }
}

} // namespace warpwise::rules
