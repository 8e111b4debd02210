//===- FewWarps.cpp - Long loops of few threads ---------------------------===//
//
// A GPU hides what memory takes by what other warps ask for meanwhile. Where
// each thread adds up thousands of elements and there are threads for a part
// of the SMs only, most of the bandwidth is left; the rounds of such a loop are
// work that other threads could do.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Space;

namespace {

constexpr std::string_view Price = paths::device_sm_count;

/// Warps of an SM, with which it is not short of them, and as many as the
/// advice makes of them.
constexpr double Scarce = 8, Enough = 16;

/// Rounds that are left to each thread.
constexpr double LeastRounds = 16;

/// Of all that is requested from memory, so much is in such loops.
constexpr double MostlyThere = 0.75;

/// The loops of a launch that could be shared out.
struct LongLoops {
  const Access *Heaviest = nullptr;
  double Rounds = 0; ///< of its loop, each time
  double Parts = 1;  ///< into which it can be split
};

std::optional<LongLoops> longLoops(const access::Kernel &K, unsigned Launch,
                                   double Sms) {
  if (Launch >= K.Works.size() || !isKnown(K.Launches[Launch]))
    return std::nullopt;
  const access::Work &W = K.Works[Launch];
  if (!W.IsWholeGrid || !W.TripsKnown || warpsOf(W) >= Scarce * Sms)
    return std::nullopt;
  LongLoops Its;
  double All = 0, There = 0, Heaviest = 0;
  for (const Access &A : K.Accesses) {
    const Cost *C = costUnder(A, Launch);
    if (A.Memory != Space::Global || !C || C->Weight <= 0)
      continue;
    const double Sectors = C->Weight * A.Kept * C->Sectors.value_or(1);
    All += Sectors;
    if (!A.RoundsAddUp || C->DataDecides)
      continue;
    // A block that waits for such a loop, time and again, would have to wait
    // for other blocks.
    if (A.LoopDepth > 1 && K.HasBarriers)
      return std::nullopt;
    There += Sectors;
    if (Sectors > Heaviest) {
      Heaviest = Sectors;
      Its.Heaviest = &A;
      Its.Rounds = A.LoopDepth == 1 ? C->PerWarp : C->RoundsPerEntry;
    }
  }
  if (There < MostlyThere * All || Its.Rounds < 2 * LeastRounds)
    return std::nullopt;
  Its.Parts = double(std::bit_floor(
      unsigned(std::min(Enough * Sms / warpsOf(W), Its.Rounds / LeastRounds))));
  return Its.Parts > 1 ? std::optional(Its) : std::nullopt;
}

class FewWarps : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return unpriced(Device, Price, "how many SMs there are");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const double Sms = *Device.value(Price);
    // A kernel that has enough to do elsewhere may do as it likes here.
    std::optional<std::pair<unsigned, LongLoops>> Largest;
    for (unsigned N = 0; N != Kernel.Launches.size(); ++N) {
      if (!isKnown(Kernel.Launches[N]))
        continue;
      const auto Its = longLoops(Kernel, N, Sms);
      if (!Its)
        return;
      if (!Largest || Its->Parts < Largest->second.Parts)
        Largest = {N, *Its};
    }
    if (Largest)
      report(Kernel, Largest->first, Largest->second, Device, Sms, Report);
  }

  static void report(const access::Kernel &Kernel, unsigned Launch,
                     const LongLoops &Its, const profile::Profile &Device,
                     double Sms, const Sink &Report) {
    const access::Work &W = Kernel.Works[Launch];
    const launch::Shape &Shape = Kernel.Launches[Launch];
    advice::Finding F;
    F.Where = Its.Heaviest->Where;
    F.Kernel = Kernel.Name;
    F.State = access::Proof::Estimated;
    F.OnlyByGain = true;
    F.Message = fmt::format(
        "{} for the {} SMs of {}, while each thread goes through {} rounds of "
        "a loop that do not need each other",
        counted(warpsOf(W), "warp"), number(Sms), Device.Gpu,
        number(Its.Rounds));
    addNote(F, "all that a round leaves to the next is a sum so far, a product "
               "or an extreme: more threads could do a part of them each");
    addLaunchedHere(F, Shape);
    F.Remedy = fmt::format(
        "let {} threads share the rounds, along an axis of the grid or in a "
        "wider block, and put together what they find (by atomics, or in the "
        "block)",
        number(Its.Parts));
    Report(F, {Launch, {}, price::Reshape{.Parts = Its.Parts}});
  }
};

REGISTER_RULE(FewWarps);

} // namespace
