//===- UncoalescedAccess.cpp - Sectors that are moved for nobody ----------===//
//
// Global memory moves whole sectors of 32 bytes. When the lanes of a warp lie
// far apart, most of each sector is moved for nobody, unless the next
// statements use the rest: sibling accesses are judged together.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Proof;
using access::Space;

namespace {

constexpr std::string_view Price = paths::warp_global_cycles_per_sector;
/// What a sector costs that another warp has just brought in.
constexpr std::string_view PriceInL1 = paths::warp_global_cycles_per_sector_l1;

/// Less than a quarter more sectors is not worth a rewrite.
constexpr double MinWaste = 1.25;

/// The sectors of the sibling group, or of the access when it has none, or none
/// that excuse it: places that are far from each other are no waste of one.
/// Bounds are only known for the access: the group's scale with it.
std::optional<Demand> sectors(const Cost &C) {
  const auto Alone = Demand::of(C, C.Sectors, C.IdealSectors);
  if (!Alone || C.GroupIdealSectors <= 0 || C.Sectors <= 0 ||
      C.groupSectorWaste() > C.sectorWaste() * 1.001)
    return Alone;
  const double Scale = C.GroupSectors / C.Sectors;
  return Demand{C.GroupSectors, C.GroupIdealSectors, Alone->Low * Scale,
                Alone->High * Scale, Alone->IsLikely};
}

/// Consecutive lanes whose first address is not on a sector boundary: the one
/// sector more, of the access and of each sibling, belongs to the neighbouring
/// warp as well.
bool isMisaligned(const access::Kernel &K, const Access &A,
                  const SiteVerdict &V) {
  const auto &Worst = V.Shown->Worst;
  const auto Members = std::count_if(
      K.Accesses.begin(), K.Accesses.end(),
      [&A](const Access &B) { return A.Group >= 0 && B.Group == A.Group; });
  return Worst && Worst->Stride && std::abs(*Worst->Stride) == A.Bytes &&
         V.Need.High - V.Need.Ideal <= std::max(1.0, double(Members));
}

/// What a misaligned start costs is a sector that is in L1 already, and it is
/// certain only when the base is. Where G_3 was tested and holds, consecutive
/// lanes need no alignment: that is its other half.
bool isWorthwhile(const access::Kernel &K, const Access &A,
                  const SiteVerdict &V, const profile::Profile &Device) {
  if (!isMisaligned(K, A, V))
    return true;
  const auto G = Device.Guidelines.find("G_3");
  if (G != Device.Guidelines.end() &&
      G->second.Says == profile::Guideline::Verdict::Holds)
    return false;
  const auto Known = Device.value(PriceInL1);
  const double Each = Known ? *Known : Device.value(Price).value_or(0);
  return V.Shown->State == Proof::Exact && !V.Assumed && V.extra() * Each >= 1;
}

std::string remedy(const access::Kernel &K, const Access &A,
                   const SiteVerdict &V, const profile::RequestLaw &Law) {
  const auto &Worst = V.Shown->Worst;
  const auto Stride = Worst ? Worst->Stride : std::nullopt;
  const auto Rows = Worst ? findRows(*Worst) : std::nullopt;
  if (Rows && Rows->Step == A.Bytes &&
      isNarrowBlock(K.Launches[V.Shown->Launch], *Rows))
    return fmt::format("make the block {} threads wide, so that a warp stays "
                       "in one row of {}",
                       access::WarpLanes, quotedObject(A));
  if (isMisaligned(K, A, V))
    return fmt::format("start each row of {} at a multiple of {} bytes",
                       quotedObject(A), Law.SectorBytes);
  // Records of up to a line are read as arrays of structs; lanes farther apart
  // walk along the wrong dimension.
  if (Stride && std::abs(*Stride) <= int64_t(Law.LineBytes))
    return fmt::format("store the fields of {} separately (structure of "
                       "arrays), or load the whole record as one vector",
                       quotedObject(A));
  return fmt::format("let threadIdx.x run along the fastest dimension of {}, "
                     "or transpose it through shared memory",
                     quotedObject(A));
}

class UncoalescedAccess : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "G_3");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const Threshold Worth{MinWaste, unitsWorthACycle(Device, Price)};
    std::set<int> Reported;
    for (const Access &A : Kernel.Accesses) {
      if (A.Memory != Space::Global || Reported.count(A.Group))
        continue;
      const auto V = judge(Kernel, A, sectors, Worth);
      if (!V || !isWorthwhile(Kernel, A, *V, Device))
        continue;
      if (A.Group >= 0)
        Reported.insert(A.Group);
      Report(describe(Kernel, A, *V, Device));
    }
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    const profile::RequestLaw Law = profile::requestLaw(Device).Law;
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.Guidelines = {"G_3"};
    F.ExtraBytes = V.extra() * Law.SectorBytes;
    std::set<access::Place> Siblings;
    for (const Access &Other : Kernel.Accesses)
      if (A.Group >= 0 && Other.Group == A.Group && Other.Where != A.Where)
        Siblings.insert(Other.Where);
    F.Message = fmt::format(
        "global {} {}: {}{} per request (ideal {}){}", operationName(A.Op),
        isMisaligned(Kernel, A, V) ? "starts off a sector boundary"
                                   : "is uncoalesced",
        Siblings.empty() ? "" : "with its siblings ", asserted(V, "sector"),
        number(V.Need.Ideal),
        costPhrase(F, V, Device,
                   fmt::format(" and {:.0f} bytes", F.ExtraBytes)));
    if (V.Shown->Worst)
      addNote(F,
              fmt::format("in the costliest request of {}, {}", quotedObject(A),
                          describeLanes(*V.Shown->Worst, A.Bytes)));
    for (const access::Place &Where : Siblings)
      F.Notes.push_back({Where, "counted together with this access"});
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    addNote(F, remedy(Kernel, A, V, Law));
    return F;
  }
};

REGISTER_RULE(UncoalescedAccess);

} // namespace
