//===- Repair.cpp - What an advice leaves of a launch's demands -----------===//

#include "analyzer/price/Repair.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace warpwise::price {

using access::Cost;
using access::Pipe;
using access::Space;

namespace {

/// Sectors of a request that L1 does not have, by sibling group: which of the
/// siblings happens to be the first one says nothing about the others' layout.
std::map<unsigned, double> missedByGroup(const access::Kernel &K,
                                         const Demands &D,
                                         std::span<const Repair> Repairs) {
  std::map<unsigned, double> Missed, Requests;
  for (const Repair &R : Repairs)
    if (const auto Group = K.Accesses.at(R.Access).Group; R.Sectors && Group) {
      const SiteTraffic &T = D.Sites.at(R.Access);
      Missed[*Group] += T.Requests * T.Sectors * T.Missing;
      Requests[*Group] += T.Requests;
    }
  for (auto &[Group, Sectors] : Missed)
    Sectors /= std::max(1.0, Requests[Group]);
  return Missed;
}

/// \p T with \p Sectors in a request, where L1 did not have \p Missed, of whose
/// bytes the share \p Used is all that is left to move.
void coalesce(SiteTraffic &T, double Sectors, double Missed, double Used,
              access::Neighbour Beside, const DeviceRates &Device) {
  if (T.Sectors <= 0 || Sectors >= T.Sectors)
    return;
  const double Share = Sectors / T.Sectors;
  // What is moved is what is used of it, packed densely.
  const double Needed = std::min(Sectors, Missed * Used);
  // Other blocks use the rest: of all bytes as many are unique as before.
  if (Beside == access::Neighbour::OtherBlocks && Needed > 0)
    T.Unique = std::min(1.0, T.Unique * Missed / Needed);
  T.Missing = std::min(1.0, Needed / Sectors);
  T.MissingRequests = std::min(1.0, std::max(T.MissingRequests, Needed));
  T.Sectors = Sectors;
  T.Together = std::min(T.Together, Sectors);
  // And come in a row.
  T.IsRandom = T.IsIndexed = false;
  T.UsedSectors = T.OwnSectors = 1;
  T.OwnBytes = T.Used;
  T.Again = {};
  T.Turns = 0;
  // Side by side, sectors fill lines.
  T.Lines = std::max(1.0, Sectors * Device.SectorBytes / Device.LineBytes);
  T.LinePasses = std::max(1.0, T.LinePasses * Share);
}

/// Instructions that number what a thread handles, and lead to where it lies by
/// an access.
constexpr double PerElement = 4, PerAccess = 2;
/// And those that take a byte or a half out of a word of shared memory. Loads
/// of a byte each leave it in a register of its own.
constexpr double PerPartOfWord = 1;

constexpr unsigned WordBytes = 4;

/// One request of lanes that are \p Factor times as wide, for as many.
void widenLanes(SiteTraffic &T, double Factor, const DeviceRates &Device) {
  // What fills a part of a line has room in it for more.
  const auto linesFilled = [&](double Sectors) {
    return std::max(1.0, Sectors * Device.SectorBytes / Device.LineBytes);
  };
  const double Lines = linesFilled(T.Sectors * Factor) / linesFilled(T.Sectors);
  T.Requests /= Factor;
  T.Bytes = unsigned(T.Bytes * Factor);
  T.Sectors *= Factor;
  T.Together *= Factor;
  T.Lines = std::max(1.0, T.Lines * Lines);
  T.LinePasses = std::max(1.0, T.LinePasses * Lines);
}

/// Whether a thread that handles several neighbouring elements makes one
/// request of those that \p T is for each: not where data lead each elsewhere,
/// nor in a loop of its own that runs for each until data end it.
bool canBeWidened(const SiteTraffic &T, bool InLoop) {
  return !T.IsChosen && T.Op != access::Operation::Atomic &&
         (InLoop || T.UnknownLoops == 0);
}

/// Whether neighbouring elements of whole words do not lie side by side: each
/// is asked for by itself as before. Of bytes all that a thread has of its
/// elements may be words together.
bool liesApart(const SiteTraffic &T, const DeviceRates &Device) {
  constexpr double NearlyFull = 1.5; // one sector more where rows start
  const double Filled =
      std::ceil(T.Lanes * double(T.Bytes) / Device.SectorBytes);
  return T.Bytes >= WordBytes && T.Op != access::Operation::Atomic &&
         !T.IsChosen && !T.IsIndexed && T.Memory == access::Space::Global &&
         T.Sectors > NearlyFull * Filled + 1;
}

/// Lanes that lie \p Factor times as far apart: their requests touch more lines
/// each, and all together the same sectors.
void moveApart(SiteTraffic &T, double Factor, const DeviceRates &Device) {
  const double Most =
      T.Lanes * std::max(1.0, std::ceil(double(T.Bytes) / Device.SectorBytes));
  const double More = std::clamp(Most / T.Sectors, 1.0, Factor);
  T.Sectors *= More;
  T.Missing /= More;
  T.Lines = std::min(Most, T.Lines * Factor);
  T.LinePasses = std::min(Most, T.LinePasses * Factor);
}

/// Where the elements are that a thread handles.
enum class Elements {
  AtOnce,   ///< not in a loop
  InRounds, ///< of a loop in which threads walk along them
  InRows    ///< in each row that a loop comes to
};

/// Every thread does the work of \p Factor: there are as many times fewer
/// blocks, or, where threads walk along in a loop, rounds. \p Handled: times
/// that a warp has elements.
void widen(Demands &D, double Factor, double Handled, Elements Where,
           const DeviceRates &Device) {
  const bool InLoop = Where == Elements::InRounds;
  const auto isWidened = [&](const SiteTraffic &T) {
    return canBeWidened(T, Where != Elements::AtOnce);
  };
  if (!InLoop) {
    D.Besides.Blocks = std::max(1.0, D.Besides.Blocks / Factor);
    if (!D.Besides.TripsKnown && Where == Elements::AtOnce)
      D.Besides.ChainSteps *= Factor; // one loop after the other
  } else if (std::ranges::all_of(D.Sites, isWidened)) {
    D.Besides.ChainSteps /= Factor;
  }
  // What numbers the element and leads to it is shared, what is computed of it
  // is not.
  const double Numbering = Handled * PerElement;
  double Leading = 0, Saved = 0, Taken = 0;
  bool LeadsAll = Where == Elements::AtOnce;
  for (SiteTraffic &T : D.Sites) {
    const bool IsApart = liesApart(T, Device);
    if (IsApart)
      moveApart(T, Factor, Device);
    if (IsApart || !isWidened(T)) {
      LeadsAll &= T.Requests <= 0;
      if (!InLoop)
        T.PerWarp *= Factor;
      continue;
    }
    // A tile is led to once for many accesses, which say how far they are off.
    if (T.Memory != access::Space::Shared)
      Leading += T.Requests * PerAccess;
    Saved += T.Requests * (1 - 1 / Factor);
    if (T.Memory == access::Space::Shared && T.Op == access::Operation::Load &&
        T.Bytes < WordBytes)
      Taken += T.Requests * PerPartOfWord;
    widenLanes(T, Factor, Device);
    if (InLoop)
      T.PerWarp /= Factor;
  }
  auto &Issued = D.Besides.Issued;
  double &Requests = Issued[unsigned(Pipe::Memory)];
  Requests -= std::min(Requests, Saved);
  // Where every access becomes a wider one, it is led to once for all, by
  // however much that takes.
  std::array<double, access::PipeCount> Once{};
  if (LeadsAll)
    Once = D.Besides.Leading;
  double &OnceSums = Once[unsigned(Pipe::Sum)];
  OnceSums = Numbering + std::max(Leading, OnceSums);
  for (unsigned P = 0; P != access::PipeCount; ++P)
    Issued[P] -= std::min(Issued[P], Once[P]) * (1 - 1 / Factor);
  Issued[unsigned(Pipe::Sum)] += Taken;
}

/// A block takes \p Bytes of shared memory more. False where that does not fit.
bool takeShared(Demands &D, double Bytes, const DeviceRates &Device) {
  D.Besides.SharedBytes += uint64_t(Bytes);
  return double(D.Besides.SharedBytes) <= Device.SmSharedBytes;
}

/// \p T is a column of shared memory for each thread instead. False where that
/// does not fit.
bool moveIntoShared(Demands &D, SiteTraffic &T, double ThreadBytes,
                    const DeviceRates &Device) {
  T.Memory = Space::Shared;
  T.Wavefronts = std::max(1.0, T.Bytes / 4.0);
  D.PrivateBytes = std::max(0.0, D.PrivateBytes - ThreadBytes);
  return takeShared(D, ThreadBytes * D.Besides.BlockThreads, Device);
}

/// Of private memory, \p Requests that go to shared memory now: they are issued
/// as before, where the price counts them among the others, and so is what
/// computes where in its column a thread finds an element.
void issueShared(Demands &D, double Requests) {
  D.Besides.Issued[unsigned(Pipe::Memory)] += Requests;
  D.Besides.Issued[unsigned(Pipe::Sum)] += Requests;
}

/// Registers hold \p T: nobody asks for it, and neither memory has room for it.
void holdInRegisters(Demands &D, SiteTraffic &T, double ThreadBytes) {
  T.Requests = 0;
  D.PrivateBytes = std::max(0.0, D.PrivateBytes - ThreadBytes);
}

/// A thread needs registers for \p Bytes more, of the 255 that it can have.
void takeRegisters(Demands &D, double Bytes) {
  constexpr unsigned Most = 255;
  if (D.Registers > 0) // else nobody knows how many there are
    D.Registers = std::min(Most, D.Registers + unsigned(Bytes / 4));
}

/// The threads of a block wait for each other, and one warp adds up what each
/// warp has found. Some instructions each; not measured one by one.
constexpr double BlockSumSteps = 40;

/// The lanes of \p Warps warps add up by shuffles, a block's one warp after the
/// other \p PerWarp times. A shuffle goes the way of shared memory.
void addShuffles(Demands &D, double Warps, double PerWarp,
                 const DeviceRates &Device) {
  const double Steps = std::log2(access::WarpLanes);
  D.Besides.Issued[unsigned(Pipe::Memory)] += Steps * Warps;
  D.Besides.Issued[unsigned(Pipe::Sum)] += Steps * Warps;
  D.Besides.ChainSteps +=
      PerWarp * Steps * (Device.SharedLatency / Device.ArithmeticLatency + 1);
}

/// \p T, in shared memory, gets one lane of each warp.
void addUpInWarp(Demands &D, SiteTraffic &T, const DeviceRates &Device) {
  addShuffles(D, T.Requests, T.PerWarp, Device);
  T.Lanes = 1;
  T.Wavefronts = std::min(T.Wavefronts, 1 + double(T.SwapRounds > 0));
  T.SwapRounds = std::min(T.SwapRounds, 1.0);
}

/// Each block hits each word of \p T once. False where the words of a block do
/// not fit its shared memory.
bool addUpInBlock(Demands &D, SiteTraffic &T, const Accumulation &Its,
                  const DeviceRates &Device) {
  const double Blocks = D.Besides.Blocks;
  D.Besides.ChainSteps += BlockSumSteps;
  if (Its.Words <= 1) {
    D.Besides.Issued[unsigned(Pipe::Sum)] += T.Requests;
    addShuffles(D, T.Requests / T.PerWarp, 1, Device);
  } else {
    SiteTraffic Inside;
    Inside.Memory = Space::Shared;
    Inside.Op = access::Operation::Atomic;
    Inside.Requests = T.Requests;
    Inside.PerWarp = T.PerWarp;
    Inside.Lanes = T.Lanes;
    Inside.Wavefronts = Its.Wavefronts;
    if (T.IsFloat) {
      // A load, and as many swaps as one that memory does in so many passes.
      D.Sites.push_back(Inside);
      Inside.SwapRounds = Its.Wavefronts;
      Inside.Wavefronts = T.Bytes > 4 ? 4 : 2;
      Inside.ForeignTurns = 1 / Its.Words;
    }
    D.Sites.push_back(Inside);
    if (!takeShared(D, Its.Words * T.Bytes, Device))
      return false;
  }
  // What is left: the words of a block, warp by warp.
  const double Requests = std::ceil(Its.Words / access::WarpLanes);
  const double Sectors =
      std::max(1.0, Its.Words * T.Bytes / Device.SectorBytes /
                        (T.Used > 0 ? T.Used : 1));
  T.Requests = Blocks * Requests;
  T.PerWarp = 1;
  T.Lanes = Its.Words / Requests;
  T.Sectors = std::min(T.Lanes, Sectors / Requests);
  T.Missing = T.OwnSectors = 1;
  T.OwnBytes = T.Used;
  T.Turns = 0;
  T.IsIndexed = T.IsJoined = false;
  return true;
}

/// The waits of all loads that bring tiles: they are under way together. Those
/// of loads that ask whether an atomic is needed.
constexpr unsigned StagingGroup = 1 << 20, AskingGroup = StagingGroup + 1;

/// A load asks first whether the atomic \p T would change anything, which it
/// would for \p Changes of its lanes. Those that are under way at the same time
/// do not see what the others put there, and for about as long again L1 hands
/// out what was there before (fits test/gpu/settled-atomics).
void askFirst(Demands &D, SiteTraffic &T, double Changes,
              const DeviceRates &Device) {
  SiteTraffic Ask = T;
  Ask.Op = access::Operation::Load;
  Ask.Waits = 1;
  Ask.WaitGroup = AskingGroup;
  Ask.IsJoined = false;
  D.Sites.push_back(Ask);
  D.Besides.Issued[unsigned(Pipe::Memory)] += T.Requests;
  const double Waves = timeOf(D, Device, Caches::Warm).Waves;
  const double Left = std::min(1.0, Changes + 2 / (Waves * T.PerWarp));
  T.Lanes *= Left;
  T.Sectors *= Left;
  T.Turns *= Left;
}

/// \p T reads tiles of shared memory, which the block fills beforehand. False
/// where they do not fit.
bool stage(Demands &D, SiteTraffic &T, const Staging &Its,
           const DeviceRates &Device) {
  const double Blocks = D.Besides.Blocks;
  const double Warps =
      std::max(1.0, D.Besides.BlockThreads / double(access::WarpLanes));
  SiteTraffic Bring = T, Put = T;
  Bring.Lanes = Put.Lanes = access::WarpLanes;
  Bring.Sectors =
      std::max(1.0, access::WarpLanes * T.Bytes / Device.SectorBytes);
  Bring.Lines = Bring.LinePasses =
      std::max(1.0, Bring.Sectors * Device.SectorBytes / Device.LineBytes);
  Bring.Requests = Put.Requests = Blocks * Its.Sectors / Bring.Sectors;
  Bring.PerWarp = Put.PerWarp = Its.Sectors / Bring.Sectors / Warps;
  Bring.Missing = Bring.MissingRequests = 1;
  Bring.Again = {};
  Bring.Waits = 1;
  Bring.WaitGroup = StagingGroup;
  Put.Memory = Space::Shared;
  Put.Op = access::Operation::Store;
  Put.Wavefronts = std::max(1.0, T.Bytes / 4.0);
  Put.WaitGroup.reset();
  D.Sites.push_back(Bring);
  D.Sites.push_back(Put);
  D.Besides.Issued[unsigned(Pipe::Memory)] += 2 * Bring.Requests;
  // Everybody waits for everybody before and after each tile.
  D.Besides.ChainSteps += Bring.PerWarp * BlockSumSteps;
  T.Memory = Space::Shared;
  T.Wavefronts = Its.Wavefronts;
  T.Requests /= Its.RoundsAtOnce;
  return takeShared(D, double(T.Bytes) * D.Besides.BlockThreads, Device);
}

/// What is done for an access alone goes with it, or \p Share of it.
void leaveOut(access::Work &From, const Cost &C, double Share = 1) {
  for (unsigned P = 0; P != access::PipeCount; ++P)
    From.Issued[P] = std::max(0.0, From.Issued[P] - Share * C.IssuedAlone[P]);
  From.ChainSteps = std::max(0.0, From.ChainSteps - Share * C.StepsAlone);
}

/// \p T, the load \p A of shared memory, goes to global memory instead, where
/// \p From has loaded what lies there.
void unstage(SiteTraffic &T, const access::Access &A,
             const access::Unstaged &Its, const SiteTraffic &From) {
  T.Memory = Space::Global;
  T.Requests *= A.RoundsAtOnce;
  // What registers keep of a tile they do not keep of global memory: stores may
  // change it, and what a halo was filled with takes a test each time
  // (column-filter-without-tile, column-filter-pointers-apart).
  if (A.Kept > 0)
    T.Requests /= A.Kept;
  T.Sectors = Its.Sectors;
  T.Lines = Its.Lines;
  T.LinePasses = Its.LinePasses;
  T.Missing = Its.FreshSectors;
  T.MissingRequests = Its.FreshRequests;
  T.Unique = From.Unique;
  T.Used = From.Used;
}

/// What the lanes of \p T want lies beside what those of \p Taker want.
void join(SiteTraffic &Taker, const SiteTraffic &T) {
  const auto missed = [](const SiteTraffic &Its) {
    return Its.Requests * Its.Sectors * Its.Missing;
  };
  // Of one element, any part may have been the first to be wanted. Elements of
  // several arrays are missed by all of them alike.
  const bool IsSame = Taker.Root == T.Root;
  const double Missed =
      IsSame ? missed(Taker) + missed(T) : std::max(missed(Taker), missed(T));
  const double All = Taker.Requests * Taker.Sectors;
  Taker.Missing = All > 0 ? std::min(1.0, Missed / All) : 1;
  Taker.MissingRequests = std::max(Taker.MissingRequests, T.MissingRequests);
  Taker.Used = std::min(1.0, Taker.Used + T.Used);
  if (!IsSame)
    Taker.ObjectBytes += T.ObjectBytes;
}

/// The load of \p K that brings what \p A finds in shared memory, the one with
/// the most requests; null where there is none.
const SiteTraffic *stageOf(const access::Kernel &K, const Demands &D,
                           const access::Access &A) {
  const SiteTraffic *Found = nullptr;
  for (size_t N = 0; N != K.Accesses.size(); ++N)
    if (K.Accesses[N].StagedIn == A.Object &&
        (!Found || D.Sites[N].Requests > Found->Requests))
      Found = &D.Sites[N];
  return Found;
}

/// False where shared memory has no room for it.
bool moveSpillsIntoShared(Demands &D, double ThreadBytes,
                          const DeviceRates &Device) {
  for (SiteTraffic &T : D.Spills) {
    T.Memory = Space::Shared;
    T.Wavefronts = 1;
    issueShared(D, T.Requests);
  }
  D.PrivateBytes = std::max(0.0, D.PrivateBytes - ThreadBytes);
  return takeShared(D, ThreadBytes * D.Besides.BlockThreads, Device);
}

/// Each thread has \p Results, one after the other. It numbers the first, the
/// others lie beside it.
void giveResults(Demands &D, double Results) {
  access::Work &W = D.Besides;
  const double Warps = std::ceil(W.BlockThreads / double(access::WarpLanes));
  double &Sums = W.Issued[unsigned(Pipe::Sum)];
  Sums -= std::min(Sums, W.Blocks * Warps * PerElement) * (1 - 1 / Results);
  W.Blocks = std::max(1.0, W.Blocks / Results);
  W.SharedBytes = uint64_t(double(W.SharedBytes) * Results);
  W.ChainSteps *= Results;
  for (SiteTraffic &T : D.Sites)
    T.PerWarp *= Results;
  for (SiteTraffic &T : D.Spills)
    T.PerWarp *= Results;
}

/// As many threads share out the rounds of loops that add up. What is done
/// outside of these each of them does.
void splitLoops(Demands &D, double Parts) {
  D.Besides.Blocks *= Parts;
  // The steps of the loops: what comes before and after them is taken for as
  // little as it takes a block to add up.
  D.Besides.ChainSteps = D.Besides.ChainSteps / Parts + BlockSumSteps;
  for (SiteTraffic &T : D.Sites)
    if (T.RoundsAddUp)
      T.PerWarp /= Parts;
    else
      T.Requests *= Parts;
}

/// Each thread finds as many times \p Brought before its block puts together
/// what its threads have. A loop over these is written out by four, as far as
/// registers hold what it loads.
void bringMore(Demands &D, double Brought) {
  constexpr double MostAtOnce = 4, WordsUnderWay = 16, WordBytes = 4;
  access::Work &W = D.Besides;
  const double Warps =
      W.Blocks * std::ceil(W.BlockThreads / double(access::WarpLanes));
  double Words = 0; // that a thread loads
  for (const SiteTraffic &T : D.Sites)
    if (!T.Gathers && T.Memory == Space::Global &&
        T.Op == access::Operation::Load)
      Words += T.Requests / Warps * std::ceil(T.Bytes / WordBytes);
  const double AtOnce = std::clamp(WordsUnderWay / std::max(Words, 1.0), 1.0,
                                   std::min(MostAtOnce, Brought));
  W.ChainSteps =
      (W.ChainSteps - W.GatheredSteps) * Brought / AtOnce + W.GatheredSteps;
  for (unsigned P = 0; P != access::PipeCount; ++P)
    W.Issued[P] -= W.Gathered[P] * (1 - 1 / Brought);
  W.Blocks = std::max(1.0, W.Blocks / Brought);
  for (SiteTraffic &T : D.Sites)
    if (T.Gathers) {
      T.Requests /= Brought;
    } else {
      T.PerWarp *= Brought;
      T.Waits /= AtOnce;
    }
}

void reshape(Demands &D, const Reshape &Shape) {
  if (Shape.Brought > 1)
    bringMore(D, Shape.Brought);
  if (Shape.Parts > 1)
    splitLoops(D, Shape.Parts);
  if (Shape.Results > 1)
    giveResults(D, Shape.Results);
  if (Shape.Registers) {
    D.Registers = *Shape.Registers;
    D.Spills.clear();
  }
  if (Shape.IdleBlocks < 1) {
    double &Idle = D.Besides.IdleBlocks;
    if (const double Left = 1 - Idle * (1 - Shape.IdleBlocks); Left > 0) {
      D.Besides.Blocks *= Left;
      Idle = Idle * Shape.IdleBlocks / Left;
    }
  }
  D.Besides.Blocks = std::max(1.0, D.Besides.Blocks * Shape.Blocks);
  D.Besides.BlockThreads =
      unsigned(D.Besides.BlockThreads * Shape.BlockThreads);
  D.Besides.SharedBytes =
      uint64_t(double(D.Besides.SharedBytes) * Shape.SharedBytes);
  for (double &Issued : D.Besides.Issued)
    Issued /= Shape.Lanes;
  for (SiteTraffic &T : D.Sites) {
    // Requests of all lanes stay as many, of fewer warps.
    const double Lanes =
        std::min(Shape.Lanes, std::max(1.0, access::WarpLanes / T.Lanes));
    T.PerWarp *= Shape.Lanes / Lanes;
    T.Requests /= Lanes;
    T.Lanes *= Lanes;
    T.Sectors *= Lanes;
    T.Together *= Lanes;
    T.Wavefronts = std::max(1.0, T.Wavefronts * Lanes);
    T.Lines = std::max(1.0, T.Lines * Lanes);
    T.LinePasses = std::max(1.0, T.LinePasses * Lanes);
  }
}

/// What stores that are left out were the first to write, others that write to
/// the same memory later are the first to write now.
void writeAnyway(const Demands &Before, Demands &After) {
  const auto written = [](const SiteTraffic &T) {
    return T.Requests * T.Sectors;
  };
  const auto isStore = [](const SiteTraffic &T) {
    return T.Op == access::Operation::Store && T.Memory == Space::Global &&
           T.Root;
  };
  for (size_t N = 0; N != Before.Sites.size(); ++N) {
    const SiteTraffic &Gone = Before.Sites[N];
    if (!isStore(Gone) || After.Sites[N].Requests > 0)
      continue;
    double Left = written(Gone) * Gone.Missing;
    for (SiteTraffic &T : After.Sites)
      if (isStore(T) && T.Root == Gone.Root && written(T) > 0) {
        const double Taken = std::min(Left, written(T) * (1 - T.Missing));
        T.Missing += Taken / written(T);
        Left -= Taken;
      }
  }
}
} // namespace

