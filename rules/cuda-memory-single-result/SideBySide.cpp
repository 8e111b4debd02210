//===- SideBySide.cpp - Windows that slide from lane to lane --------------===//
//
// Out[i] is computed from In[i] to In[i + 15]: a warp loads sixteen times what
// lies next to what it has. A thread that has four results in a row takes four
// neighbours by each load, and most of them serve all of its results.
//
//===----------------------------------------------------------------------===//

#include "rules/cuda-memory-single-result/SideBySide.h"

#include "profiler/profile/Paths.h"
#include "rules/BlockReach.h"
#include "rules/Wording.h"
#include "rules/cuda-memory-single-result/ResultsOfThread.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpwise::rules {

using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

namespace {

/// Of what a thread loads the next lane has to want so much: vectors ask more
/// of the data than results in a column do.
constexpr double MostOfThem = 0.5;

constexpr std::string_view Price = paths::warp_global_b4_throughput_per_tag;
constexpr std::string_view SharedPrice =
    paths::warp_shared_cycles_per_wavefront;

/// As many bytes as a lane loads at most at a time.
constexpr unsigned WidestLane = 16;

bool areSideBySide(const Access &A, const Cost &C) {
  return C.Worst && C.Worst->Stride == int64_t(A.Bytes) &&
         !C.Worst->IsStepMadeUp && A.Bytes * ResultsInARow <= WidestLane;
}

bool isOneAddress(const Cost &C) { return C.Worst && C.Worst->Stride == 0; }

/// Of the loads of a thread whose next lane makes \p Again of them, those that
/// it makes of vectors for as many results as these have elements, each. The
/// elements that it needs begin anywhere in a vector.
double vectorsLeft(double Again) {
  if (Again <= 0)
    return 1 / ResultsInARow;
  const double Window = 1 / (1 - std::min(Again, 0.999));
  const double Needed = Window + ResultsInARow - 1;
  return (1 + (Needed - 1) / ResultsInARow) / (Window * ResultsInARow);
}

/// What the lanes of a warp load for their results under one launch.
struct LaneWindow {
  const Access *Main = nullptr;
  double Loaded = 0, Left = 0; ///< by a thread, for a result: now, and then
  std::vector<price::Repair> Repairs;
};

/// Unset where some access is neither side by side nor one for all lanes, or
/// where the threads of a block work together.
std::optional<LaneWindow> windowUnder(const access::Kernel &K,
                                      unsigned Launch) {
  if (!haveOneResult(K, Launch) || K.Works[Launch].Barriers > 0)
    return std::nullopt;
  std::set<std::string> Stored;
  for (const Access &A : K.Accesses)
    if (A.Memory == Space::Global && A.Op == Operation::Store)
      Stored.insert(A.Object);
  LaneWindow Its;
  double Again = 0, Most = 0;
  for (const Access &A : K.Accesses) {
    const Cost *C = costUnder(A, Launch);
    if (!C || C->Weight <= 0 || A.Memory == Space::Constant)
      continue;
    if (A.Memory != Space::Global || A.Op == Operation::Atomic ||
        A.Sort != Access::Kind::Plain || C->DataDecides)
      return std::nullopt;
    const bool IsLoad = A.Op == Operation::Load;
    if (IsLoad && Stored.contains(A.Object))
      return std::nullopt;
    price::Repair R{.Access = size_t(&A - K.Accesses.data())};
    if (areSideBySide(A, *C)) {
      R.AtOnce = ResultsInARow;
      R.Share = ResultsInARow * vectorsLeft(IsLoad ? C->LoadedBeside[0] : 0);
    } else if (IsLoad && isOneAddress(*C)) {
      R.Share = 1 / ResultsInARow;
    } else {
      return std::nullopt;
    }
    Its.Repairs.push_back(R);
    if (!IsLoad || R.AtOnce <= 1)
      continue;
    const double Loads = C->Weight * A.Kept / warpsOf(K.Works[Launch]);
    Its.Loaded += Loads;
    Its.Left += Loads * R.Share / R.AtOnce;
    Again += Loads * C->LoadedBeside[0];
    if (Loads * C->LoadedBeside[0] > Most) {
      Most = Loads * C->LoadedBeside[0];
      Its.Main = &A;
    }
  }
  if (!Its.Main || Its.Loaded < FewestLoads || Again < MostOfThem * Its.Loaded)
    return std::nullopt;
  return Its;
}

advice::Finding describe(const access::Kernel &K, const LaneWindow &Its,
                         const SiteVerdict &V, const profile::Profile &Device) {
  const Access &A = *Its.Main;
  auto F = startFinding(K, A, V, Device, Price);
  F.OnlyByGain = true;
  dropCost(F);
  const bool IsCounted = areRoundsKnown(A);
  F.Message = fmt::format(
      "a thread {} for one result, and the next lane makes most of them again, "
      "as here of {}",
      IsCounted
          ? fmt::format("makes {} loads from global memory", number(Its.Loaded))
          : "makes loads from global memory in a loop",
      quotedObject(A));
  addLaunchNote(F, K, V);
  addEvidenceNote(F, Device, Price);
  F.Remedy = fmt::format(
      "give each thread {} results in a row, load {} elements at a time as a "
      "vector (where rows begin at multiples of its size), and keep in "
      "registers what the next result needs, too",
      number(ResultsInARow), number(ResultsInARow));
  if (IsCounted)
    F.Remedy += fmt::format("; {} loads for each are left", number(Its.Left));
  F.Cause = "vectors of results";
  F.Choice = "reuse";
  return F;
}

/// Rounds of a loop in which a thread goes through a window in shared memory.
constexpr double LeastRounds = 16;

/// Whether \p A, a load from shared memory, goes on by an element from round to
/// round, as its lanes lie: all but one round of a lane are the next lane's.
bool slides(const Access &A, const Cost &C) {
  return areSideBySide(A, C) && !C.Worst->StepVaries &&
         std::abs(A.RoundBytes) == int64_t(A.Bytes);
}

/// What the lanes of a warp load from shared memory under one launch, in loops
/// in which they load nothing else. Unset where some load is neither of a
/// window that slides nor of one word for all.
std::optional<LaneWindow> sharedWindowUnder(const access::Kernel &K,
                                            unsigned Launch) {
  if (!haveOneResult(K, Launch))
    return std::nullopt;
  LaneWindow Its;
  std::set<std::string> Arrays;
  std::set<unsigned> Loops;
  for (const Access &A : K.Accesses) {
    const Cost *C = costUnder(A, Launch);
    if (A.Memory != Space::Shared || A.Op != Operation::Load || !A.Loop || !C ||
        C->Weight <= 0 || C->RoundsPerEntry < LeastRounds)
      continue;
    if (A.Sort != Access::Kind::Plain || A.IsFactor || C->DataDecides ||
        C->State == access::Proof::DataDependent)
      return std::nullopt;
    price::Repair R{.Access = size_t(&A - K.Accesses.data()),
                    .Share = 1 / ResultsInARow};
    if (slides(A, *C)) {
      const double Shared = 1 - 1 / C->RoundsPerEntry;
      R.AtOnce = ResultsInARow;
      R.Share = ResultsInARow * vectorsLeft(Shared);
      const double Loads = C->Weight * A.Kept / warpsOf(K.Works[Launch]);
      Its.Loaded += Loads;
      Its.Left += Loads * R.Share / R.AtOnce;
      if (!Its.Main)
        Its.Main = &A;
    } else if (!isOneAddress(*C)) {
      return std::nullopt;
    }
    Its.Repairs.push_back(R);
    Loops.insert(*A.Loop);
    Arrays.insert(A.Object);
  }
  const auto isOther = [&](const Access &A) {
    return A.Loop && Loops.contains(*A.Loop) && makesRequests(A, Launch) &&
           (A.Memory == Space::Global || A.Op != Operation::Load);
  };
  if (!Its.Main || std::ranges::any_of(K.Accesses, isOther))
    return std::nullopt;
  // The tile for as many results is longer by these alone.
  for (const Access &A : K.Accesses) {
    const Cost *C = costUnder(A, Launch);
    const bool Brings = Arrays.contains(A.StagedIn);
    const bool Puts = A.Memory == Space::Shared && A.Op == Operation::Store &&
                      Arrays.contains(A.Object);
    if (C && C->Weight > 0 && (Brings || Puts))
      Its.Repairs.push_back(
          {.Access = size_t(&A - K.Accesses.data()),
           .Share = shareInARow(
               Brings && C->Reach ? 1 - C->Reach->FreshBeside[0] : 0)});
  }
  return Its;
}

advice::Finding describeShared(const access::Kernel &K, const LaneWindow &Its,
                               const SiteVerdict &V,
                               const profile::Profile &Device) {
  const Access &A = *Its.Main;
  auto F = startFinding(K, A, V, Device, SharedPrice);
  F.OnlyByGain = true;
  dropCost(F);
  F.Guidelines = standing(Device, {"S_6"});
  F.Message = fmt::format(
      "a thread goes through a window of {} for one result, and the next lane "
      "through the same but for one element",
      quotedObject(A));
  if (areRoundsKnown(A))
    addNote(F, fmt::format("it makes {} loads of it", number(Its.Loaded)));
  addLaunchNote(F, K, V);
  addEvidenceNote(F, Device, SharedPrice);
  F.Remedy = fmt::format(
      "give each thread {} results in a row, load {} elements at a time as a "
      "vector (align the array to it), and keep in registers what the next "
      "result needs, too",
      number(ResultsInARow), number(ResultsInARow));
  F.Cause = "window of " + A.Object;
  return F;
}

using Find = std::optional<LaneWindow>(const access::Kernel &, unsigned);
using Describe = advice::Finding(const access::Kernel &, const LaneWindow &,
                                 const SiteVerdict &, const profile::Profile &);

/// Reports what \p WindowUnder finds under the launches of \p Kernel.
void checkWindows(const access::Kernel &Kernel, const profile::Profile &Device,
                  const Sink &Report, Find WindowUnder, Describe Text) {
  std::vector<std::optional<LaneWindow>> Windows; // by launch
  for (unsigned L = 0; L != Kernel.Works.size(); ++L)
    Windows.push_back(WindowUnder(Kernel, L));
  for (const Access &A : Kernel.Accesses) {
    const auto V = judge(Kernel, A,
                         [&](const Cost &C) -> std::optional<Demand> {
                           if (C.Launch >= Windows.size())
                             return std::nullopt;
                           const auto &Its = Windows[C.Launch];
                           if (!Its || Its->Main != &A)
                             return std::nullopt;
                           return Demand{Its->Loaded, Its->Left, Its->Loaded,
                                         Its->Loaded, false};
                         },
                         {1, 0});
    if (!V)
      continue;
    const unsigned Launch = V->Shown->Launch;
    const LaneWindow &Its = *Windows[Launch];
    Report(Text(Kernel, Its, *V, Device),
           {Launch, Its.Repairs, price::Reshape{.Results = ResultsInARow}});
  }
}

} // namespace

void checkSideBySide(const access::Kernel &Kernel,
                     const profile::Profile &Device, const Sink &Report) {
  checkWindows(Kernel, Device, Report, sharedWindowUnder, describeShared);
  checkWindows(Kernel, Device, Report, windowUnder, describe);
}

} // namespace warpwise::rules
