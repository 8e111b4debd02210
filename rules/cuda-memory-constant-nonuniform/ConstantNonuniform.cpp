//===- ConstantNonuniform.cpp - Lanes that read different constants -------===//
//
// Constant memory is made for one word that all lanes want. Every further word
// of a request is a pass of its own.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/ConstantTable.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Space;

namespace {

constexpr std::string_view Price = paths::warp_constant_cycles_per_word;

/// Less than a quarter more words on average is not worth a rewrite.
constexpr double MinWaste = 1.25;

/// Of tables with no more elements than this, data may choose whichever.
constexpr double FewChoices = 4;

class ConstantNonuniform : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "C_3");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const Threshold Worth{MinWaste, unitsWorthACycle(Device, Price)};
    for (const Access &A : Kernel.Accesses) {
      if (A.Memory != Space::Constant)
        continue;
      // Of a float4 that all lanes read no fewer will do.
      const double Ideal =
          std::max(1u, A.Bytes / profile::RequestLaw::constantBytes(A.Bytes));
      const auto V = judge(
          Kernel, A,
          [Ideal](const Cost &C) -> std::optional<Demand> {
            if (C.State != access::Proof::DataDependent)
              return Demand::of(C, C.Words, Ideal);
            // That the indices are random is an assumption, and a poor one of
            // a handful of choices: codes and flags are mostly alike.
            if (!C.Words || !C.Low || !C.High || *C.Words <= FewChoices * Ideal)
              return std::nullopt;
            return Demand{*C.Words, Ideal, *C.Low, *C.High, /*IsLikely=*/true};
          },
          Worth);
      if (V)
        Report(describe(Kernel, A, *V, Device),
               cureOf(Kernel, A, V->Shown->Launch,
                      {.Words = V->Need.Ideal, .LostLines = 0}));
    }
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.Guidelines = standing(Device, {"C_1", "C_3"});
    F.PerRequest = needOf(V, "words");
    F.Message = fmt::format(
        "constant {} differs between lanes: {} per request{} (ideal {}), one "
        "pass each",
        // Two bytes of one word are two passes as well (test/gpu/fetches).
        access::nameOf(A.Op), asserted(V, A.Bytes < 4 ? "element" : "word"),
        V.Shown->State == access::Proof::DataDependent ? " for random indices"
                                                       : "",
        number(V.Need.Ideal));
    if (V.Shown->Worst)
      addNote(F,
              fmt::format("in the costliest request of {}, {}", quotedObject(A),
                          describeLanes(*V.Shown->Worst, A.Bytes)));
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    setRemedy(F, A,
              fmt::format("index {} by the block or the loop instead of the "
                          "lane, or read it from shared or global memory",
                          quotedObject(A)));
    F.Fix = moveToGlobal(Kernel, A);
    return F;
  }
};

REGISTER_RULE(ConstantNonuniform);

} // namespace
