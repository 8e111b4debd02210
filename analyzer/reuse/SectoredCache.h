//===- SectoredCache.h - One cache's tags and sectors -----------*- C++ -*-===//
//
// The state of one cache: which lines it has and which of their 32-byte sectors
// are valid. It knows nothing of loads, stores or time; SmModel and L2Model
// decide what an access does.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_SECTOREDCACHE_H
#define WARPWISE_ANALYZER_REUSE_SECTOREDCACHE_H

#include "analyzer/reuse/SetIndex.h"
#include "analyzer/reuse/TableMemory.h"
#include "analyzer/reuse/Trace.h"

namespace warpwise::reuse {

/// Calls \p Use(line, sectors of it) for each line of 2^\p LogSectors sectors
/// that the sectors from \p First on fall into.
template <typename Callable>
void forEachLine(uint64_t First, uint32_t Sectors, unsigned LogSectors,
                 Callable Use) {
  while (Sectors != 0) {
    const unsigned PerLine = 1u << LogSectors;
    const unsigned Offset = unsigned(First) & (PerLine - 1);
    const unsigned Room = PerLine - Offset;
    const uint64_t Fit = (uint64_t(1) << std::min(Room, 32u)) - 1;
    if (const uint32_t Here = uint32_t(Sectors & Fit))
      Use(First >> LogSectors, Here << Offset);
    Sectors = Room < 32 ? Sectors >> Room : 0;
    First += Room;
  }
}

class SectoredCache {
public:
  static constexpr uint32_t None = ~0u;

  /// Four of them are one line of the host's cache.
  struct State {
    uint32_t Valid = 0;   ///< a bit for each 32 bytes
    uint32_t ReadyAt = 0; ///< when the last fill arrives, for the owner

  private:
    friend SectoredCache;
    uint32_t Tag = 0;
    uint32_t Rank = 0; ///< the least leaves first; 0: the slot is empty
  };

  /// With \p CapacityBytes of data instead of what \p Level says; \p Index is
  /// for the sets of that many bytes.
  SectoredCache(const CacheLevel &Level, uint64_t CapacityBytes,
                const SetIndex &Index);

  /// The sectors of a line, as a power of two.
  unsigned logSectors() const { return LogSectors; }
  /// What a miss of \p Sectors brings in.
  uint32_t fillOf(uint32_t Sectors) const {
    if (PerFill == 1)
      return Sectors;
    uint32_t Fill = 0;
    for (unsigned I = 0; I >> LogSectors == 0; I += PerFill)
      if (const uint32_t Granule = FillMask << I; Sectors & Granule)
        Fill |= Granule;
    return Fill;
  }

  uint32_t setOf(uint64_t Line) const { return Index(Line); }
  /// See ZeroedArray.
  void populate() { States.populate(); }

  /// The slot of \p Line, or None.
  uint32_t find(uint64_t Line) const { return find(Line, setOf(Line)); }
  uint32_t find(uint64_t Line, uint32_t Set) const {
    const uint32_t Base = Set * Ways, Tag = tagOf(Line);
    for (uint32_t Slot = Base; Slot != Base + Ways; ++Slot)
      if (States[Slot].Tag == Tag && valid(Slot))
        return Slot;
    return None;
  }
  /// Fetches what find and allocate will read.
  void prefetch(uint32_t Set) const {
    for (unsigned I = 0; I < Ways; I += 4)
      __builtin_prefetch(&States[Set * Ways + I], 1);
  }
  State &at(uint32_t Slot) { return States[Slot]; }
  /// The sectors in \p Slot have to be written back when they leave.
  void markDirty(uint32_t Slot, uint32_t Sectors) {
    if (Dirty.empty())
      Dirty = ZeroedArray<uint32_t>(size_t(Index.sets()) * Ways);
    Dirty[Slot] |= Sectors;
  }

  /// The line in \p Slot was used.
  void touch(uint32_t Slot) {
    if (Policy == Replacement::Lru)
      at(Slot).Rank = ++Clock;
    else if (Policy == Replacement::Lfu)
      ++at(Slot).Rank;
    if (!UsedAt.empty())
      UsedAt[Slot] = ++Clock;
  }
  /// Makes room for \p Line, which is absent: a slot without valid sectors.
  /// \p DirtyOut: sectors that had to be written back.
  uint32_t allocate(uint64_t Line, uint32_t &DirtyOut) {
    return allocate(Line, setOf(Line), DirtyOut);
  }
  uint32_t allocate(uint64_t Line, uint32_t Set, uint32_t &DirtyOut);
  /// Forgets the line in \p Slot.
  void drop(uint32_t Slot);

private:
  uint32_t victimOf(uint32_t Set);
  uint32_t poolVictim(uint32_t Set);
  bool valid(uint32_t Slot) const { return States[Slot].Rank != 0; }
  /// Different for lines that are less than 2^32 lines apart, which are 512 GiB
  /// in lines of 128 bytes.
  static uint32_t tagOf(uint64_t Line) {
    return uint32_t(Line) ^ uint32_t(Line >> 32) * 0x9E3779B1;
  }
  uint32_t random(uint32_t Bound);
  /// When the line in \p Slot was last used, for Pool.
  uint32_t lastUse(uint32_t Slot) const {
    return UsedAt.empty() ? States[Slot].Rank : UsedAt[Slot];
  }
  uint32_t leastRecentlyUsed();

  SetIndex Index;
  unsigned Ways, LogSectors, PerFill;
  uint32_t FillMask;
  Replacement Policy;
  PoolVictim Pool;
  uint32_t Lines, Used = 0; ///< of the data array
  uint32_t Clock = 0, Hand = 0, Seed = 12345;
  ZeroedArray<State> States;
  ZeroedArray<uint32_t> Dirty; ///< sectors by slot; empty: none
  /// By slot, where the pool's victim is the least recently used line and the
  /// ranks do not tell it.
  std::vector<uint32_t> UsedAt;
  /// Some of the least recently used lines, the oldest last: when each was used
  /// and its slot. One that was used since does not count any more.
  std::vector<std::pair<uint32_t, uint32_t>> Oldest;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SECTOREDCACHE_H
