//===- MissingReuse.cpp - What a block loads again and again --------------===//
//
// In a loop over rows, columns or partners the warps of a block load the same
// sectors, and each time L1 looks them up. A tile of them in shared memory is
// brought once, side by side, and read without a tag.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;

namespace {

constexpr std::string_view Price = paths::warp_global_b4_throughput_per_tag;

price::Staging stagingOf(const access::Kernel &K, const Access &A,
                         const Cost &C) {
  const double Rounds = A.RoundsAtOnce;
  const double Wavefronts =
      C.Worst->Stride == 0 ? 1 : std::max(1.0, Rounds * A.Bytes / 4.0);
  return {blockSectors(K, C), Wavefronts, Rounds};
}

class MissingReuse : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "S_5");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    for (const Access &A : Kernel.Accesses) {
      if (A.Object.empty())
        continue;
      const auto V = judge(Kernel, A,
                           [&](const Cost &C) -> std::optional<Demand> {
                             const auto Times = timesInTiles(Kernel, A, C);
                             if (!Times)
                               return std::nullopt;
                             return Demand{*Times, 1, *Times, *Times,
                                           C.State == access::Proof::Estimated};
                           },
                           {1, 0});
      if (V)
        Report(describe(Kernel, A, *V, Device),
               cureOf(Kernel, A, V->Shown->Launch,
                      {.Staged = stagingOf(Kernel, A, *V->Shown)}));
    }
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    F.Guidelines = standing(Device, {"S_5", "S_6"});
    F.Message = fmt::format(
        "a block loads each sector of {} {}, and L1 looks it up each time",
        quotedObject(A),
        // How often hangs on numbers that were made up.
        V.Need.IsLikely
            ? "many times"
            : "about " + counted(std::round(V.Need.Actual), "time"));
    if (const std::string Times = timesOfWarp(Kernel, A, *V.Shown);
        !Times.empty())
      addNote(F,
              fmt::format("in a loop in which a warp loads from it {}", Times));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy = "bring tiles into shared memory, each thread one element of "
               "them, and let the block read them there";
    F.Cause = "tiles";
    F.Choice = "reuse";
    return F;
  }
};

REGISTER_RULE(MissingReuse);

} // namespace
