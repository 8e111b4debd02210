//===- L2Model.cpp - The way to L2, its partitions and DRAM ---------------===//

#include "analyzer/reuse/L2Model.h"

#include "analyzer/reuse/ReuseDistance.h"

#include <algorithm>
#include <bit>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// Stores under way that are remembered, of an SM.
constexpr size_t StoresKept = 256;

uint32_t hashOf(uint64_t Value) {
  Value *= 0x9E3779B97F4A7C15;
  return uint32_t(Value >> 32 ^ Value >> 47);
}

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
      Merger(Options, mergeGroups(Options)),
      StoreBytesPerCycle(Options.StoreBytesPerCycle) {
  const uint64_t Bytes = Options.L2.CapacityBytes / Options.Partitions;
  const SetIndex Index(Options.L2, setsOf(Options.L2, Bytes));
  for (unsigned I = 0; I != Options.Partitions; ++I)
    Sides.emplace_back(Options.L2, Bytes, Index);
  if (Options.StoreMergeCycles != 0)
    Stores = ZeroedArray<RecentStore>(Options.Sm.Count * StoresKept);
  BankFreeAt.resize(size_t(Options.Partitions) * Options.L2.Banks);
}

void L2Model::prefetch(unsigned Sm, const L2Request &R) const {
  if (R.What == Access::Kind::Load)
    Merger.prefetch(Sm, R);
  if (R.What == Access::Kind::Store && !Stores.empty())
    __builtin_prefetch(
        &Stores[Sm * StoresKept + hashOf(R.FirstSector) % StoresKept], 1);
  const uint64_t Line = R.FirstSector >> Sides.front().logSectors();
  const uint32_t Set = Sides.front().setOf(Line);
  Sides[SideOf[Sm]].prefetch(Set);
  if (const unsigned Home = homeOf(Line); Home != SideOf[Sm])
    Sides[Home].prefetch(Set);
}

Cycle L2Model::serve(unsigned Sm, const L2Request &R) {
  if (R.What == Access::Kind::Load)
    return load(Sm, R);
  return store(Sm, R);
}

Cycle L2Model::load(unsigned Sm, const L2Request &R) {
  if (const std::optional<Cycle> Answer = Merger.join(Sm, R))
    return *Answer;
  Cycle ReadyAt = R.When;
  Rows[R.Row].L2ReadSectors += std::popcount(R.Sectors);
  forEachLine(R.FirstSector, R.Sectors, Sides.front().logSectors(),
              [&](uint64_t Line, uint32_t Here) {
                ReadyAt =
                    std::max(ReadyAt, readLine(SideOf[Sm], Line, Here, R));
              });
  const Cycle Longer =
      Options.JitterCycles == 0
          ? 0
          : hashOf(R.FirstSector * 0x10001 + Sm) % Options.JitterCycles;
  Merger.sent(Sm, R, ReadyAt, Longer);
  return ReadyAt + Longer;
}

unsigned L2Model::homeOf(uint64_t Line) const {
  return hashOf(Line ^ 0x5bd1e995) % Options.Partitions;
}

/// The slot of the line, which is brought in without any sector if absent.
uint32_t L2Model::slotFor(unsigned Side, uint64_t Line, uint32_t Set,
                          uint32_t Row) {
  SectoredCache &C = Sides[Side];
  uint32_t Slot = C.find(Line, Set);
  if (Slot == SectoredCache::None) {
    uint32_t Dirty = 0;
    Slot = C.allocate(Line, Set, Dirty);
    Rows[Row].DramWriteSectors += std::popcount(Dirty);
  }
  C.touch(Slot);
  return Slot;
}

Cycle L2Model::throughBank(unsigned Side, uint64_t Line, unsigned Sectors,
                           Cycle When) {
  const unsigned Bank = hashOf(Line * 3) % Options.L2.Banks;
  double &FreeAt = BankFreeAt[size_t(Side) * Options.L2.Banks + Bank];
  FreeAt = std::max(FreeAt, double(When)) + double(Sectors) / Options.L2.Ports;
  return Cycle(FreeAt);
}

Cycle L2Model::throughDram(unsigned Sectors, Cycle When) {
  if (Options.DramBytesPerCycle == 0)
    return When;
  DramFreeAt = std::max(DramFreeAt, double(When)) +
               double(Sectors * SectorBytes) / Options.DramBytesPerCycle;
  return Cycle(DramFreeAt);
}

