//===- L2Model.cpp - The way to L2, its partitions and DRAM ---------------===//

#include "analyzer/reuse/L2Model.h"

#include "analyzer/reuse/ReuseDistance.h"

#include <algorithm>
#include <cassert>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// Stores under way that are remembered, of an SM.
constexpr uint32_t StoresKept = 256;

std::vector<unsigned> sidesOf(const CacheOptions &Options) {
  const std::vector<unsigned> GroupOf = mergeGroups(Options);
  const unsigned Groups = *std::max_element(GroupOf.begin(), GroupOf.end()) + 1;
  std::vector<unsigned> SideOf = Options.SmToPartition;
  for (unsigned Sm = unsigned(SideOf.size()); Sm < Options.Sm.Count; ++Sm)
    SideOf.push_back(GroupOf[Sm] * Options.Partitions / Groups);
  for (unsigned &Side : SideOf)
    Side = std::min(Side, Options.Partitions - 1);
  return SideOf;
}

} // namespace

L2Model::L2Model(const CacheOptions &Options, std::vector<Traffic> &Rows,
                 ReuseDistance *Profile)
    : Options(Options), Rows(Rows), Profile(Profile), SideOf(sidesOf(Options)),
      Merger(Options, mergeGroups(Options)), BankCycles(1.0 / Options.L2.Ports),
      DramCycles(Options.DramBytesPerCycle == 0
                     ? 0
                     : double(SectorBytes) / Options.DramBytesPerCycle),
      StoreCycles(Options.StoreBytesPerCycle == 0
                      ? 0
                      : double(SectorBytes) / Options.StoreBytesPerCycle) {
  const uint64_t Bytes = Options.L2.CapacityBytes / Options.Partitions;
  const SetIndex Index(Options.L2, setsOf(Options.L2, Bytes));
  for (unsigned I = 0; I != Options.Partitions; ++I)
    Sides.emplace_back(Options.L2, Bytes, Index);
  if (Options.StoreMergeCycles != 0)
    Stores = ZeroedArray<RecentStore>(Options.Sm.Count * StoresKept);
  BankFreeAt.resize(size_t(Options.Partitions) * Options.L2.Banks);
}

L2Model::LinePlace L2Model::placeOf(uint64_t Line) const {
  return {Line, Sides.front().setOf(Line),
          partOf(hashOf(Line ^ 0x5bd1e995), Options.Partitions)};
}

L2Model::LinePlace L2Model::prefetch(const L2Request &R) {
  const unsigned LogSectors = Sides.front().logSectors();
  const uint64_t Line = R.FirstSector >> LogSectors;
  if (Merger.merges())
    __builtin_prefetch(&Merger.readOf(R.Sm, R.What == LineAccess::Kind::Load
                                                ? R.FirstSector
                                                : Line << LogSectors),
                       1);
  if (R.What == LineAccess::Kind::Store && !Stores.empty())
    __builtin_prefetch(&storeOf(R), 1);
  const LinePlace At = placeOf(Line);
  for (const SectoredCache &Side : Sides)
    Side.prefetch(At.Set);
  return At;
}

void L2Model::prefetchSlots(const L2Request &R, const LinePlace &At) const {
  Sides[SideOf[R.Sm]].prefetchSlot(At.Line, At.Set);
  if (At.Home != SideOf[R.Sm])
    Sides[At.Home].prefetchSlot(At.Line, At.Set);
}

Cycle L2Model::serve(const L2Request &R, const LinePlace &At) {
  assert(R.Sectors != 0 && R.Row < Rows.size() && R.Sm < SideOf.size());
  assert(R.FirstSector >> Sides.front().logSectors() == At.Line &&
         "not what prefetch() said of this request");
  if (R.What == LineAccess::Kind::Load)
    return load(R, At);
  return store(R, At);
}

/// Calls \p Use(place, sectors) for each line of the request, the first of
/// which is at \p At.
template <typename Callable>
void L2Model::forEachPlace(const L2Request &R, const LinePlace &At,
                           Callable Use) const {
  const unsigned LogSectors = Sides.front().logSectors();
  const unsigned Offset = unsigned(R.FirstSector - (At.Line << LogSectors));
  // Seldom more than one, as lines of L1 are those of L2.
  if (uint64_t(R.Sectors) << Offset >> (1u << LogSectors) == 0)
    return Use(At, R.Sectors << Offset);
  forEachLine(R.FirstSector, R.Sectors, LogSectors,
              [&](uint64_t Line, uint32_t Here) {
                Use(Line == At.Line ? At : placeOf(Line), Here);
              });
}

Cycle L2Model::load(const L2Request &R, const LinePlace &At) {
  RequestMerger::Read *Shared = nullptr;
  if (Merger.merges()) {
    RequestMerger::Read &Known = Merger.readOf(R.Sm, R.FirstSector);
    const RequestMerger::Answer Joined = Merger.join(Known, R);
    if (Joined.Joins)
      return Joined.ReadyAt;
    if (Joined.MayBeJoined)
      Shared = &Known;
  }
  Cycle ReadyAt = R.When;
  Rows[R.Row].L2ReadSectors += sectorCount(R.Sectors);
  forEachPlace(R, At, [&](const LinePlace &Place, uint32_t Here) {
    ReadyAt = std::max(ReadyAt, readLine(SideOf[R.Sm], Place, Here, R));
  });
  const Cycle Longer =
      partOf(hashOf(R.FirstSector * 0x10001 + R.Sm), Options.JitterCycles);
  if (Shared)
    Merger.sent(*Shared, R, ReadyAt, Longer);
  return ReadyAt + Longer;
}

