//===- Gather.cpp - Places that data decide -------------------------------===//
//
// x[index[i]]: where the lanes lie nobody can read off the source. Were the
// indices random each lane would want a sector of its own; in order, a warp
// would want a few. What that is worth is a remark: whether the data can be
// put in order only the programmer knows.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "profiler/profile/RequestLaw.h"
#include "rules/Rule.h"
#include "rules/Wording.h"
#include "rules/cuda-memory-gather/RowsOfLanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Operation;
using access::Proof;

namespace {

constexpr std::string_view Price = paths::warp_global_cycles_per_sector;

/// As many sectors as if they lay in order are no gather to speak of.
constexpr double MinWaste = 1.5;

/// The lanes lie where data say. With --buffer the data are known, and what is
/// seen is that there is neither a distance from lane to lane nor rows of them.
bool isGather(const Cost &C) {
  if (!C.IsIndexed)
    return false;
  if (C.State == Proof::DataDependent)
    return true;
  constexpr double LinesPerLane = 0.9;
  return C.Worst && areScattered(*C.Worst) &&
         C.Beside != access::Neighbour::SameLanes &&
         C.Lines > LinesPerLane * C.ActiveLanes;
}

/// Whether each thread has several indices of its own, which stay together: the
/// row of a matrix, say.
bool isEachThreadsRow(const Access &A) {
  return A.LoopDepth > 0 && !A.IsWrittenOut;
}

/// The sectors of a request whose lanes take the elements in order. Elements
/// are larger than an access that takes a member of them. Where the launch asks
/// more often than there are elements, several lanes in a row want the same.
double inOrder(const Access &A, const Cost &C, const profile::RequestLaw &Law) {
  const double Bytes = std::max(A.Bytes, A.Of.Bytes.value_or(0));
  const double Asked = C.Weight * C.ActiveLanes;
  const double Different =
      C.ObjectBytes && Asked > 0 && !isEachThreadsRow(A)
          ? std::min(1.0, double(*C.ObjectBytes) / Bytes / Asked)
          : 1;
  const double Needed =
      std::ceil(C.ActiveLanes * Different * Bytes / Law.SectorBytes);
  return std::clamp(Needed, std::min(*C.IdealSectors, Needed),
                    std::max(*C.IdealSectors, C.ActiveLanes));
}

/// The sectors of random indices. That they are random is an assumption; what
/// the data can make of it is the interval.
std::optional<Demand> expectedSectors(const Access &A, const Cost &C,
                                      const profile::RequestLaw &Law) {
  if (!isGather(C) || !C.Sectors || !C.IdealSectors)
    return std::nullopt;
  // What is certain to be wasteful is no remark.
  const double Low = C.Low.value_or(C.Sectors.value());
  const double InOrder = inOrder(A, C, Law);
  if (C.State == Proof::DataDependent && Low > MinWaste * InOrder)
    return std::nullopt;
  return Demand{*C.Sectors, InOrder, std::min(Low, *C.Sectors),
                std::max(*C.Sectors, C.High.value_or(0)), true};
}

/// So far on the way to all in order, in factors.
double partlyInOrder(const Demand &Need, double Way) {
  return Need.Actual * std::pow(Need.Ideal / Need.Actual, Way);
}

/// How near to each other neighbouring lanes come when the indices are sorted
/// hangs on how many of the elements are wanted at all, and what is stored in
/// order may be loaded out of order then. Of indices that stay together only
/// what they lead to can be renumbered.
price::Repair inBetterOrder(const Access &A, const Demand &Need) {
  const double Way = isEachThreadsRow(A) ? 0.5 : 1;
  return {.Sectors = partlyInOrder(Need, Way),
          .SectorsAtWorst = partlyInOrder(Need, Way / 2)};
}

class Gather : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "G_3");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const std::set<const Access *> Rows =
        checkRowsOfLanes(Kernel, Device, Report);
    const profile::RequestLaw Law = profile::requestLaw(Device).Law;
    for (const Access &A : Kernel.Accesses) {
      if (A.Memory != access::Space::Global || A.Op == Operation::Atomic ||
          A.InLibrary || Rows.contains(&A))
        continue;
      const auto V = judge(
          Kernel, A, [&](const Cost &C) { return expectedSectors(A, C, Law); },
          {MinWaste, 0});
      if (!V)
        continue;
      const Cost &C = *V->Shown;
      Report(describe(Kernel, A, *V, Device),
             cureOf(Kernel, A, C.Launch, inBetterOrder(A, V->Need)));
    }
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    if (A.Root)
      F.Cause = fmt::format("gather {} {}", A.Object, *A.Root);
    F.Guidelines = {"G_3"};
    F.PerRequest = needOf(V, "sectors");
    const bool IsLoad = A.Op == Operation::Load;
    // Without the data it is an assumption that they are random.
    const bool IsAssumed = V.Shown->State == Proof::DataDependent;
    if (IsAssumed)
      F.Level = advice::Severity::Remark;
    F.Message = fmt::format(
        "data decide where this global {} goes: {} sectors per request{} "
        "(in order {})",
        access::nameOf(A.Op), estimated(V.Need.Actual),
        IsAssumed ? " for random indices" : "", number(V.Need.Ideal));
    if (IsAssumed)
      addNote(F, fmt::format("from {} to {} are possible: --buffer tells what "
                             "the indices are",
                             number(V.Need.Low), number(V.Need.High)));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    setRemedy(F, A,
              IsLoad ? fmt::format("sort the indices or renumber {}, so that "
                                   "neighbouring lanes want neighbouring "
                                   "elements; keep side by side what one index "
                                   "selects",
                                   quotedObject(A))
                     : fmt::format("store to {} in order, and load from where "
                                   "the inverse of the indices says; or sort "
                                   "them",
                                   quotedObject(A)));
    return F;
  }
};

REGISTER_RULE(Gather);

} // namespace
