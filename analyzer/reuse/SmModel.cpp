//===- SmModel.cpp - One SM: its warps and its L1 -------------------------===//

#include "analyzer/reuse/SmModel.h"

#include "analyzer/reuse/ReuseDistance.h"

#include <algorithm>
#include <bit>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// Marks State::ReadyAt as the number of a request of this span.
constexpr uint32_t UnknownBit = ~(~uint32_t(0) >> 1);

constexpr unsigned SectorsPerTraceLine = LineBytes / SectorBytes;

uint64_t bit(unsigned W) { return uint64_t(1) << W; }

} // namespace

SmModel::SmModel(const CacheOptions &Options, uint64_t L1Bytes,
                 const SetIndex &L1Index, std::vector<Traffic> &Rows,
                 ReuseDistance *Profile)
    : Options(Options), Rows(Rows), Profile(Profile),
      L1(Options.L1, L1Bytes, L1Index),
      LoadsBypass(Options.L1Bypass == Bypass::ReadsAndWrites),
      StoresBypass(Options.L1Bypass != Bypass::Off),
      LinesPerCycle(Options.L1.Banks * Options.L1.Ports),
      MissLimit(Options.L1.MshrSets * Options.L1.MshrSize), Warps(MostWarps),
      SchedulerWarps(Options.Sm.Schedulers), LastOf(Options.Sm.Schedulers) {
  for (unsigned W = 0; W != MostWarps; ++W)
    SchedulerWarps[W % Options.Sm.Schedulers] |= bit(W);
}

void SmModel::start(ResidentBlock New, Cycle When) {
  unsigned Number = 0;
  while (Number != Blocks.size() && Blocks[Number].Alive != 0)
    ++Number;
  if (Number == Blocks.size())
    Blocks.emplace_back();
  Block &B = Blocks[Number];
  B = {0, 0, New.FirstRow};
  for (WarpCode &Code : New.Warps) {
    if (Code.Trace->Accesses.empty())
      continue;
    const unsigned W = unsigned(std::countr_zero(FreeWarps));
    FreeWarps &= ~bit(W);
    B.Alive |= bit(W);
    Warp &X = Warps[W];
    X = Warp();
    X.Code = std::move(Code);
    X.Next = X.Code.Trace->Accesses.data();
    X.End = X.Next + X.Code.Trace->Accesses.size();
    X.Block = uint8_t(Number);
    X.Age = NextAge++;
    X.WakeAt = When;
    Later |= bit(W);
  }
  if (B.Alive == 0)
    Ended.push_back(When);
}

Cycle SmModel::nextEvent() const {
  if (Ready != 0)
    return Now;
  Cycle Next = NeverCycle;
  for (uint64_t Left = Later; Left != 0; Left &= Left - 1)
    Next = std::min(Next, Warps[std::countr_zero(Left)].WakeAt);
  return Next;
}

void SmModel::wake(unsigned W, Cycle When) {
  Warps[W].WakeAt = When;
  if (When >= End) {
    Later |= bit(W);
  } else if (When <= Now) {
    Ready |= bit(W);
  } else {
    const unsigned At = When - Begin;
    Wakes[At] |= bit(W);
    WakeBits[At / 64] |= bit(At % 64);
  }
}

/// Moves those whose time has come to Ready; if there are none, Now goes on to
/// the next, or to End.
void SmModel::collectReady() {
  for (unsigned Word = 0; Word != WakeBits.size(); ++Word)
    while (WakeBits[Word] != 0) {
      const unsigned At =
          Word * 64 + unsigned(std::countr_zero(WakeBits[Word]));
      if (Begin + At > Now) {
        if (Ready != 0)
          return;
        Now = Begin + At;
      }
      WakeBits[Word] &= WakeBits[Word] - 1;
      Ready |= Wakes[At];
      Wakes[At] = 0;
    }
  if (Ready == 0)
    Now = std::max(Now, End);
}

unsigned SmModel::pick() {
  const unsigned Count = unsigned(SchedulerWarps.size());
  unsigned S = LastScheduler;
  uint64_t Mine = 0;
  do {
    S = S + 1 == Count ? 0 : S + 1;
    Mine = Ready & SchedulerWarps[S];
  } while (Mine == 0);
  LastScheduler = S;
  unsigned W = LastOf[S];
  if (Options.Sm.Order == WarpOrder::RoundRobin) {
    const uint64_t After = Mine & ~(bit(W) | (bit(W) - 1));
    W = unsigned(std::countr_zero(After != 0 ? After : Mine));
  } else if ((Mine & bit(W)) == 0) {
    W = unsigned(std::countr_zero(Mine));
    for (uint64_t Left = Mine; Left != 0; Left &= Left - 1)
      if (const unsigned Other = unsigned(std::countr_zero(Left));
          Warps[Other].Age < Warps[W].Age)
        W = Other;
  }
  LastOf[S] = W;
  return W;
}

