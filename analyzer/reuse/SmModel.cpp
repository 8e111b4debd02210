//===- SmModel.cpp - One SM: its warps and its L1 -------------------------===//

#include "analyzer/reuse/SmModel.h"

#include "analyzer/reuse/ReuseDistance.h"

#include <algorithm>
#include <bit>
#include <cassert>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// Marks State::ReadyAt as the number of a request of this span.
constexpr uint32_t UnknownBit = ~(~uint32_t(0) >> 1);

constexpr unsigned SectorsPerTraceLine = LineBytes / SectorBytes;
constexpr unsigned LogTraceSectors = std::countr_zero(SectorsPerTraceLine);

/// Accesses of a warp whose sets are fetched before they are needed. Chosen,
/// not measured; changes nothing but the time.
constexpr unsigned PrefetchAhead = 4;

} // namespace

SmModel::SharedBySms::SharedBySms(unsigned WarpLead) {
  uint64_t Seed = 1;
  for (uint32_t &Lead : Leads)
    Lead = partOf(uint32_t(nextRandom(Seed) >> 32), WarpLead);
}

SmModel::SmModel(unsigned Number, const CacheOptions &Options, uint64_t L1Bytes,
                 const SetIndex &L1Index, std::vector<Traffic> &Rows,
                 SharedBySms &Common, PieceReader &Pieces,
                 ReuseDistance *Profile)
    : Options(Options), Rows(Rows), Common(Common), Profile(Profile),
      L1(Options.L1, L1Bytes, L1Index),
      LoadsBypass(Options.L1Bypass == Bypass::ReadsAndWrites),
      StoresBypass(LoadsBypass || Options.L1Bypass == Bypass::Writes),
      GlobalBypasses(Options.L1Bypass == Bypass::Global),
      LinesPerCycle(Options.L1.Banks * Options.L1.Ports),
      MissLimit(Options.L1.MshrSets * Options.L1.MshrSize),
      Warps(Number, Rows, Pieces), Ages(MostWarps),
      SchedulerWarps(Options.Sm.Schedulers), LastOf(Options.Sm.Schedulers),
      Seed(Number), Number(uint16_t(Number)) {
  assert(this->Number == Number && "more SMs than requests can name");
  for (unsigned W = 0; W != MostWarps; ++W)
    SchedulerWarps[W % Options.Sm.Schedulers] |= bit(W);
}

uint64_t SmModel::sectorOf(const RunningWarp &X, const PackedAccess &A) {
  return (X.Bases[A.Slot] + uint64_t(int64_t(A.Distance))) *
         SectorsPerTraceLine;
}

/// Fetches what \p Count of the warp's accesses, from the \p From next on, will
/// look at.
void SmModel::prefetch(const RunningWarp &X, unsigned From,
                       unsigned Count) const {
  for (const PackedAccess *A = X.Next + From, *Last = A + Count;
       A < Last && A < X.End; ++A)
    L1.prefetch(L1.setOf(sectorOf(X, *A) >> L1.logSectors()));
}

void SmModel::wake(unsigned W, Cycle When) {
  assert((FreeWarps & bit(W)) == 0 && "a warp that has ended");
  WakeAt[W] = When;
  if (When >= End) {
    Later |= bit(W);
    NextWake = std::min(NextWake, When);
  } else if (When <= Now) {
    Ready |= bit(W);
  } else {
    const unsigned At = When - Begin;
    Common.Wakes[At] |= bit(W);
    Common.WakeCycles[At / 64] |= bit(At % 64);
  }
}

/// Moves those whose time has come to Ready; if there are none, Now goes on to
/// the next, or to End.
void SmModel::collectReady() {
  for (unsigned Word = 0; Word != Common.WakeCycles.size(); ++Word)
    while (Common.WakeCycles[Word] != 0) {
      const unsigned At =
          Word * 64 + unsigned(std::countr_zero(Common.WakeCycles[Word]));
      if (Begin + At > Now) {
        if (Ready != 0)
          return;
        Now = Begin + At;
      }
      Common.WakeCycles[Word] &= Common.WakeCycles[Word] - 1;
      Ready |= Common.Wakes[At];
      Common.Wakes[At] = 0;
    }
  if (Ready == 0)
    Now = std::max(Now, End);
}

