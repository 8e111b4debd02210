//===- SplitGather.cpp - Gathers by one index that one load would do ------===//
//
// X[n], Y[n] and Z[n] of a neighbour n lie in three sectors, and so do lanes
// from each other: three requests of 32 sectors each, of which every lane uses
// four bytes. Side by side, in 16 bytes that are aligned, they are one request
// and one sector for each lane. Which elements data select does not matter.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
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

/// As many bytes as a lane loads or stores at most at a time.
constexpr unsigned WidestLane = 16;

/// Lanes that mostly lie apart. What lies in order is as good in arrays of
/// their own.
constexpr double MostlyApart = 0.75;

bool isScattered(const Cost &C) {
  return C.IsIndexed && C.Weight > 0 && C.Sectors && C.ActiveLanes > 1 &&
         *C.Sectors >= MostlyApart * C.ActiveLanes;
}

/// float2, uint4: what lanes take whole where they want all of it.
bool isVector(const Access &A) {
  const std::string &Type = A.Of.Type;
  return !A.Of.isScalar() && (Type.ends_with('2') || Type.ends_with('4'));
}

/// The element that the index is that of, counted from where it leads.
int64_t elementOf(const Access &A) {
  return int64_t(std::floor(double(A.IndexOffset) / double(A.IndexBytes)));
}

/// Whether each lane goes on from where data lead it, element by element: the
/// rounds that follow use up the sectors of every array by themselves, as with
/// a matrix in compressed rows.
bool walksOn(const Access &A, const Cost &C, const profile::RequestLaw &Law) {
  const double Step = std::abs(double(A.RoundBytes));
  const bool IsShort = A.Trips && C.RoundsPerEntry * Step < Law.SectorBytes;
  return Step > 0 && Step < Law.SectorBytes && !IsShort;
}

/// A number, or a member of a class that a lane could take whole, in an array
/// that the index counts the elements of.
bool isPart(const Access &A) {
  const unsigned Element = A.Of.Bytes.value_or(0);
  return Element > 0 && A.IndexBytes == int64_t(Element) && !isVector(A) &&
         A.Memory == Space::Global && A.Op != Operation::Atomic &&
         !A.InLibrary && A.Index && A.Root && A.Sort == Access::Kind::Plain &&
         !A.Of.IsLibrarys &&
         (A.Of.isScalar() ? Element == A.Bytes
                          : Element > A.Bytes && Element <= WidestLane);
}

/// What one index selects at a time.
struct Selection {
  std::vector<const Access *> Parts; ///< in the order of the code
  std::set<unsigned> Roots;
  unsigned Bytes = 0; ///< of all of it, with room to be aligned
};

/// Empty unless \p First is the first part of one under \p Launch.
Selection selectionOf(const access::Kernel &K, const Access &First,
                      unsigned Launch) {
  Selection Its;
  const Cost *Of = isPart(First) ? costUnder(First, Launch) : nullptr;
  // Where data choose the lanes that store, the index mostly counts those that
  // do, and they store side by side.
  if (!Of || !isScattered(*Of) ||
      (First.Op == Operation::Store && Of->DataDecides))
    return Its;
  for (const Access &B : K.Accesses) {
    const Cost *C = isPart(B) ? costUnder(B, Launch) : nullptr;
    if (!C || B.Index != First.Index || B.Op != First.Op || !isScattered(*C) ||
        C->Weight != Of->Weight || elementOf(B) != elementOf(First))
      continue;
    if (&B < &First)
      return {};
    // Of a class the whole, once.
    if (Its.Roots.insert(*B.Root).second)
      Its.Bytes += *B.Of.Bytes;
    Its.Parts.push_back(&B);
  }
  Its.Bytes = std::bit_ceil(Its.Bytes);
  return Its;
}

