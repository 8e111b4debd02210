//===- ConstantWalk.cpp - Constants that do not stay in the cache ---------===//
//
// Constant memory is fast from a cache of two kilobytes. A loop that walks
// through more than that brings every line again, and in steps of a line or
// more it brings one for each load.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/ConstantTable.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Space;

namespace {

constexpr std::string_view Price = paths::levels_constant_l15_cycles_per_line;

/// Less than a quarter more lines than a walk in order brings is not worth a
/// rewrite.
constexpr double MinWaste = 1.25;

class ConstantWalk : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return unpriced(Device, Price,
                    "what a line of constant memory costs that the cache has "
                    "lost");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const Threshold Worth{MinWaste, unitsWorthACycle(Device, Price)};
    const auto Line = Device.value(paths::levels_constant_line);
    if (!Line)
      return;
    for (const Access &A : Kernel.Accesses) {
      if (A.Memory != Space::Constant)
        continue;
      // A walk in order uses all of a line before the cache loses it.
      const double Ideal = A.Bytes / *Line;
      const auto V = judge(
          Kernel, A,
          [Ideal](const Cost &C) -> std::optional<Demand> {
            // Lanes that read different words are another rule's.
            if (!C.Reach || C.Reach->LostLines <= 0 || C.Words.value_or(2) > 1)
              return std::nullopt;
            const double Lost = C.Reach->LostLines;
            return Demand{Lost, Ideal, 0, Lost, /*IsLikely=*/true};
          },
          Worth);
      if (V)
        Report(describe(Kernel, A, *V, Device),
               cureOf(Kernel, A, V->Shown->Launch, {.LostLines = Ideal}));
    }
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.Guidelines = standing(Device, {"C_1"});
    F.PerRequest = needOf(V, "lines");
    F.OnlyByGain = true;
    F.Message = fmt::format(
        "constant {} walks through more than the constant cache holds ({} "
        "bytes): {} per request has to be brought again (ideal {})",
        access::nameOf(A.Op),
        number(Device.value(paths::levels_constant_capacity).value_or(0)),
        asserted(V, "line"), number(V.Need.Ideal));
    addNote(F, "fewer where the warps of an SM keep step, so that one brings "
               "what all of them want");
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    setRemedy(F, A,
              fmt::format("lay {} out in the order in which the loop reads it, "
                          "or keep it in global memory, which L1 serves",
                          quotedObject(A)));
    F.Fix = moveToGlobal(Kernel, A);
    return F;
  }
};

REGISTER_RULE(ConstantWalk);

} // namespace