Cycle L2Model::readLine(unsigned Side, uint64_t Line, uint32_t Sectors,
                        const L2Request &R) {
  Traffic &T = Rows[R.Row];
  if (Profile)
    Profile->access(Line, Sectors, true);
  SectoredCache &Near = Sides[Side];
  const uint32_t Set = Near.setOf(Line);
  SectoredCache::State &S = Near.at(slotFor(Side, Line, Set, R.Row));
  const uint32_t Hit = S.Valid & Sectors, Missing = Sectors & ~Hit;
  T.L2ReadHits += std::popcount(Hit);
  const Cycle Served =
      throughBank(Side, Line, unsigned(std::popcount(Sectors)), R.When);
  const Cycle HitAt = Served + Options.L2.LatencyCycles;
  if (Missing == 0)
    return std::max(HitAt, Cycle(S.ReadyAt));
  const unsigned Home = homeOf(Line);
  const uint32_t Fill = Near.fillOf(Missing);
  uint32_t FromDram = Fill & ~S.Valid;
  Cycle ReadyAt = HitAt;
  if (Home != Side) {
    SectoredCache::State &H = Sides[Home].at(slotFor(Home, Line, Set, R.Row));
    FromDram &= ~H.Valid;
    // A line whose other half the home has too is not read again for it.
    if ((Missing & ~H.Valid) == 0)
      FromDram = 0;
    ReadyAt = std::max(HitAt + Options.FarCycles, Cycle(H.ReadyAt));
    H.Valid |= FromDram;
    S.Valid |= Fill & H.Valid;
    if (FromDram != 0)
      H.ReadyAt = throughDram(unsigned(std::popcount(FromDram)), Served) +
                  Options.DramCycles;
    ReadyAt = std::max(ReadyAt, Cycle(H.ReadyAt));
  } else {
    S.Valid |= Fill;
    ReadyAt = throughDram(unsigned(std::popcount(FromDram)), Served) +
              Options.DramCycles;
  }
  T.DramReadSectors += std::popcount(FromDram);
  S.ReadyAt = ReadyAt;
  return ReadyAt;
}

bool L2Model::mergedStore(unsigned Sm, const L2Request &R) {
  if (Stores.empty() || R.What != Access::Kind::Store)
    return false;
  RecentStore &M = Stores[Sm * StoresKept + hashOf(R.FirstSector) % StoresKept];
  if (M.FirstSector == R.FirstSector && M.Sectors == R.Sectors &&
      M.Warp != R.Warp && R.When - M.When <= Options.StoreMergeCycles)
    return true;
  M = {R.FirstSector, R.When, R.Sectors, R.Warp};
  return false;
}

Cycle L2Model::store(unsigned Sm, const L2Request &R) {
  if (mergedStore(Sm, R))
    return R.When;
  Rows[R.Row].L2WriteSectors += std::popcount(R.Sectors);
  forEachLine(R.FirstSector, R.Sectors, Sides.front().logSectors(),
              [&](uint64_t Line, uint32_t Here) {
                writeLine(SideOf[Sm], Line, Here, R);
              });
  if (StoreBytesPerCycle == 0)
    return R.When;
  StoresUntil = std::max(StoresUntil, double(R.When)) +
                double(unsigned(std::popcount(R.Sectors)) * SectorBytes) /
                    StoreBytesPerCycle;
  return Cycle(StoresUntil);
}

/// Data is kept at home, and near the SM that wrote it; copies elsewhere are
/// no longer true.
void L2Model::writeLine(unsigned Side, uint64_t Line, uint32_t Sectors,
                        const L2Request &R) {
  if (Profile)
    Profile->access(Line, Sectors, false);
  throughBank(Side, Line, unsigned(std::popcount(Sectors)), R.When);
  const unsigned Home = homeOf(Line);
  const uint32_t Set = Sides.front().setOf(Line);
  for (unsigned I = 0; I != Sides.size(); ++I) {
    if (I == Home || I == Side) {
      const uint32_t Slot = slotFor(I, Line, Set, R.Row);
      Sides[I].at(Slot).Valid |= Sectors;
      if (I == Home)
        Sides[I].markDirty(Slot, Sectors);
    } else if (const uint32_t Slot = Sides[I].find(Line, Set);
               Slot != SectoredCache::None) {
      Sides[I].at(Slot).Valid &= ~Sectors;
    }
  }
}