/// Whether the arrays of \p Its are known to be large, or the lanes also walk
/// along one of them by their own numbers: then it has as many elements as
/// there are threads. A table by the type of something has a few, and wherever
/// data lead in it, it lies in L1.
bool isLarge(const access::Kernel &K, const Selection &Its, unsigned Launch) {
  constexpr uint64_t Large = 64 << 10;
  const auto isKnown = [&](const Access *Part) {
    return costUnder(*Part, Launch)->ObjectBytes.value_or(0) >= Large;
  };
  const auto isWalkedAlong = [&](const Access &A) {
    const Cost *C = costUnder(A, Launch);
    return C && A.Root && Its.Roots.count(*A.Root) && !C->IsIndexed &&
           C->State != access::Proof::DataDependent && C->Worst &&
           C->Worst->Stride.value_or(0) != 0;
  };
  if (Its.Parts.front()->Op == Operation::Store || // nobody scatters into a few
      std::any_of(Its.Parts.begin(), Its.Parts.end(), isKnown))
    return true;
  const bool IsUnknown =
      std::none_of(Its.Parts.begin(), Its.Parts.end(), [&](const Access *Part) {
        return costUnder(*Part, Launch)->ObjectBytes.has_value();
      });
  return IsUnknown &&
         std::any_of(K.Accesses.begin(), K.Accesses.end(), isWalkedAlong);
}

class SplitGather : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "G_3");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const profile::RequestLaw Law = profile::requestLaw(Device).Law;
    for (const Access &A : Kernel.Accesses) {
      const auto V =
          judge(Kernel, A,
                [&](const Cost &C) -> std::optional<Demand> {
                  if (walksOn(A, C, Law))
                    return std::nullopt;
                  const Selection Its = selectionOf(Kernel, A, C.Launch);
                  if (Its.Parts.size() < 2 || Its.Bytes > WidestLane ||
                      !isLarge(Kernel, Its, C.Launch))
                    return std::nullopt;
                  const double Requests = double(Its.Parts.size());
                  // Whether lanes lie apart the data say.
                  return Demand{Requests, 1, Requests, Requests, true};
                },
                {2, 0});
      if (V)
        report(Kernel, A, *V, Device, Report);
    }
  }

  static void report(const access::Kernel &Kernel, const Access &A,
                     const SiteVerdict &V, const profile::Profile &Device,
                     const Sink &Report) {
    const unsigned Launch = V.Shown->Launch;
    const Selection Its = selectionOf(Kernel, A, Launch);
    Cure Cured{Launch, {}, {}};
    const auto indexOf = [&](const Access &B) {
      return size_t(&B - Kernel.Accesses.data());
    };
    for (const Access *B : Its.Parts)
      if (B != &A)
        Cured.Repairs.push_back(
            {.Access = indexOf(*B), .Share = 0, .With = indexOf(A)});

    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    F.Guidelines = {"G_3"};
    const bool IsOne = Its.Roots.size() == 1;
    F.Message =
        fmt::format("one index leads to {}: {} global {}s where one would do",
                    IsOne ? fmt::format("{} members in {}", Its.Parts.size(),
                                        quotedObject(A))
                          : namesOf(Its),
                    Its.Parts.size(), access::nameOf(A.Op));
    addNote(F, fmt::format("where data lead each lane elsewhere each takes {} "
                           "sectors, and uses {} of each",
                           estimated(*V.Shown->Sectors),
                           counted(A.Bytes, "byte")));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy =
        IsOne ? fmt::format("align the elements of {} to {} bytes, and {} a "
                            "whole one at a time",
                            quotedObject(A), Its.Bytes, access::nameOf(A.Op))
              : fmt::format("keep what one index selects side by side, in an "
                            "array of structs of {} bytes that are aligned to "
                            "as many",
                            Its.Bytes);
    F.Cause = "gathers by one index";
    Report(F, std::move(Cured));
  }

  static std::string namesOf(const Selection &Its) {
    std::vector<std::string> Names;
    for (const Access *B : Its.Parts)
      Names.push_back(quotedObject(*B));
    return listed(Names);
  }
};

REGISTER_RULE(SplitGather);

} // namespace