/// Any of the warps, but those that fell behind sooner.
unsigned SmModel::pickAny(uint64_t Among) {
  const uint32_t *const LeadOf =
      &Common.Leads[nextRandom(Seed) >> (64 - LogLeads)];
  unsigned Best = 0;
  uint32_t Least = ~uint32_t(0);
  for (uint64_t Left = Among; Left != 0; Left &= Left - 1) {
    const unsigned W = unsigned(std::countr_zero(Left));
    if (const uint32_t Rank = IssuedOf[W] + LeadOf[W]; Rank < Least) {
      Least = Rank;
      Best = W;
    }
  }
  return Best;
}

unsigned SmModel::pick() {
  assert(Ready != 0 && "nobody can issue");
  const unsigned Count = unsigned(SchedulerWarps.size());
  unsigned S = LastScheduler;
  uint64_t Mine = 0;
  do {
    S = S + 1 == Count ? 0 : S + 1;
    Mine = Ready & SchedulerWarps[S];
  } while (Mine == 0);
  LastScheduler = S;
  unsigned W = LastOf[S];
  if (Options.Sm.Order == WarpOrder::Any) {
    W = pickAny(Mine);
    ++IssuedOf[W];
  } else if (Options.Sm.Order == WarpOrder::RoundRobin) {
    const uint64_t After = Mine & ~(bit(W) | (bit(W) - 1));
    W = unsigned(std::countr_zero(After != 0 ? After : Mine));
  } else if ((Mine & bit(W)) == 0) {
    W = unsigned(std::countr_zero(Mine));
    for (uint64_t Left = Mine; Left != 0; Left &= Left - 1)
      if (const unsigned Other = unsigned(std::countr_zero(Left));
          Ages[Other] < Ages[W])
        W = Other;
  }
  LastOf[S] = W;
  return W;
}

/// Finds those that wake before \p SpanEnd.
void SmModel::findDue(Cycle SpanEnd) {
  Due = 0;
  NextWake = NeverCycle;
  for (uint64_t Left = Later; Left != 0; Left &= Left - 1) {
    const unsigned W = unsigned(std::countr_zero(Left));
    if (WakeAt[W] < SpanEnd)
      Due |= bit(W);
    else
      NextWake = std::min(NextWake, WakeAt[W]);
  }
  Later &= ~Due;
}

void SmModel::fetch(unsigned Step, Cycle SpanEnd) {
  constexpr unsigned CyclesOnLine = 64 / sizeof(Cycle);
  if (Step == 0)
    for (unsigned W = 0; W != MostWarps; W += CyclesOnLine) {
      __builtin_prefetch(&WakeAt[W], 1);
      __builtin_prefetch(&DoneAt[W], 1);
      __builtin_prefetch(&IssuedOf[W], 1);
    }
  if (Step == 1)
    findDue(SpanEnd);
  for (uint64_t Left = Step == 0 ? 0 : Due; Left != 0; Left &= Left - 1) {
    const RunningWarp &X = Warps[unsigned(std::countr_zero(Left))];
    if (Step == 1)
      __builtin_prefetch(&X, 1);
    else if (Step == 2)
      __builtin_prefetch(X.Bases);
    else
      prefetch(X, 0, PrefetchAhead);
  }
}

void SmModel::run(Cycle SpanBegin, Cycle SpanEnd) {
  assert(SpanBegin < SpanEnd && SpanEnd - SpanBegin <= MostSpan);
  assert(Waiting == 0 && UnknownMisses == 0 && "answer() was not called");
  Begin = SpanBegin;
  End = SpanEnd;
  Now = std::max(Now, Begin);
  Requests.clear();
  PendingHits.clear();
  for (uint64_t Left = Due; Left != 0; Left &= Left - 1) {
    const unsigned W = unsigned(std::countr_zero(Left));
    wake(W, WakeAt[W]);
  }
  while (true) {
    collectReady();
    if (Now >= End)
      return;
    const unsigned W = pick();
    Ready &= ~bit(W);
    issue(W);
  }
}