/// The slot of the line, which is brought in without any sector if absent.
uint32_t L2Model::slotFor(unsigned Side, const LinePlace &At, uint32_t Row) {
  SectoredCache &C = Sides[Side];
  const SectoredCache::Lookup Found = C.look(At.Line, At.Set);
  const uint32_t Slot = Found.HasLine ? Found.Slot : bringIn(C, At, Found, Row);
  C.touch(Slot);
  return Slot;
}

uint32_t L2Model::bringIn(SectoredCache &Side, const LinePlace &At,
                          SectoredCache::Lookup Free, uint32_t Row) {
  uint32_t Dirty = 0;
  const uint32_t Slot = Side.allocate(At.Line, At.Set, Free, Dirty);
  if (Dirty != 0)
    Rows[Row].DramWriteSectors += sectorCount(Dirty);
  return Slot;
}

Cycle L2Model::throughBank(unsigned Side, uint64_t Line, unsigned Sectors,
                           Cycle When) {
  const unsigned Bank = partOf(hashOf(Line * 3), Options.L2.Banks);
  double &FreeAt = BankFreeAt[size_t(Side) * Options.L2.Banks + Bank];
  FreeAt = std::max(FreeAt, double(When)) + double(Sectors) * BankCycles;
  return Cycle(FreeAt);
}

Cycle L2Model::throughDram(unsigned Sectors, Cycle When) {
  if (DramCycles == 0)
    return When;
  DramFreeAt = std::max(DramFreeAt, double(When)) + Sectors * DramCycles;
  return Cycle(DramFreeAt);
}

Cycle L2Model::readLine(unsigned Side, const LinePlace &At, uint32_t Sectors,
                        const L2Request &R) {
  Traffic &T = Rows[R.Row];
  if (Profile)
    Profile->access(At.Line, Sectors, true);
  SectoredCache &Near = Sides[Side];
  SectoredCache::State &S = Near.at(slotFor(Side, At, R.Row));
  const uint32_t Hit = S.Valid & Sectors, Missing = Sectors & ~Hit;
  T.L2ReadHits += sectorCount(Hit);
  const Cycle Served = throughBank(Side, At.Line, sectorCount(Sectors), R.When);
  const Cycle HitAt = Served + Options.L2.LatencyCycles;
  if (Missing == 0)
    return std::max(HitAt, Cycle(S.ReadyAt));
  const uint32_t Fill = Near.fillOf(Missing);
  uint32_t FromDram = Fill & ~S.Valid;
  Cycle ReadyAt = HitAt;
  if (At.Home != Side) {
    SectoredCache::State &H = Sides[At.Home].at(slotFor(At.Home, At, R.Row));
    FromDram &= ~H.Valid;
    // A line whose other half the home has too is not read again for it.
    if ((Missing & ~H.Valid) == 0)
      FromDram = 0;
    ReadyAt = std::max(HitAt + Options.FarCycles, Cycle(H.ReadyAt));
    H.Valid |= FromDram;
    S.Valid |= Fill & H.Valid;
    if (FromDram != 0)
      H.ReadyAt =
          throughDram(sectorCount(FromDram), Served) + Options.DramCycles;
    ReadyAt = std::max(ReadyAt, Cycle(H.ReadyAt));
  } else {
    S.Valid |= Fill;
    ReadyAt = throughDram(sectorCount(FromDram), Served) + Options.DramCycles;
  }
  T.DramReadSectors += sectorCount(FromDram);
  S.ReadyAt = ReadyAt;
  return ReadyAt;
}

L2Model::RecentStore &L2Model::storeOf(const L2Request &R) {
  return Stores[R.Sm * StoresKept + partOf(hashOf(R.FirstSector), StoresKept)];
}

bool L2Model::mergedStore(const L2Request &R) {
  if (Stores.empty() || R.What != LineAccess::Kind::Store)
    return false;
  RecentStore &M = storeOf(R);
  const uint32_t Key = keyOf(R.FirstSector, R.Sectors) >> 8;
  if (M.Key == Key && M.Warp != R.Warp &&
      R.When - M.When <= Options.StoreMergeCycles)
    return true;
  M = {Key, R.Warp, R.When};
  return false;
}

Cycle L2Model::store(const L2Request &R, const LinePlace &At) {
  if (mergedStore(R))
    return R.When;
  Rows[R.Row].L2WriteSectors += sectorCount(R.Sectors);
  forEachPlace(R, At, [&](const LinePlace &Place, uint32_t Here) {
    if (Merger.merges()) {
      const uint64_t FirstSector = Place.Line << Sides.front().logSectors();
      Merger.stored(Merger.readOf(R.Sm, FirstSector), FirstSector);
    }
    writeLine(SideOf[R.Sm], Place, Here, R);
  });
  if (StoreCycles == 0)
    return R.When;
  StoresUntil = std::max(StoresUntil, double(R.When)) +
                sectorCount(R.Sectors) * StoreCycles;
  return Cycle(StoresUntil);
}

/// Data is kept at home, and near the SM that wrote it; copies elsewhere are
/// no longer true.
void L2Model::writeLine(unsigned Side, const LinePlace &At, uint32_t Sectors,
                        const L2Request &R) {
  if (Profile)
    Profile->access(At.Line, Sectors, false);
  throughBank(Side, At.Line, sectorCount(Sectors), R.When);
  for (unsigned I = 0; I != Sides.size(); ++I) {
    if (I == At.Home || I == Side) {
      const uint32_t Slot = slotFor(I, At, R.Row);
      Sides[I].at(Slot).Valid |= Sectors;
      if (I == At.Home)
        Sides[I].markDirty(Slot, Sectors);
    } else if (const uint32_t Slot = Sides[I].find(At.Line, At.Set);
               Slot != SectoredCache::None) {
      Sides[I].at(Slot).Valid &= ~Sectors;
    }
  }
}