bool dependsOn(const Repair &R, Success How) {
  return How == Success::Least
             ? R.SectorsAtWorst.has_value() || R.IntoRegisters.has_value()
             : R.MayVanish;
}

std::optional<Demands>
repaired(const access::Kernel &K, unsigned Launch, const Demands &Before,
         std::span<const Repair> Repairs, const DeviceRates &Device,
         const std::optional<Reshape> &Shape, Success How) {
  Demands After = Before;
  const auto Missed = missedByGroup(K, Before, Repairs);
  double Wider = 1, Handled = 0;
  Elements Where = Elements::AtOnce;
  bool IsAny = Repairs.empty();
  for (const Repair &R : Repairs) {
    const Cost *C = costUnder(K.Accesses.at(R.Access), Launch);
    SiteTraffic T = After.Sites.at(R.Access); // a copy: repairs may add sites
    if (!C)
      return std::nullopt;
    IsAny |= Before.Sites.at(R.Access).Requests > 0;
    if (T.Requests <= 0)
      continue; // another advice leaves nothing of it, or the compiler
    if (How == Success::Most && dependsOn(R, How)) {
      holdInRegisters(After, After.Sites[R.Access], R.IntoShared.value_or(0));
      continue;
    }
    if (R.IntoRegisters) {
      holdInRegisters(After, After.Sites[R.Access], *R.IntoRegisters);
      takeRegisters(After, *R.IntoRegisters);
      if (How != Success::Least)
        leaveOut(After.Besides, *C);
      continue;
    }
    if (R.Sectors) {
      const auto Group = K.Accesses[R.Access].Group;
      const auto Shared = Group ? Missed.find(*Group) : Missed.end();
      const bool IsWorst = How == Success::Least && dependsOn(R, How);
      const double Sectors = IsWorst ? *R.SectorsAtWorst : *R.Sectors;
      // Lanes that are left apart share as little of their sectors as before.
      coalesce(T, Sectors,
               Shared == Missed.end() ? T.Missing * T.Sectors : Shared->second,
               IsWorst ? std::max(T.Used, Sectors / T.Sectors) : T.Used,
               C->Beside, Device);
    }
    if (R.Wavefronts)
      T.Wavefronts = std::min(T.Wavefronts, *R.Wavefronts);
    if (R.Words)
      T.Words = std::min(T.Words, *R.Words);
    if (R.LostLines)
      T.LostLines = std::min(T.LostLines, *R.LostLines);
    if (R.IntoShared && !moveIntoShared(After, T, *R.IntoShared, Device))
      return std::nullopt;
    if (R.Staged && !stage(After, T, *R.Staged, Device))
      return std::nullopt;
    if (R.Direct) {
      const SiteTraffic *From = stageOf(K, Before, K.Accesses[R.Access]);
      if (!From)
        return std::nullopt;
      unstage(T, K.Accesses[R.Access], *R.Direct, *From);
    }
    if (R.IntoConstant) {
      T.Memory = Space::Constant;
      T.LostLines = 0;
      T.Words = std::max(1.0, T.Bytes / 8.0);
    }
    if (R.IntoOneAtomic) {
      T.Swaps = access::SwapLoop::None;
      T.Waits = 0;
    }
    if (R.InPairs)
      T.Bytes *= 2;
    if (R.With)
      join(After.Sites.at(*R.With), T);
    if (R.AddsUp && T.Memory == Space::Shared)
      addUpInWarp(After, T, Device);
    else if (R.AddsUp && !addUpInBlock(After, T, *R.AddsUp, Device))
      return std::nullopt;
    if (R.Changes)
      askFirst(After, T, *R.Changes, Device);
    // Those of private arrays are not counted there as long as they are some.
    if (Before.Sites[R.Access].Memory == Space::Local) {
      if (T.Memory == Space::Shared)
        issueShared(After, T.Requests * R.Share);
    } else {
      After.Besides.Issued[unsigned(Pipe::Memory)] -=
          T.Requests * (1 - R.Share / R.AtOnce);
    }
    if (R.Share <= 0 || R.AloneShare < 1)
      leaveOut(After.Besides, *C, R.Share <= 0 ? 1 : 1 - R.AloneShare);
    keepRequests(T, R.Share);
    if (R.AtOnce > 1) {
      widenLanes(T, R.AtOnce, Device);
      // A pass through shared memory takes a word of each lane.
      T.Wavefronts = std::max(T.Wavefronts, T.Bytes / 4.0);
      T.PerWarp /= R.AtOnce;
    }
    T.Waits *= R.Waits;
    T.IsAsyncCopy |= R.IntoAsyncCopy;
    Wider = std::max(Wider, R.ElementsPerThread);
    if (R.ElementsPerThread > 1)
      Handled = std::max(Handled, Before.Sites[R.Access].Requests);
    if (const access::Access &A = K.Accesses[R.Access];
        R.ElementsPerThread > 1 && A.LoopDepth > 0)
      Where = A.WalksAcross && Where != Elements::InRounds ? Elements::InRows
                                                           : Elements::InRounds;
    After.Sites[R.Access] = T;
  }
  if (!IsAny)
    return std::nullopt; // nothing of what would be repaired is there
  writeAnyway(Before, After);
  if (Wider > 1)
    widen(After, Wider, Handled, Where, Device);
  if (Shape)
    reshape(After, *Shape);
  if (Shape && Shape->Results > 1 &&
      double(After.Besides.SharedBytes) > Device.SmSharedBytes)
    return std::nullopt;
  if (Shape && Shape->SpillsIntoShared &&
      !moveSpillsIntoShared(After, double(K.SpillBytes), Device))
    return std::nullopt;
  return After;
}

} // namespace warpwise::price