/// The warp goes on when all its loads are back.
void SmModel::waitForLoads(unsigned W) {
  RunningWarp &X = Warps[W];
  X.InFlight = 0;
  if ((Unknown & bit(W)) != 0)
    Waiting |= bit(W);
  else {
    wake(W, std::max(DoneAt[W], Now));
    if ((Later & bit(W)) == 0)
      prefetch(X, 0, PrefetchAhead);
  }
}

/// Calls \p Use(access, first sector of its line) for the rest of the warp's
/// request.
template <typename Callable>
void SmModel::forEachAccess(RunningWarp &X, Callable Use) {
  bool Last = false;
  while (!Last && X.Next != X.End) {
    const PackedAccess &A = *X.Next++;
    Last = A.Last;
    Use(A, sectorOf(X, A));
  }
}

void SmModel::issue(unsigned W) {
  RunningWarp &X = Warps[W];
  if (!Warps.hasNext(W)) {
    retire(W);
    return;
  }
  const LineAccess::Kind Kind = X.Next->kind();
  if (Kind == LineAccess::Kind::Barrier) {
    if (X.InFlight != 0)
      waitForLoads(W);
    else
      arrive(W);
    return;
  }
  // As much as L2 takes while a load is under way can be on its way.
  if (Kind != LineAccess::Kind::Load &&
      StoresUntil > Now + Options.L2.LatencyCycles) {
    wake(W, StoresUntil - Options.L2.LatencyCycles);
    return;
  }
  if (MissLimit != 0 && missesFull(W))
    return;
  const PackedAccess *const First = X.Next;
  const uint32_t Row = X.FirstRow + X.Sites[First->Slot];
  if (Kind == LineAccess::Kind::Load) {
    unsigned Missed = 0;
    forEachAccess(X, [&](const PackedAccess &A, uint64_t Sector) {
      Missed += load(W, Sector, A.Sectors, Row,
                     A.PastL1 || LoadsBypass || (GlobalBypasses && !A.Local));
    });
    Rows[Row].LoadHits -= Missed;
    ++X.InFlight;
  } else {
    forEachAccess(X, [&](const PackedAccess &A, uint64_t Sector) {
      if (Kind == LineAccess::Kind::Store)
        store(W, Sector, A.Sectors, Row,
              StoresBypass || (GlobalBypasses && !A.Local));
      else
        ask(W, Kind, Sector, A.Sectors, Row, SectoredCache::None);
    });
  }
  const auto Lines = unsigned(X.Next - First);
  Now +=
      LinesPerCycle == 1 ? Lines : (Lines + LinesPerCycle - 1) / LinesPerCycle;
  Warps.hasNext(W);
  if (Lines > 1)
    prefetch(X, PrefetchAhead, Lines);
  if (X.InFlight >= Options.Sm.LoadsInFlight || X.Next == X.End)
    waitForLoads(W);
  else
    wake(W, Now + Options.Sm.IssueGapCycles);
}

void SmModel::ask(unsigned W, LineAccess::Kind What, uint64_t FirstSector,
                  uint32_t Sectors, uint32_t Row, uint32_t Slot) {
  assert(Sectors != 0 && Row < Rows.size());
  Requests.push_back(
      {FirstSector, Now, Sectors, Row, Slot, Number, uint8_t(W), What});
}

/// Returns how many of the sectors missed.
unsigned SmModel::load(unsigned W, uint64_t FirstSector, uint32_t Sectors,
                       uint32_t Row, bool Bypasses) {
  if (L1.logSectors() == LogTraceSectors)
    return loadLine(W, FirstSector >> LogTraceSectors, Sectors, Row, Bypasses);
  unsigned Missed = 0;
  forEachLine(FirstSector, Sectors, L1.logSectors(),
              [&](uint64_t Line, uint32_t Here) {
                Missed += loadLine(W, Line, Here, Row, Bypasses);
              });
  return Missed;
}

