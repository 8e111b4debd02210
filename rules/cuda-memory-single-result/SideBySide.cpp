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

constexpr std::string_view Price = paths::warp_global_b4_throughput_per_tag;

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
  if (Launch >= K.Works.size() || !haveOneResult(K, Launch) ||
      K.Works[Launch].Barriers > 0)
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
  if (!Its.Main || Its.Loaded < FewestLoads || Again < LeastAgain * Its.Loaded)
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

} // namespace

void checkSideBySide(const access::Kernel &Kernel,
                     const profile::Profile &Device, const Sink &Report) {
  for (const Access &A : Kernel.Accesses) {
    const auto V = judge(Kernel, A,
                         [&](const Cost &C) -> std::optional<Demand> {
                           const auto Its = windowUnder(Kernel, C.Launch);
                           if (!Its || Its->Main != &A)
                             return std::nullopt;
                           return Demand{Its->Loaded, Its->Left, Its->Loaded,
                                         Its->Loaded, false};
                         },
                         {1, 0});
    if (!V)
      continue;
    const unsigned Launch = V->Shown->Launch;
    const LaneWindow Its = *windowUnder(Kernel, Launch);
    Report(describe(Kernel, Its, *V, Device),
           {Launch, Its.Repairs, price::Reshape{.Results = ResultsInARow}});
  }
}

} // namespace warpwise::rules
