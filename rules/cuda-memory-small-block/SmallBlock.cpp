//===- SmallBlock.cpp - Launches that spend their time on launching -------===//
//
// An SM gets its blocks one after the other and holds a limited number of them,
// however small they are. Blocks of a warp or two that live for a few loads
// keep it waiting for blocks.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/SiteVerdict.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::rules;
using access::WarpLanes;

namespace {

constexpr std::string_view Price = paths::device_launch_block_interval;

/// What nearly every kernel can run with.
constexpr unsigned UsualThreads = 256;

/// A warp that makes more requests than this is still there when an SM has got
/// all blocks that it can hold (32 of them take 2.5 us on an H200, and a
/// request tens of cycles): what small blocks cost then is the room of others.
constexpr double ManyRequests = 100;

/// Blocks of half of that and more are no small ones.
constexpr unsigned SmallThreads = 128;

unsigned threadsOf(const launch::Shape &S) {
  return S.Block[0] * S.Block[1] * S.Block[2];
}

/// The known launch with the smallest blocks, or nothing if some have large
/// ones: then somebody chose them.
std::optional<unsigned> findSmall(const access::Kernel &K) {
  std::optional<unsigned> Smallest;
  for (unsigned N = 0; N != K.Launches.size(); ++N) {
    if (!isKnown(K.Launches[N]))
      continue;
    const unsigned Threads = threadsOf(K.Launches[N]);
    if (Threads >= SmallThreads)
      return std::nullopt;
    if (!Smallest || Threads < threadsOf(K.Launches[*Smallest]))
      Smallest = N;
  }
  return Smallest;
}

/// Of a warp under launch \p Launch.
double requestsOf(const access::Kernel &K, unsigned Launch) {
  double Sum = 0;
  for (const access::Access &A : K.Accesses)
    for (const access::Cost &C : A.PerLaunch)
      if (C.Launch == Launch)
        Sum += C.PerWarp;
  return Sum;
}

/// Whether nobody knows how many rounds some loops have: warps may live long.
bool mayLiveLong(const access::Kernel &K, unsigned Launch) {
  if (!K.Works[Launch].TripsKnown)
    return true;
  return std::any_of(
      K.Accesses.begin(), K.Accesses.end(), [&](const access::Access &A) {
        return A.LoopDepth > 0 && !A.Trips && access::makesRequests(A, Launch);
      });
}

/// How many warps an SM has room for, and how many of these small blocks fill.
struct Room {
  unsigned Blocks, Filled, Warps;
};

/// Unset where blocks of \p Threads fill an SM, or nobody knows its limits.
std::optional<Room> roomLeft(const profile::Profile &Device, unsigned Threads) {
  const profile::ArchitectureLimits *Its =
      profile::limitsOf(Device.Architecture);
  if (!Its)
    return std::nullopt;
  const Room R = {Its->SmBlocks,
                  Its->SmBlocks * ((Threads + WarpLanes - 1) / WarpLanes),
                  Its->SmThreads / WarpLanes};
  return R.Filled < R.Warps ? std::optional(R) : std::nullopt;
}

class SmallBlock : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return unpriced(Device, Price, "how fast an SM gets new blocks");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const auto Launch = findSmall(Kernel);
    if (!Launch || *Launch >= Kernel.Works.size() ||
        mayLiveLong(Kernel, *Launch))
      return;
    const unsigned Threads = threadsOf(Kernel.Launches[*Launch]);
    const unsigned Factor = UsualThreads / Threads;
    const access::Work &W = Kernel.Works[*Launch];
    if (W.IsWholeGrid && W.Blocks < Factor)
      return; // nothing to bundle
    const double Requests = requestsOf(Kernel, *Launch);
    if (Requests == 0)
      return; // what stands in for a kernel of another architecture
    const bool Stays = Requests > ManyRequests;
    const auto Left = Stays ? roomLeft(Device, Threads) : std::nullopt;
    if (Stays && !Left)
      return;
    Report(describe(Kernel, *Launch, Factor, Device, Requests, Left),
           {*Launch,
            {},
            price::Reshape{.Blocks = 1.0 / Factor,
                           .BlockThreads = double(Factor),
                           .SharedBytes = double(Factor)}});
  }

  /// \p Requests: of a warp. \p Left: what the blocks leave empty, where that
  /// is what they cost.
  static advice::Finding describe(const access::Kernel &Kernel, unsigned Launch,
                                  unsigned Factor,
                                  const profile::Profile &Device,
                                  double Requests,
                                  const std::optional<Room> &Left) {
    const launch::Shape &Shape = Kernel.Launches[Launch];
    const unsigned Threads = threadsOf(Shape);
    advice::Finding F;
    F.Where = Kernel.Where;
    F.Kernel = Kernel.Name;
    F.State = access::Proof::Estimated;
    if (Left) {
      F.Message = fmt::format(
          "blocks of {} are small: an SM of {} holds no more than {} of them, "
          "{} of {} warps",
          counted(Threads, "thread"), Device.Gpu, Left->Blocks, Left->Filled,
          Left->Warps);
      addLaunchedHere(F, Shape);
    } else {
      F.Message = fmt::format(
          "blocks of {} are small: an SM gets them one by one, every {} ns "
          "on {}",
          counted(Threads, "thread"), number(*Device.value(Price)), Device.Gpu);
      // Of textures and surfaces there is no count.
      if (Kernel.NotModelled.empty())
        addNote(F,
                fmt::format("a warp of them makes no more than {} and is gone",
                            counted(Requests, "request")));
      else
        addNote(F, "a warp of them makes few requests and is gone");
      addLaunchedHere(F, Shape);
      addEvidenceNote(F, Device, Price);
    }
    F.Cause = "small blocks";
    F.Choice = "fewer blocks";
    F.Remedy = fmt::format("let a block of {} threads do what {} of these "
                           "blocks do",
                           Threads * Factor, Factor);
    if (Kernel.Works[Launch].SharedBytes > 0)
      F.Remedy += fmt::format(", with {} bytes of shared memory",
                              Kernel.Works[Launch].SharedBytes * Factor);
    return F;
  }
};

REGISTER_RULE(SmallBlock);

} // namespace