unsigned SmModel::loadLine(unsigned W, uint64_t Line, uint32_t Sectors,
                           uint32_t Row, bool Bypasses) {
  const uint64_t FirstSector = Line << L1.logSectors();
  if (Bypasses) {
    Unknown |= bit(W);
    ask(W, LineAccess::Kind::Load, FirstSector, Sectors, Row,
        SectoredCache::None);
    return sectorCount(Sectors);
  }
  if (Profile)
    Profile->access(Line, Sectors, true);
  const uint32_t Set = L1.setOf(Line);
  const SectoredCache::Lookup Found = L1.look(Line, Set);
  uint32_t Slot = Found.Slot, Dirty = 0;
  if (!Found.HasLine)
    Slot = L1.allocate(Line, Set, Found, Dirty);
  SectoredCache::State &S = L1.at(Slot);
  const uint32_t Hit = S.Valid & Sectors, Missing = Sectors & ~Hit;
  L1.touch(Slot);
  unsigned Missed = sectorCount(Missing);
  if (Hit != 0) {
    const bool InSpan = (S.ReadyAt & UnknownBit) != 0;
    const bool Pending = InSpan || S.ReadyAt > Now;
    if (!Options.PendingHits && Pending)
      Missed += sectorCount(Hit);
    if (InSpan) {
      PendingHits.push_back({W, S.ReadyAt & ~UnknownBit});
      Unknown |= bit(W);
    }
    DoneAt[W] = std::max(DoneAt[W], Now + Options.L1.LatencyCycles);
    if (Pending && !InSpan)
      DoneAt[W] = std::max(DoneAt[W], Cycle(S.ReadyAt));
  }
  if (Missing == 0)
    return Missed;
  const uint32_t Fill = L1.fillOf(Missing) & ~S.Valid;
  S.Valid |= Fill;
  S.ReadyAt = UnknownBit | uint32_t(Requests.size());
  Unknown |= bit(W);
  ++UnknownMisses;
  ask(W, LineAccess::Kind::Load, FirstSector, Fill, Row, Slot);
  return Missed;
}

void SmModel::store(unsigned W, uint64_t FirstSector, uint32_t Sectors,
                    uint32_t Row, bool PastL1) {
  ask(W, LineAccess::Kind::Store, FirstSector, Sectors, Row,
      SectoredCache::None);
  if (PastL1)
    return;
  if (L1.logSectors() == LogTraceSectors)
    storeLine(FirstSector >> LogTraceSectors, Sectors, Row);
  else
    forEachLine(
        FirstSector, Sectors, L1.logSectors(),
        [&](uint64_t Line, uint32_t Here) { storeLine(Line, Here, Row); });
}

void SmModel::storeLine(uint64_t Line, uint32_t Sectors, uint32_t Row) {
  const uint32_t Set = L1.setOf(Line);
  const SectoredCache::Lookup Found = L1.look(Line, Set);
  uint32_t Slot = Found.Slot, Dirty = 0;
  if (Found.HasLine)
    Rows[Row].StoreHits += sectorCount(L1.at(Slot).Valid & Sectors);
  if (Options.Stores == StorePolicy::Evict) {
    if (Found.HasLine)
      L1.drop(Slot);
    return;
  }
  if (Options.Stores == StorePolicy::NoAllocate)
    return;
  if (Profile)
    Profile->access(Line, Sectors, false);
  if (!Found.HasLine)
    Slot = L1.allocate(Line, Set, Found, Dirty);
  L1.at(Slot).Valid |= Sectors;
  L1.touch(Slot);
}

/// Whether the warp has to come back because all miss registers are taken.
bool SmModel::missesFull(unsigned W) {
  const auto Earliest = std::greater<Cycle>();
  while (!MissesUntil.empty() && MissesUntil.front() <= Now) {
    std::pop_heap(MissesUntil.begin(), MissesUntil.end(), Earliest);
    MissesUntil.pop_back();
  }
  if (MissesUntil.size() + UnknownMisses < MissLimit)
    return false;
  wake(W, MissesUntil.empty() ? End : MissesUntil.front());
  return true;
}

