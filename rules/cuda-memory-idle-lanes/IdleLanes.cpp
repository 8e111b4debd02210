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
  bool IsSampled = false;

  double share() const { return Warps * Lanes / access::WarpLanes; }
};

/// Half of what there is may be the shape of the problem; less is a mistake.
constexpr double MostWorking = 0.5;

unsigned warpsOf(const launch::Shape &S) {
  const unsigned Threads = S.Block[0] * S.Block[1] * S.Block[2];
  return (Threads + access::WarpLanes - 1) / access::WarpLanes;
}

/// Everything is known, but not all blocks were run: there is no interval.
bool isSampled(const Cost &C) {
  return C.State == access::Proof::Estimated && !C.Low && !C.DataDecides;
}

/// Where the memory starts may be open, but not who takes part.
bool isCertain(const Cost &C) {
  return C.State == access::Proof::Exact || C.State == access::Proof::Bounded ||
         isSampled(C);
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
    const Cost *C = costUnder(A, Launch);
    if (!C || !isCertain(*C) || C->PerWarp <= 0)
      return std::nullopt;
    Most.Lanes = std::max(Most.Lanes, C->ActiveLanes);
    Most.IsSampled |= isSampled(*C);
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
    const unsigned Warps = warpsOf(Kernel.Launches[N]);
    const double IdleWarps = std::round(Warps * (1 - Its.Warps));
    const bool WarpsIdle = IdleWarps > 0 && IdleWarps < Warps;
    const double Lanes = Its.Lanes / access::WarpLanes;
    const bool LanesIdle = Lanes <= MostWorking;
    std::string Idle;
    price::Reshape Cured;
    if (LanesIdle) {
      Idle =
          fmt::format("{} of {} lanes of each warp",
                      number(access::WarpLanes - Its.Lanes), access::WarpLanes);
      Cured.Blocks = Lanes;
      Cured.Lanes = 1 / Lanes;
    }
    if (WarpsIdle) {
      Idle += fmt::format("{}{} of {} warps of each block",
                          LanesIdle ? " and " : "", number(IdleWarps), Warps);
      Cured.Blocks *= Its.Warps;
    }
    if (!Idle.empty())
      Report(describe(Kernel, N, Idle, Its, 1 / Cured.Blocks), {N, {}, Cured});
  }

  static advice::Finding describe(const access::Kernel &Kernel, unsigned Launch,
                                  std::string_view Idle, const Working &Its,
                                  double Fewer) {
    const launch::Shape &Shape = Kernel.Launches[Launch];
    advice::Finding F;
    F.Where = Kernel.Where;
    F.Kernel = Kernel.Name;
    F.State = Its.IsSampled ? access::Proof::Estimated : access::Proof::Exact;
    F.Message = fmt::format("{} have nothing to do", Idle);
    addNote(F, "no access of the kernel is made by more of them, whatever the "
               "data are");
    if (Shape.At.isKnown())
      F.Notes.push_back({Shape.At, "launched here"});
    F.Remedy = fmt::format("launch no more threads than work: number the work "
                           "by the thread, so that {} times fewer do it",
                           number(Fewer));
    return F;
  }
};

REGISTER_RULE(IdleLanes);

} // namespace
