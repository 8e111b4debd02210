//===- ConstantCandidate.cpp - Tables that all lanes read alike -----------===//
//
// A small table that every lane reads at the same place costs a request of the
// load and store unit each time. In constant memory it is an operand of the
// instruction that wants it.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "profiler/profile/RequestLaw.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view Price = paths::warp_constant_cycles_per_word;

/// A word that a warp wants less often is no table.
constexpr double LeastTimes = 4;

/// What a launch can be given as arguments on every GPU (CUDA C++ Programming
/// Guide, function parameters).
constexpr double ArgumentBytes = 4 << 10;

/// Where little of each line is used, the first constant cache has to hold them
/// all: what it lacks costs three times the latency (levels.constant_l15), and
/// a warp waits for it word by word.
constexpr double LeastUsed = 0.75;

/// Larger tables are said nothing of. Warps that keep in step share what one of
/// them brings to the first constant cache (8 KiB and more in most loops);
/// those that do not drive it out, which can take ten times as long as global
/// memory: scanner-trajectory-constant of test/gpu/pairs, 48 KiB, 4.63 ms for
/// 0.54. What makes them fall out of step nobody has found.
constexpr double MostWalked = 8 << 10;

/// Whether the first constant cache of \p Device serves it.
bool isServed(const access::Kernel &K, const Access &A, const Cost &C,
              const profile::Profile &Device, double SectorBytes) {
  const double Bytes = blockSectors(K, C) * SectorBytes;
  if (C.Reach->UsedBytes >= LeastUsed)
    return Bytes <= MostWalked;
  const auto Room = Device.value(paths::levels_constant_capacity_usable);
  return A.Trips && Room && Bytes <= *Room;
}

/// Whether \p A is one of those accesses, under each launch that makes it.
bool isCandidate(const access::Kernel &K, const Access &A,
                 const profile::Profile &Device,
                 const profile::RequestLaw &Law) {
  if (A.Memory != Space::Global || A.Op != Operation::Load ||
      A.Sort != Access::Kind::Plain || A.Object.empty() || A.InLibrary)
    return false;
  return std::all_of(
      A.PerLaunch.begin(), A.PerLaunch.end(), [&](const Cost &C) {
        return C.Weight == 0 ||
               (hasReach(K, C) && isSmallTable(K, C, Law.SectorBytes) &&
                isServed(K, A, C, Device, Law.SectorBytes));
      });
}

class ConstantCandidate : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "C_2");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const profile::RequestLaw Law = profile::requestLaw(Device).Law;
    for (const Access &A : Kernel.Accesses) {
      if (!isCandidate(Kernel, A, Device, Law))
        continue;
      // Who else uses the table has to be content with it, and nobody writes.
      const bool IsTable = std::all_of(
          Kernel.Accesses.begin(), Kernel.Accesses.end(), [&](const Access &B) {
            return B.Object != A.Object || isCandidate(Kernel, B, Device, Law);
          });
      const auto V = judge(Kernel, A,
                           [](const Cost &C) -> std::optional<Demand> {
                             return Demand{C.PerWarp, 1, C.PerWarp, C.PerWarp};
                           },
                           {LeastTimes, 0});
      if (IsTable && V)
        Report(describe(Kernel, A, *V, Device, Law),
               cureOf(Kernel, A, V->Shown->Launch, {.IntoConstant = true}));
    }
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device,
                                  const profile::RequestLaw &Law) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    F.Guidelines = standing(Device, {"C_2"});
    const double Bytes = blockSectors(Kernel, *V.Shown) * Law.SectorBytes;
    F.Message = fmt::format("all lanes of all blocks read the same words of "
                            "{}: a warp asks for them {}",
                            quotedObject(A), counted(V.Shown->PerWarp, "time"));
    addNote(F, fmt::format("they are about {} in all, and in constant memory "
                           "operands of the instructions that use them",
                           counted(Bytes, "byte")));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Cause = "small tables";
    F.Choice = "reuse";
    setRemedy(F, A,
              Bytes <= ArgumentBytes
                  ? fmt::format("pass {} by value, in a struct among the "
                                "arguments, or copy it into a __constant__ "
                                "array before the launch",
                                quotedObject(A))
                  : fmt::format("copy {} into a __constant__ array before the "
                                "launch",
                                quotedObject(A)));
    return F;
  }
};

REGISTER_RULE(ConstantCandidate);

} // namespace