void SmModel::run(Cycle SpanBegin, Cycle SpanEnd) {
  Begin = SpanBegin;
  End = SpanEnd;
  Now = std::max(Now, Begin);
  Requests.clear();
  PendingHits.clear();
  const uint64_t Asleep = Later;
  Later = 0;
  for (uint64_t Left = Asleep; Left != 0; Left &= Left - 1) {
    const unsigned W = unsigned(std::countr_zero(Left));
    wake(W, Warps[W].WakeAt);
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
  Warp &X = Warps[W];
  X.InFlight = 0;
  if (X.Unknown)
    Waiting |= bit(W);
  else
    wake(W, std::max(X.DoneAt, Now));
}

void SmModel::issue(unsigned W) {
  Warp &X = Warps[W];
  if (X.Next == X.End) {
    retire(W);
    return;
  }
  if (X.Next->kind() == Access::Kind::Barrier) {
    if (X.InFlight != 0)
      waitForLoads(W);
    else
      arrive(W);
    return;
  }
  if (MissLimit != 0 && missesFull(W))
    return;
  const uint32_t FirstRow = Blocks[X.Block].FirstRow;
  const Access::Kind Kind = X.Next->kind();
  unsigned Lines = 0;
  const uint32_t Row = FirstRow + X.Code.Trace->Sites[X.Next->Slot];
  for (bool Last = false; !Last && X.Next != X.End; ++X.Next) {
    const PackedAccess &A = *X.Next;
    const uint64_t Sector =
        (X.Code.Bases[A.Slot] + uint64_t(int64_t(A.Distance))) *
        SectorsPerTraceLine;
    Last = A.Last;
    ++Lines;
    const unsigned Count = unsigned(std::popcount(A.Sectors));
    Traffic &T = Rows[Row];
    if (Kind == Access::Kind::Load) {
      T.LocalLoadSectors += A.Local * Count;
      load(X, W, Sector, A.Sectors, Row, A.PastL1 || LoadsBypass);
    } else if (Kind == Access::Kind::Store) {
      T.LocalStoreSectors += A.Local * Count;
      store(W, Sector, A.Sectors, Row);
    } else {
      T.AtomicSectors += Count;
      ask(W, Kind, Sector, A.Sectors, Row, SectoredCache::None);
    }
  }
  Now +=
      LinesPerCycle == 1 ? Lines : (Lines + LinesPerCycle - 1) / LinesPerCycle;
  if (Kind == Access::Kind::Load) {
    Rows[Row].LoadRequests += 1;
    ++X.InFlight;
  } else if (Kind == Access::Kind::Store) {
    Rows[Row].StoreRequests += 1;
  }
  if (X.InFlight >= Options.Sm.LoadsInFlight || X.Next == X.End)
    waitForLoads(W);
  else
    wake(W, Now + Options.Sm.IssueGapCycles);
}

void SmModel::ask(unsigned W, Access::Kind What, uint64_t FirstSector,
                  uint32_t Sectors, uint32_t Row, uint32_t Slot) {
  Requests.push_back({FirstSector, Now, Sectors, Row, Slot, uint8_t(W), What});
}

void SmModel::load(Warp &X, unsigned W, uint64_t FirstSector, uint32_t Sectors,
                   uint32_t Row, bool Bypasses) {
  Traffic &T = Rows[Row];
  const unsigned LogSectors = L1.logSectors();
  forEachLine(FirstSector, Sectors, LogSectors,
              [&](uint64_t Line, uint32_t Here) {
                T.LoadSectors += std::popcount(Here);
                if (Bypasses) {
                  X.Unknown = true;
                  ask(W, Access::Kind::Load, Line << LogSectors, Here, Row,
                      SectoredCache::None);
                  return;
                }
                if (Profile)
                  Profile->access(Line, Here, true);
                uint32_t Slot = L1.find(Line), Dirty = 0;
                if (Slot == SectoredCache::None)
                  Slot = L1.allocate(Line, Dirty);
                SectoredCache::State &S = L1.at(Slot);
                const uint32_t Hit = S.Valid & Here, Missing = Here & ~Hit;
                L1.touch(Slot);
                const bool InSpan = (S.ReadyAt & UnknownBit) != 0;
                if (Hit != 0) {
                  const bool Pending = InSpan || S.ReadyAt > Now;
                  if (Options.PendingHits || !Pending)
                    T.LoadHits += std::popcount(Hit);
                  if (InSpan) {
                    PendingHits.push_back({W, S.ReadyAt & ~UnknownBit});
                    X.Unknown = true;
                  }
                  X.DoneAt = std::max(X.DoneAt, Now + Options.L1.LatencyCycles);
                  if (Pending && !InSpan)
                    X.DoneAt = std::max(X.DoneAt, Cycle(S.ReadyAt));
                }
                if (Missing == 0)
                  return;
                const uint32_t Fill = L1.fillOf(Missing) & ~S.Valid;
                S.Valid |= Fill;
                S.ReadyAt = UnknownBit | uint32_t(Requests.size());
                X.Unknown = true;
                ++UnknownMisses;
                ask(W, Access::Kind::Load, Line << LogSectors, Fill, Row, Slot);
              });
}

void SmModel::store(unsigned W, uint64_t FirstSector, uint32_t Sectors,
                    uint32_t Row) {
  Traffic &T = Rows[Row];
  T.StoreSectors += std::popcount(Sectors);
  ask(W, Access::Kind::Store, FirstSector, Sectors, Row, SectoredCache::None);
  if (StoresBypass)
    return;
  forEachLine(FirstSector, Sectors, L1.logSectors(),
              [&](uint64_t Line, uint32_t Here) {
                uint32_t Slot = L1.find(Line), Dirty = 0;
                if (Slot != SectoredCache::None)
                  T.StoreHits += std::popcount(L1.at(Slot).Valid & Here);
                if (Options.Stores == StorePolicy::Evict) {
                  if (Slot != SectoredCache::None)
                    L1.drop(Slot);
                  return;
                }
                if (Options.Stores == StorePolicy::NoAllocate)
                  return;
                if (Profile)
                  Profile->access(Line, Here, false);
                if (Slot == SectoredCache::None)
                  Slot = L1.allocate(Line, Dirty);
                L1.at(Slot).Valid |= Here;
                L1.touch(Slot);
              });
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

void SmModel::arrive(unsigned W) {
  Warp &X = Warps[W];
  ++X.Next;
  Block &B = Blocks[X.Block];
  B.Arrived |= bit(W);
  Now += 1;
  releaseBarrier(B);
}

void SmModel::releaseBarrier(Block &B) {
  if (B.Alive == 0 || B.Arrived != B.Alive)
    return;
  for (uint64_t Left = B.Arrived; Left != 0; Left &= Left - 1)
    wake(unsigned(std::countr_zero(Left)), Now + 1);
  B.Arrived = 0;
}

void SmModel::retire(unsigned W) {
  Warp &X = Warps[W];
  Block &B = Blocks[X.Block];
  B.Alive &= ~bit(W);
  FreeWarps |= bit(W);
  X.Code = WarpCode();
  if (B.Alive == 0)
    Ended.push_back(Now);
  else
    releaseBarrier(B);
}

void SmModel::answer(const std::vector<Cycle> &ReadyAt) {
  for (uint32_t I = 0; I != Requests.size(); ++I) {
    const L2Request &R = Requests[I];
    if (R.What != Access::Kind::Load)
      continue;
    Warps[R.Warp].DoneAt = std::max(Warps[R.Warp].DoneAt, ReadyAt[I]);
    if (R.L1Slot == SectoredCache::None)
      continue;
    if (SectoredCache::State &S = L1.at(R.L1Slot);
        S.ReadyAt == (UnknownBit | I))
      S.ReadyAt = ReadyAt[I];
    if (MissLimit != 0) {
      MissesUntil.push_back(ReadyAt[I]);
      std::push_heap(MissesUntil.begin(), MissesUntil.end(),
                     std::greater<Cycle>());
    }
  }
  for (const auto &[W, Request] : PendingHits)
    Warps[W].DoneAt = std::max(Warps[W].DoneAt, ReadyAt[Request]);
  UnknownMisses = 0;
  for (Warp &X : Warps)
    X.Unknown = false;
  for (uint64_t Left = Waiting; Left != 0; Left &= Left - 1) {
    const unsigned W = unsigned(std::countr_zero(Left));
    wake(W, std::max(Warps[W].DoneAt, End));
  }
  Waiting = 0;
}
