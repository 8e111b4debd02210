//===- MissingRestrict.cpp - What is loaded again after each store --------===//
//
// As long as a pointer argument may lead to where another one does, a store
// through the one may change what was loaded through the other: the compiler
// has to load it again, and may not load ahead for the next rounds of a loop.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view Price = paths::warp_global_b4_throughput_per_tag;

/// Of what is loaded again, the least that makes a finding; a tenth is within
/// what the compiler's own choices change.
constexpr double LeastShare = 0.9;
/// Of the waits, the share that is left where rounds could share them.
constexpr double MostWaits = 0.5;

bool isPlain(const Access &A, Operation Op) {
  return A.Memory == Space::Global && A.Op == Op &&
         A.Sort == Access::Kind::Plain && !A.Object.empty();
}

/// What nvcc cannot do with \p A as long as a store may change what it loads.
enum class Harm {
  None,
  Repeats, ///< it loads the same again
  Waits,   ///< loads of several rounds of a loop are not under way together
};

Harm harmTo(const Access &A) {
  if (A.KeptIfRestricted <= LeastShare * A.Kept)
    return Harm::Repeats;
  return A.Waits > 0 && A.WaitsIfRestricted <= MostWaits * A.Waits ? Harm::Waits
                                                                   : Harm::None;
}

/// Requests of a launch that would be left out, or their waits: those that
/// would be left out come first.
std::pair<double, double> superfluous(const Access &A, unsigned Launch) {
  std::pair<double, double> Sums;
  for (const Cost &C : A.PerLaunch)
    if (C.Launch == Launch) {
      Sums.first += C.Weight * (A.Kept - A.KeptIfRestricted);
      Sums.second += C.Weight * (A.Waits - A.WaitsIfRestricted);
    }
  return Sums;
}

/// A store that the compiler takes for one to what \p Load loads, or null.
const Access *storeBetween(const access::Kernel &K, const Access &Load) {
  const auto Found =
      std::find_if(K.Accesses.begin(), K.Accesses.end(), [&](const Access &B) {
        return isPlain(B, Operation::Store) && B.Object != Load.Object &&
               !(B.IsRestricted && Load.IsRestricted);
      });
  return Found == K.Accesses.end() ? nullptr : &*Found;
}

/// Whether the promise would be broken in the kernel itself, as far as can be
/// seen: what is loaded is stored to as well, through the same pointer.
bool isStoredTo(const access::Kernel &K, const Access &Load) {
  return std::any_of(
      K.Accesses.begin(), K.Accesses.end(), [&](const Access &B) {
        return B.Op != Operation::Load && B.Memory == Space::Global &&
               (B.Object == Load.Object || B.Object.empty());
      });
}

/// The qualifier before the name of each pointer argument that lacks it.
std::optional<advice::Rewrite> qualify(const access::Kernel &K) {
  advice::Rewrite Fix;
  std::vector<std::string> Names;
  for (const DeclaredPointer &P : K.Pointers) {
    if (P.IsRestricted)
      continue;
    if (P.At.Length == 0)
      Fix.Withheld = fmt::format("a macro writes '{}'", P.Name);
    Names.push_back(fmt::format("'{}'", P.Name));
    Fix.Changes.push_back({P.At, P.Name, "__restrict__ " + P.Name});
  }
  if (Names.empty())
    return std::nullopt;
  Fix.Title = fmt::format("declare {} __restrict__", listed(Names));
  Fix.Presumes = "only you know that they never lead to the same memory";
  if (!Fix.Withheld.empty())
    Fix.Changes.clear();
  return Fix;
}

class MissingRestrict : public Rule {
  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    // A call of what nvcc does not see makes it load again, promise or not.
    if (Kernel.CallsElsewhere)
      return;
    const Access *Worst = nullptr;
    std::optional<SiteVerdict> Verdict;
    for (const Access &A : Kernel.Accesses) {
      if (!isPlain(A, Operation::Load) || harmTo(A) == Harm::None ||
          isStoredTo(Kernel, A) || !storeBetween(Kernel, A))
        continue;
      const auto V =
          judge(Kernel, A,
                [&A](const Cost &C) -> std::optional<Demand> {
                  if (C.Weight <= 0)
                    return std::nullopt;
                  const double Loads =
                      harmTo(A) == Harm::Waits ? A.Waits / A.WaitsIfRestricted
                      : A.KeptIfRestricted > 0 ? A.Kept / A.KeptIfRestricted
                                               : 2;
                  return Demand{Loads, 1, Loads, Loads, true};
                },
                {1 / LeastShare, 0});
      if (V && (!Worst || superfluous(A, V->Shown->Launch) >
                              superfluous(*Worst, Verdict->Shown->Launch))) {
        Worst = &A;
        Verdict = V;
      }
    }
    if (Worst)
      Report(describe(Kernel, *Worst, *Verdict, Device),
             cureOf(Kernel, Verdict->Shown->Launch));
  }

  /// The promise is one for all arguments of the kernel.
  static Cure cureOf(const access::Kernel &K, unsigned Launch) {
    Cure Result{Launch, {}, {}};
    for (size_t N = 0; N != K.Accesses.size(); ++N) {
      const Access &A = K.Accesses[N];
      if ((!isPlain(A, Operation::Load) && !isPlain(A, Operation::Store)) ||
          !makesRequests(A, Launch))
        continue;
      const double Share = A.Kept > 0 ? A.KeptIfRestricted / A.Kept : 1;
      const double Waits = A.Waits > 0 ? A.WaitsIfRestricted / A.Waits : 1;
      if (Share < 1 || Waits < 1)
        Result.Repairs.push_back(
            {.Access = N, .Share = std::min(1.0, Share), .Waits = Waits});
    }
    return Result;
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    const std::string &Stored = storeBetween(Kernel, A)->Object;
    if (harmTo(A) == Harm::Waits) {
      F.Message = fmt::format("each round loads from {} only after the store "
                              "to '{}', which may be the same memory",
                              quotedObject(A), Stored);
      addNote(F, "if it were not, the loads of several rounds would be under "
                 "way together");
    } else {
      F.Message = fmt::format("{} is loaded again after each store to '{}', "
                              "which may be the same memory",
                              quotedObject(A), Stored);
      // How many is not said: most rounds are counted without knowing them.
      const double Share = A.KeptIfRestricted / A.Kept;
      addNote(F, fmt::format("if it were not, {} of these loads would be left",
                             Share <= 0     ? "none"
                             : Share <= 0.5 ? "few"
                                            : "fewer"));
    }
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy = "declare the kernel's pointers __restrict__ (and const where "
               "nothing is stored) if they never lead to the same memory, else "
               "load what several rounds need before storing for the first";
    F.Cause = "restrict";
    F.Fix = qualify(Kernel);
    return F;
  }
};

REGISTER_RULE(MissingRestrict);

} // namespace
