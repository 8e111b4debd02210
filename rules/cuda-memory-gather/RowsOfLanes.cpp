//===- RowsOfLanes.cpp - A row that data choose for each lane -------------===//
//
// for (K...) Sum += User[Of[I] * Width + K] * Item[To[I] * Width + K];
//
// Wherever the rows lie, a lane that goes along one by itself wants a sector of
// its own for each element. Several lanes that go along it together want the
// elements of one sector, and put together what they have found.
//
//===----------------------------------------------------------------------===//

#include "rules/cuda-memory-gather/RowsOfLanes.h"

#include "profiler/profile/Paths.h"
#include "profiler/profile/RequestLaw.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace warpwise::rules {

using access::Access;
using access::Cost;
using access::Operation;

namespace {

constexpr std::string_view Price = paths::warp_global_cycles_per_sector;

/// Lanes that share a row: with more of them short rows leave some idle, and
/// more steps put together what they have found.
constexpr double LanesOfRow = 8;

/// As many sectors as if lanes shared rows are no walk to speak of.
constexpr double MinWaste = 1.5;

/// Sectors of a request whose lanes share rows, as many elements of each.
double shared(const Access &A, const Cost &C, const profile::RequestLaw &Law) {
  return C.ActiveLanes / LanesOfRow *
         std::max(1.0, LanesOfRow * A.Bytes / Law.SectorBytes);
}

/// Whether each lane goes along consecutive elements, wherever the first one
/// lies: the code says so, or the data that are given.
bool goesAlong(const Access &A, const Cost &C) {
  return A.RoundBytes == int64_t(A.Bytes) ||
         (C.Beside == access::Neighbour::SameLanes && C.Worst &&
          areScattered(*C.Worst));
}

bool isWalk(const Access &A, const Cost &C, const profile::RequestLaw &Law) {
  return A.Memory == access::Space::Global && A.Op == Operation::Load &&
         A.Sort == Access::Kind::Plain && !A.InLibrary && A.RoundsAddUp &&
         C.IsIndexed && goesAlong(A, C) && C.RoundsPerEntry >= LanesOfRow &&
         !C.DataDecides && C.Sectors &&
         *C.Sectors >= MinWaste * shared(A, C, Law);
}

/// All that walk in the loop of \p A share their rows.
Cure cureOfLoop(const access::Kernel &K, const Access &A, unsigned Launch,
                const profile::RequestLaw &Law) {
  Cure Result{Launch, {}, price::Reshape{.Parts = LanesOfRow}};
  for (size_t N = 0; N != K.Accesses.size(); ++N) {
    const Cost *C = costUnder(K.Accesses[N], Launch);
    if (K.Accesses[N].Loop == A.Loop && C && isWalk(K.Accesses[N], *C, Law))
      Result.Repairs.push_back(
          {.Access = N, .Sectors = shared(K.Accesses[N], *C, Law)});
  }
  return Result;
}

} // namespace

std::set<const Access *> checkRowsOfLanes(const access::Kernel &Kernel,
                                          const profile::Profile &Device,
                                          const Sink &Report) {
  std::set<const Access *> Found;
  const profile::RequestLaw Law = profile::requestLaw(Device).Law;
  for (const Access &A : Kernel.Accesses) {
    const auto V = judge(Kernel, A,
                         [&](const Cost &C) -> std::optional<Demand> {
                           if (!isWalk(A, C, Law))
                             return std::nullopt;
                           return Demand{*C.Sectors, shared(A, C, Law),
                                         *C.Sectors, *C.Sectors, true};
                         },
                         {MinWaste, 0});
    if (!V)
      continue;
    auto F = startFinding(Kernel, A, *V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    F.Guidelines = {"G_3"};
    F.Message = fmt::format(
        "data lead each lane to a row of {}, along which it goes by itself: {} "
        "sectors per request ({} where {} lanes share each row)",
        quotedObject(A), estimated(V->Need.Actual), number(V->Need.Ideal),
        number(LanesOfRow));
    addLaunchNote(F, Kernel, *V);
    addEvidenceNote(F, Device, Price);
    setRemedy(F, A,
              fmt::format("let {} lanes go along each row of {} side by side, "
                          "and put together what they have found by "
                          "__shfl_down_sync",
                          number(LanesOfRow), quotedObject(A)));
    // Rows that one loop goes along are shared together.
    F.Cause = fmt::format("rows of loop {}", A.Loop.value_or(0));
    Report(F, cureOfLoop(Kernel, A, V->Shown->Launch, Law));
    Found.insert(&A);
  }
  return Found;
}

} // namespace warpwise::rules
