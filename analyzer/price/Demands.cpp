//===- Demands.cpp - What a launch asks of a GPU --------------------------===//

#include "analyzer/price/Demands.h"

#include "profiler/profile/RequestLaw.h"

#include <algorithm>
#include <cmath>

namespace warpwise::price {

using access::Operation;
using access::Pipe;
using access::Space;
using access::WarpLanes;

/// Whether the lanes want sectors here and there, as far apart as data says,
/// and nobody wants the rest of their lines.
static bool isScattered(const access::Cost &C) {
  if (C.Sectors.value_or(0) <= 1.5 * C.IdealSectors.value_or(0) ||
      (C.Reach && C.Reach->UsedBytes * C.Reach->UsedSectors > 0.5))
    return false;
  return C.State == access::Proof::DataDependent ||
         (C.Worst ? !C.Worst->Stride && C.Lines > 0.9 * C.ActiveLanes
                  : C.IsIndexed);
}

/// Whether all blocks choose from the same by data: a block asks for a small
/// part of it, or its neighbours meet it there as often as chance has it.
static bool isSpread(const access::Work &W, const access::Cost &C) {
  // So rough that it may count sectors as they are on all GPUs so far.
  constexpr double Sparse = 16, SectorBytes = profile::RequestLaw().SectorBytes;
  // Windows that slide along from block to block meet less often. A judgement
  // between the two; no other was tried.
  constexpr double Usual = 0.8;
  if (!C.IsIndexed || !C.Reach->ExtentBytes)
    return false;
  const double Asked = C.Weight / W.Blocks * C.Sectors.value_or(0) *
                       C.Reach->FreshSectors * SectorBytes;
  if (*C.Reach->ExtentBytes > Sparse * Asked)
    return true;
  const double Chance = std::min(1.0, Asked / *C.Reach->ExtentBytes);
  return std::any_of(C.Reach->FreshBeside.begin(), C.Reach->FreshBeside.end(),
                     [&](double Fresh) { return 1 - Fresh > Usual * Chance; });
}

/// Of the sectors of a store, what is left to write where L1 merges what the
/// siblings store. What is stored twice is not merged.
static double togetherSectors(const access::Cost &C, double All) {
  return std::min(
      All, std::max(C.SharedSectors.value_or(All), C.IdealSectors.value_or(0)));
}

/// How often the slowest warp waits for a request of \p A, for each request
/// that a warp makes. nvcc writes a loop out that it does not know the rounds
/// of, and has what is left over run one by one: fewer rounds than it wrote out
/// each wait for their own loads. Where ptxas has written that out again, what
/// is left over of many rounds runs four at a time first.
static double waitsOf(const access::Access &A, const access::Cost &C) {
  constexpr double Usual = 4; // rounds that are written out, before ptxas
  const double Rounds = A.LoopDepth == 1 ? C.PerWarp : C.RoundsPerEntry;
  if (Rounds <= 0 || A.IsWrittenOut || A.Waits <= 0)
    return A.Waits;
  const double Together = std::floor(Rounds * A.Waits) / A.Waits;
  const double Left = std::max(0.0, Rounds - Together);
  if (A.Waits * Usual >= 1)
    return Together > 0 ? A.Waits : std::ceil(Rounds) / Rounds;
  const double Alone = std::ceil(Left - Usual * std::floor(Left / Usual));
  return (Together * A.Waits + std::floor(Left / Usual) + Alone) / Rounds;
}

/// \p Bytes of each thread, once in every run of half of the kernel's hottest
/// part, word by word.
static SiteTraffic spilled(const access::Work &W, Operation Op,
                           uint64_t Bytes) {
  SiteTraffic T;
  T.Memory = Space::Local;
  T.Op = Op;
  T.Bytes = 4;
  T.Lanes = WarpLanes;
  T.Sectors = T.Together = 4;
  T.Lines = T.LinePasses = 1;
  T.PerWarp = double(Bytes) / T.Bytes * (1 + W.MostRuns) / 2;
  T.Requests =
      T.PerWarp * W.Blocks * std::ceil(W.BlockThreads / double(WarpLanes));
  return T;
}

/// What bulk copies of \p W bring, as whole warps that load 16 bytes a lane and
/// wait for nothing would.
static SiteTraffic broughtInBulk(const access::Work &W) {
  SiteTraffic T;
  T.Bytes = 16;
  T.Lanes = WarpLanes;
  T.Sectors = T.Together = 16;
  T.Lines = T.LinePasses = 4;
  T.Requests = W.BulkBytes / (T.Bytes * T.Lanes);
  return T;
}

void keepRequests(SiteTraffic &T, double Share) {
  if (Share <= 0) {
    T.Requests = T.PerWarp = 0;
    return;
  }
  T.Requests *= Share;
  T.PerWarp *= Share;
  // What is left is what went to L2 before.
  T.Missing = std::min(1.0, T.Missing / Share);
  T.MissingRequests = std::min(1.0, T.MissingRequests / Share);
}

/// What \p C says of a request of \p A, in the units of the price.
static void addCost(SiteTraffic &T, const access::Access &A,
                    const access::Cost &C) {
  T.Requests = C.Weight;
  T.PerWarp = C.PerWarp;
  T.Waits = waitsOf(A, C);
  T.Lanes = C.ActiveLanes;
  // Where no number is likely, at least what is needed is moved.
  T.Sectors = C.Sectors.value_or(C.IdealSectors.value_or(0));
  T.Together = togetherSectors(C, T.Sectors);
  T.Distinct = std::min(T.Sectors, C.SharedSectors.value_or(T.Sectors));
  T.Lines = C.Lines;
  T.LinePasses = C.LinePasses;
  T.Wavefronts = C.Wavefronts.value_or(C.IdealWavefronts.value_or(0));
  T.Words = C.Words.value_or(0);
  T.IsRandom = isScattered(C);
  T.SideBySide =
      std::max(C.Lines > 0 ? T.Sectors / C.Lines : 1, C.RecordSectors);
  T.IsIndexed = C.IsIndexed;
  T.IsChosen = C.IsIndexed || C.State == access::Proof::DataDependent;
  if (C.ObjectBytes)
    T.ObjectBytes = double(*C.ObjectBytes);
  if (C.ObjectBytes && (T.IsRandom || T.IsIndexed))
    T.ExtentBytes = T.ObjectBytes;
  if (A.Memory == Space::Shared) {
    T.Requests /= A.RoundsAtOnce;
    // Where data decide, the lanes want as many words as before, and no fewer.
    if (A.RoundsAtOnce > 1)
      T.Wavefronts = C.JoinedWavefronts.value_or(
          std::max(T.Wavefronts, A.RoundsAtOnce * A.Bytes / 4.0));
  }
}

/// The loop that an atomic on shared memory is, if it is one. Where data
/// decide, any word is as likely as any other.
static void addSwaps(SiteTraffic &T, const access::Access &A,
                     const access::Cost &C, const access::Work &W) {
  if (!C.SwapRounds)
    return;
  T.SwapRounds = std::max(1.0, *C.SwapRounds);
  const double Others =
      1 - 1 / std::ceil(W.BlockThreads / double(access::WarpLanes));
  if (C.Reach)
    T.ForeignTurns = C.Reach->ForeignTurns;
  else if (A.RepeatsPerLane)
    T.ForeignTurns = Others;
  else if (C.ObjectBytes)
    T.ForeignTurns = Others * A.Bytes / std::max(T.ObjectBytes, 1.0 * A.Bytes);
}

/// How often a loop that swaps begins anew is in the price of an atomic, which
/// knows how many lanes are under way.
static void countOnce(SiteTraffic &T, const access::Cost &C) {
  keepRequests(T, 1 / std::max(1.0, C.RoundsPerEntry));
  T.UnknownLoops -= std::min(T.UnknownLoops, 1u);
}

/// Lanes of \p T want sectors of a table of \p Bytes as data say, any as often
/// as any other: a block has soon seen most of a small one.
static void chooseFrom(SiteTraffic &T, double Bytes, const access::Work &W) {
  constexpr double SectorBytes = profile::RequestLaw().SectorBytes;
  const double All = std::max(1.0, Bytes / SectorBytes);
  const double Asked = T.Requests / W.Blocks * T.Sectors * T.Missing;
  if (Asked <= 0)
    return;
  const double First = T.Missing * All * (1 - std::exp(-Asked / All)) / Asked;
  T.ChosenAgain = T.Missing - First;
  T.Missing = First;
  T.MissingRequests = std::min(1.0, T.Sectors * First);
}

/// Which of the sectors are asked for again, and by whom.
static void addReach(SiteTraffic &T, const access::Cost &C,
                     const access::Work &W,
                     const std::optional<launch::Dim3> &Grid) {
  if (!C.Reach) {
    // Of what siblings share one of them has to ask at least.
    if (T.Sectors > 0 && C.SharedSectors)
      T.Missing = std::min(1.0, *C.SharedSectors / T.Sectors);
    if (T.IsIndexed && C.ObjectBytes && T.Sectors > 0)
      chooseFrom(T, double(*C.ObjectBytes), W);
    return;
  }
  T.LostLines = C.Reach->LostLines;
  T.Missing = C.Reach->FreshSectors;
  T.MissingRequests = C.Reach->FreshRequests;
  T.Again = C.Reach->Again;
  T.OwnSectors = C.Reach->OwnSectors;
  T.OwnBytes = C.Reach->OwnBytes;
  T.Turns = C.Reach->Turns;
  T.AlsoRead = C.Reach->AlsoRead;
  T.Used = C.Reach->UsedBytes;
  if (T.IsRandom)
    T.UsedSectors = C.Reach->UsedSectors;
  if (const auto Seen = C.Reach->ExtentBytes;
      Seen && (T.IsRandom || isSpread(W, C)))
    T.ExtentBytes = std::min(*Seen, T.ExtentBytes.value_or(*Seen));
  T.SameBeside = C.Reach->SameBeside;
  T.FreshBeside = C.Reach->FreshBeside;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    if (const double Blocks = Grid ? (*Grid)[Axis] : 1; Blocks > 1)
      T.Unique *= uniqueOf(Blocks, T.FreshBeside[Axis]);
}

/// Whether the warp waits for a load before \p A and after every other store of
/// its group, so that L1 has sent those on.
static bool isStoredApart(const access::Kernel &K, const access::Access &A) {
  const auto isSibling = [&](const access::Access &B) {
    return &A != &B && B.Op == Operation::Store && B.Group == A.Group;
  };
  return A.Op == Operation::Store && A.Group && A.WaitGroup &&
         std::any_of(K.Accesses.begin(), K.Accesses.end(), isSibling) &&
         std::none_of(K.Accesses.begin(), K.Accesses.end(),
                      [&](const access::Access &B) {
                        return isSibling(B) && B.WaitGroup == A.WaitGroup;
                      });
}

/// Whether each round of the loop around \p A waits for a load, so that L1 has
/// sent on what was stored in the round before: runs-of-four-loaded-at-once of
/// test/gpu/pairs, where a store may hit what is loaded next.
static bool isStoredByRounds(const access::Kernel &K, const access::Access &A,
                             unsigned Launch) {
  return A.Op == Operation::Store && A.LoopDepth > 0 &&
         std::any_of(K.Accesses.begin(), K.Accesses.end(),
                     [&](const access::Access &B) {
                       return B.Op == Operation::Load && B.Loop == A.Loop &&
                              B.Memory == Space::Global && B.Waits >= 1 &&
                              makesRequests(B, Launch);
                     });
}

Demands demandsOf(const access::Kernel &K, unsigned Launch) {
  Demands D;
  D.Besides = K.Works.at(Launch);
  D.Registers = K.Registers.value_or(0);
  D.Spills = {spilled(D.Besides, Operation::Store, K.SpillStores),
              spilled(D.Besides, Operation::Load, K.SpillLoads)};
  D.PrivateBytes = double(K.SpillBytes);
  for (const access::PrivateArray &Array : K.PrivateArrays)
    D.PrivateBytes += double(Array.Bytes);
  const auto &Grid = D.Grid = K.Launches.at(Launch).Grid;
  for (const access::Access &A : K.Accesses) {
    SiteTraffic T;
    T.Memory = A.Memory;
    T.Op = A.Op;
    T.Bytes = A.Bytes;
    T.Waits = A.Waits;
    T.WaitGroup = A.WaitGroup;
    T.Root = A.Root;
    T.IsFloat = A.Of.Holds == access::Element::Kind::Float;
    T.HasOpenGridLoop = !A.Trips && A.IsOverGrid;
    T.UnknownLoops = A.Trips ? 0 : A.LoopDepth - A.IsOverGrid;
    if (A.Memory == Space::Global)
      T.Swaps = A.Swaps;
    T.IsJoined = A.IsJoined;
    T.IsVolatile = A.Sort == access::Access::Kind::Volatile;
    T.IsCounted = A.IsCounted;
    T.RoundsAddUp = A.RoundsAddUp;
    T.Gathers = A.Gathers;
    T.IsAsyncCopy = A.Sort == access::Access::Kind::AsyncCopy;
    if (const access::Cost *C = costUnder(A, Launch)) {
      addCost(T, A, *C);
      addSwaps(T, A, *C, D.Besides);
      if (T.Swaps != access::SwapLoop::None)
        countOnce(T, *C);
      if (isStoredApart(K, A) || isStoredByRounds(K, A, Launch))
        T.Together = T.Sectors;
      addReach(T, *C, D.Besides, Grid);
    }
    D.Besides.Issued[unsigned(Pipe::Memory)] -= T.Requests * (1 - A.Kept);
    keepRequests(T, A.Kept);
    D.Sites.push_back(T);
  }
  if (D.Besides.BulkBytes > 0)
    D.Sites.push_back(broughtInBulk(D.Besides));
  return D;
}

} // namespace warpwise::price
