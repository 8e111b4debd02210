//===- SynchronousStaging.cpp - Tiles that everybody waits for ------------===//
//
// A block that brings a tile, waits for it and works on it has nothing to do
// meanwhile. Copies that run beside (cp.async, from sm_80 on) bring the next
// tile while the block works on this one, and need no registers on the way.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;

namespace {

constexpr std::string_view Price = paths::levels_dram_latency;

/// A tile costs two barriers: one when it is there, one when it is used up.
constexpr double BarriersPerTile = 2;
/// Tiles that make a row: the first one has to be waited for in any case.
constexpr double LeastTiles = 4;

/// PTX ISA, cp.async: what it copies for a lane.
bool canBeAsync(const Access &A) {
  return A.Bytes == 4 || A.Bytes == 8 || A.Bytes == 16;
}

double tilesOf(const access::Kernel &K, const Cost &C) {
  return C.Launch < K.Works.size()
             ? K.Works[C.Launch].Barriers / BarriersPerTile
             : 0;
}

/// Whether some warps of a block bring what the others work on: these wait for
/// nobody but them.
bool hasLoadingWarps(const access::Kernel &K, const Cost &C) {
  constexpr double All = 0.9;
  if (C.Launch >= K.Works.size() || C.PerWarp <= 0)
    return false;
  const access::Work &W = K.Works[C.Launch];
  return C.Weight / C.PerWarp < All * warpsOf(W) * (1 - W.IdleBlocks);
}

/// Of the waits for loads, those that are left while the tile before is worked
/// on: one a tile, half of which the work hides.
double waitsLeft(const Access &A, const Cost &C, double Tiles) {
  constexpr double Hidden = 0.5;
  return std::min(1.0, Tiles / (C.PerWarp * A.Waits)) * Hidden;
}

class SynchronousStaging : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return profile::closestLimits(Device.Architecture).Limits.hasAsyncCopies()
               ? ""
               : fmt::format("{} has no asynchronous copies", Device.Gpu);
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    for (const Access &A : Kernel.Accesses) {
      if (!A.BringsTile || A.Sort != Access::Kind::Plain || A.Waits <= 0 ||
          !canBeAsync(A))
        continue;
      const auto V = judge(Kernel, A,
                           [&](const Cost &C) -> std::optional<Demand> {
                             const double Tiles = tilesOf(Kernel, C);
                             if (C.Weight <= 0 || Tiles < LeastTiles ||
                                 hasLoadingWarps(Kernel, C))
                               return std::nullopt;
                             return Demand{Tiles, 1, Tiles, Tiles,
                                           C.State == access::Proof::Estimated};
                           },
                           {LeastTiles, 0});
      if (!V)
        continue;
      const Cost &C = *V->Shown;
      Report(describe(Kernel, A, *V, Device),
             cureOf(Kernel, A, C.Launch,
                    {.Waits = waitsLeft(A, C, tilesOf(Kernel, C)),
                     .IntoAsyncCopy = true}));
    }
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    const bool IsKnown = Kernel.Works[V.Shown->Launch].TripsKnown;
    F.Message = fmt::format(
        "the block waits for each tile of {} before it works on it{}",
        quotedObject(A),
        IsKnown ? ", " + counted(std::round(V.Need.Actual), "time") : "");
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy = "bring the next tile while this one is worked on: a second "
               "buffer, filled by __pipeline_memcpy_async or "
               "cuda::memcpy_async";
    F.Cause = "tiles";
    return F;
  }
};

REGISTER_RULE(SynchronousStaging);

} // namespace
