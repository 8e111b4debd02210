//===- BlockScratch.cpp - What a block keeps for itself in global memory --===//
//
// The steps of a tree, the passes of a transform, the rows of a table of
// partial results: a block loads and stores the same few kilobytes again and
// again, with barriers in between, and no other block ever looks at them. L1
// serves the loads, but every store goes to L2.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
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

/// So often a block comes to each byte, at least, where others want what it
/// leaves there: one way in and one way out stay. What nobody else looks at is
/// stored and loaded for nothing.
constexpr double LeastTimes = 4, LeastTimesOfScratch = 1.5;

/// Of requests or rounds: ends do not count.
constexpr double NearlyAll = 0.95;

/// What a block does to an array of which it has a part to itself.
struct Scratch {
  double Bytes = 0; ///< of the part
  double Times = 0; ///< that the block comes to each of them
  bool IsStored = false, IsLoaded = false;
  std::vector<size_t> Accesses; ///< indices into Kernel::Accesses
};

/// Of the array with \p Root under \p Launch; unset where others may look at
/// it, or where not all that is done to it is known.
std::optional<Scratch> scratchOf(const access::Kernel &K, unsigned Root,
                                 unsigned Launch) {
  if (!K.HasBarriers || !K.NotModelled.empty() || Launch >= K.Works.size())
    return std::nullopt;
  Scratch Its;
  double Moved = 0;
  for (size_t N = 0; N != K.Accesses.size(); ++N) {
    const Access &A = K.Accesses[N];
    if (A.Root != Root)
      continue;
    const Cost *C = costUnder(A, Launch);
    if (C && C->Weight <= 0)
      continue;
    if (!C || !hasReach(K, *C) || A.Memory != Space::Global ||
        A.Op == Operation::Atomic || A.Sort != Access::Kind::Plain ||
        A.InLibrary || C->IsShared)
      return std::nullopt;
    // What one block loads another may have stored.
    if (!isApart(K, *C))
      return std::nullopt;
    Its.Bytes = C->Reach->ObjectExtent;
    const double Requests = blockRequests(K, *C);
    Moved += Requests * C->ActiveLanes * A.Bytes;
    // Later rounds may get to more than those that were followed, unless all
    // of them go to the same.
    if (C->Reach->Requests < NearlyAll * Requests && A.Repeats < NearlyAll)
      return std::nullopt;
    (A.Op == Operation::Store ? Its.IsStored : Its.IsLoaded) = true;
    Its.Accesses.push_back(N);
  }
  if (!Its.IsStored || !Its.IsLoaded || Its.Bytes <= 0 ||
      Its.Bytes + double(K.Works[Launch].SharedBytes) >
          double(profile::StaticSharedBytes))
    return std::nullopt;
  Its.Times = Moved / Its.Bytes;
  return Its;
}

/// Whether \p A is the store that is made most often of those to its array.
bool isMainStore(const access::Kernel &K, const Access &A, const Cost &C) {
  return std::ranges::none_of(K.Accesses, [&](const Access &B) {
    const Cost *Other = B.Op == Operation::Store && B.Root == A.Root
                            ? costUnder(B, C.Launch)
                            : nullptr;
    return Other &&
           (Other->Weight > C.Weight || (Other->Weight == C.Weight && &B < &A));
  });
}

class BlockScratch : public Rule {
  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    for (const Access &A : Kernel.Accesses) {
      if (A.Op != Operation::Store || !A.Root)
        continue;
      const auto timesOf = [&](const Cost &C) -> std::optional<Demand> {
        if (!isMainStore(Kernel, A, C))
          return std::nullopt;
        const auto Its = scratchOf(Kernel, *A.Root, C.Launch);
        if (!Its ||
            Its->Times < (C.IsScratch ? LeastTimesOfScratch : LeastTimes))
          return std::nullopt;
        return Demand{Its->Times, 1, Its->Times, Its->Times, true};
      };
      if (const auto V = judge(Kernel, A, timesOf, {LeastTimesOfScratch, 0}))
        report(Kernel, A, *V, Device, Report);
    }
  }

  static void report(const access::Kernel &Kernel, const Access &A,
                     const SiteVerdict &V, const profile::Profile &Device,
                     const Sink &Report) {
    const unsigned Launch = V.Shown->Launch;
    const Scratch Its = *scratchOf(Kernel, *A.Root, Launch);
    Cure Cured{Launch, {}, {}};
    double Bytes = Its.Bytes / Kernel.Works[Launch].BlockThreads;
    for (const size_t N : Its.Accesses)
      Cured.Repairs.push_back(
          {.Access = N, .IntoShared = std::exchange(Bytes, 0)});

    auto F = startFinding(Kernel, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    F.Message = fmt::format(
        "each block works on {} of {} in global memory that no block beside it "
        "touches, and comes to each {}",
        counted(Its.Bytes, "byte"), quotedObject(A),
        counted(Its.Times, "time"));
    addNote(F, "L1 passes every store on to L2");
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy =
        V.Shown->IsScratch
            ? fmt::format("keep them in shared memory, and do without {}",
                          quotedObject(A))
            : fmt::format("keep them in shared memory meanwhile: load what is "
                          "wanted of {} before, and store once what others "
                          "want",
                          quotedObject(A));
    F.Cause = "scratch of a block in " + A.Object;
    Report(F, std::move(Cured));
  }
};

REGISTER_RULE(BlockScratch);

} // namespace