void SmModel::fetchAnswered() const {
  for (const L2Request &R : Requests)
    if (R.L1Slot != SectoredCache::None)
      L1.prefetchState(R.L1Slot);
}

void SmModel::answer() {
  for (uint32_t I = 0; I != Requests.size(); ++I) {
    const L2Request &R = Requests[I];
    if (R.What != LineAccess::Kind::Load) {
      StoresUntil = std::max(StoresUntil, R.When);
      continue;
    }
    DoneAt[R.Warp] = std::max(DoneAt[R.Warp], R.When);
    if (R.L1Slot == SectoredCache::None)
      continue;
    if (SectoredCache::State &S = L1.at(R.L1Slot);
        S.ReadyAt == (UnknownBit | I))
      S.ReadyAt = R.When;
    if (MissLimit != 0) {
      MissesUntil.push_back(R.When);
      std::push_heap(MissesUntil.begin(), MissesUntil.end(),
                     std::greater<Cycle>());
    }
  }
  for (const auto &[W, Request] : PendingHits)
    DoneAt[W] = std::max(DoneAt[W], Requests[Request].When);
  UnknownMisses = 0;
  Unknown = 0;
  for (uint64_t Left = Waiting; Left != 0; Left &= Left - 1) {
    const unsigned W = unsigned(std::countr_zero(Left));
    wake(W, std::max(DoneAt[W], End));
  }
  Waiting = 0;
}

//===----------------------------------------------------------------------===//
// Blocks come, their warps meet, and they end
//===----------------------------------------------------------------------===//

void SmModel::start(ResidentBlock &New, Cycle When) {
  // New warps stand where the last of the others stand.
  uint32_t Issued = ~uint32_t(0);
  for (uint64_t Left = ~FreeWarps; Left != 0; Left &= Left - 1)
    Issued = std::min(Issued, IssuedOf[std::countr_zero(Left)]);
  if (~FreeWarps == 0)
    Issued = 0;
  unsigned Number = 0;
  while (Number != Blocks.size() && Blocks[Number].Alive != 0)
    ++Number;
  if (Number == Blocks.size())
    Blocks.emplace_back();
  Block &B = Blocks[Number];
  B = {};
  for (ResidentWarp &Each : New.Warps) {
    if (Each.Code.Trace->Accesses.empty() && !Each.Rest)
      continue;
    assert(FreeWarps != 0 && "more warps than an SM has room for");
    const unsigned W = unsigned(std::countr_zero(FreeWarps));
    FreeWarps &= ~bit(W);
    B.Alive |= bit(W);
    Ages[W] = NextAge++;
    IssuedOf[W] = Issued;
    WakeAt[W] = When;
    DoneAt[W] = 0;
    Warps.start(W, Each, New.FirstRow, uint8_t(Number));
    Later |= bit(W);
    NextWake = std::min(NextWake, When);
  }
  if (B.Alive == 0)
    Ended.push_back({When, New.FirstRow});
}

void SmModel::arrive(unsigned W) {
  RunningWarp &X = Warps[W];
  ++X.Next;
  Warps.hasNext(W);
  Block &B = Blocks[X.Block];
  B.Arrived |= bit(W);
  Now += 1;
  releaseBarrier(B);
}

void SmModel::releaseBarrier(Block &B) {
  assert((B.Arrived & ~B.Alive) == 0 && "a warp that has ended waits");
  if (B.Alive == 0 || B.Arrived != B.Alive)
    return;
  for (uint64_t Left = B.Arrived; Left != 0; Left &= Left - 1)
    wake(unsigned(std::countr_zero(Left)), Now + 1);
  B.Arrived = 0;
}

void SmModel::retire(unsigned W) {
  RunningWarp &X = Warps[W];
  Block &B = Blocks[X.Block];
  B.Alive &= ~bit(W);
  FreeWarps |= bit(W);
  Warps.release(W);
  if (B.Alive == 0)
    Ended.push_back({Now, X.FirstRow});
  else
    releaseBarrier(B);
}
