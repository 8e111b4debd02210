//===- IdleLanes.cpp - Threads that were launched for nothing -------------===//
//
// A warp takes as long for one lane as for 32, and a block holds room for warps
// that have left. Where the thread's number alone decides who works, the others
// need not be launched.
//
//===----------------------------------------------------------------------===//

#include "rules/Rule.h"
#include "rules/SiteVerdict.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Space;

namespace {

/// As many of the threads of a launch work, as far as accesses tell.
struct Working {
  double Lanes = 0; ///< of a warp's, the most in any access
  double Warps = 0; ///< share of the block's

  double share() const { return Warps * Lanes / access::WarpLanes; }
};

/// Half of what there is may be the shape of the problem; less is a mistake.
constexpr double MostWorking = 0.5;

unsigned warpsOf(const launch::Shape &S) {
  const unsigned Threads = S.Block[0] * S.Block[1] * S.Block[2];
  return (Threads + access::WarpLanes - 1) / access::WarpLanes;
}

/// Where the memory starts may be open, but not who takes part.
bool isCertain(const Cost &C) {
  return C.State == access::Proof::Exact || C.State == access::Proof::Bounded;
}

/// Nothing unless it holds whatever the arguments are: what data keeps from
/// work is no mistake of the launch.
std::optional<Working> workingUnder(const access::Kernel &K, unsigned Launch) {
  const access::Work &W = K.Works[Launch];
  if (!W.IsWholeGrid || K.HasBarriers || !K.NotModelled.empty())
    return std::nullopt;
  Working Most;
  for (const Access &A : K.Accesses) {
    if (A.Memory == Space::Local)
      continue;
    const auto C =
        std::find_if(A.PerLaunch.begin(), A.PerLaunch.end(),
                     [&](const Cost &Each) { return Each.Launch == Launch; });
    if (C == A.PerLaunch.end() || !isCertain(*C) || C->PerWarp <= 0)
      return std::nullopt;
    Most.Lanes = std::max(Most.Lanes, C->ActiveLanes);
    const double AllWarps = W.Blocks * warpsOf(K.Launches[Launch]);
    Most.Warps = std::max(Most.Warps, C->Weight / C->PerWarp / AllWarps);
  }
  return Most.Lanes > 0 ? std::optional(Most) : std::nullopt;
}

class IdleLanes : public Rule {
  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    // A launch may be larger than its problem; that all are is no accident.
    std::optional<std::pair<unsigned, Working>> Busiest;
    for (unsigned N = 0; N != Kernel.Works.size(); ++N) {
      if (!isKnown(Kernel.Launches[N]))
        continue;
      const auto Its = workingUnder(Kernel, N);
      if (!Its)
        return;
      if (!Busiest || Its->share() > Busiest->second.share())
        Busiest = {N, *Its};
    }
    if (!Busiest || Busiest->second.share() > MostWorking)
      return;
    const auto &[N, Its] = *Busiest;
    const double Lanes = Its.Lanes / access::WarpLanes;
    if (Lanes <= MostWorking)
      return Report(
          describe(Kernel, N, access::WarpLanes - Its.Lanes, access::WarpLanes,
                   "lanes of each warp"),
          {N, {}, price::Reshape{.Blocks = Lanes, .Lanes = 1 / Lanes}});
    const unsigned Warps = warpsOf(Kernel.Launches[N]);
    const double Idle = std::round(Warps * (1 - Its.Warps));
    if (Idle > 0 && Idle < Warps)
      Report(describe(Kernel, N, Idle, Warps, "warps of each block"),
             {N, {}, price::Reshape{.Blocks = Its.Warps}});
  }

  static advice::Finding describe(const access::Kernel &Kernel, unsigned Launch,
                                  double Idle, double All,
                                  std::string_view Unit) {
    const launch::Shape &Shape = Kernel.Launches[Launch];
    advice::Finding F;
    F.Where = Kernel.Where;
    F.Kernel = Kernel.Name;
    F.State = access::Proof::Exact;
    F.Message = fmt::format("{} of {} {} have nothing to do", number(Idle),
                            number(All), Unit);
    addNote(F, "no access of the kernel is made by more of them, whatever the "
               "data are");
    if (Shape.At.isKnown())
      F.Notes.push_back({Shape.At, "launched here"});
    F.Remedy = fmt::format("launch no more threads than work: number the work "
                           "by the thread, so that {} times fewer do it",
                           number(All / (All - Idle)));
    return F;
  }
};

REGISTER_RULE(IdleLanes);

} // namespace
