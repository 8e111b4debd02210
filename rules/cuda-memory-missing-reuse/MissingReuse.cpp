//===- MissingReuse.cpp - What a block loads again and again --------------===//
//
// In a loop over rows, columns or partners the warps of a block load the same
// sectors, and each time L1 looks them up. A tile of them in shared memory is
// brought once, side by side, and read without a tag. Where products of a tile
// take two loads each, the same once more: a thread that has four results in
// registers takes four loads for four products.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "profiler/profile/RequestLaw.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

class MissingReuse : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "S_5");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    checkFactors(Kernel, Device, Report);
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
