//===- SectoredCache.h - One cache's tags and sectors -----------*- C++ -*-===//
//
// The state of one cache: which lines it has and which of their 32-byte sectors
// are valid. It knows nothing of loads, stores or time; SmModel and L2Model
// decide what an access does.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_SECTOREDCACHE_H
#define WARPWISE_ANALYZER_REUSE_SECTOREDCACHE_H

#include "analyzer/reuse/Bits.h"
#include "analyzer/reuse/SetIndex.h"
#include "analyzer/reuse/TableMemory.h"
#include "analyzer/reuse/Trace.h"

#include <algorithm>
#include <bit>

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
    uint32_t Rank = 0; ///< the least leaves first
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

  /// Where a line is, or may go.
  struct Lookup {
    uint32_t Slot; ///< None: its set is full
    uint32_t Way;
    bool HasLine;
  };
  [[gnu::always_inline]] Lookup look(uint64_t Line, uint32_t Set) const {
    if (Prints.empty())
      return Ways == MostNarrowWays ? lookAtAll<MostNarrowWays>(Line, Set)
                                    : lookAtFew(Line, Set);
    // Mostly it is where the first equal print is or, if none is, nowhere.
    const uint8_t *const Of = printsOf(Set);
    if (const uint32_t Found = equalBytes(Of, printOf(Line))) {
      const Lookup At = placeOf(Set, firstOf(Found), true);
      if (States[At.Slot].Tag == tagOf(Line))
        return At;
    } else if (Ways <= PrintsAtOnce) {
      const uint32_t Free = equalBytes(Of, 0);
      if (firstOf(Free) < Ways)
        return placeOf(Set, firstOf(Free), false);
    }
    return lookAtMany(Line, Set);
  }
  /// The slot of \p Line, or None.
  uint32_t find(uint64_t Line) const { return find(Line, setOf(Line)); }
  uint32_t find(uint64_t Line, uint32_t Set) const {
    const Lookup At = look(Line, Set);
    return At.HasLine ? At.Slot : None;
  }
  /// Fetches what looking for a line reads first,
  void prefetch(uint32_t Set) const {
    if (Prints.empty())
      __builtin_prefetch(&States[size_t(Set) * Ways], 1);
    else
      __builtin_prefetch(&Prints[size_t(Set) * PrintBytes], 1);
  }
  /// and then, when that has come, the slot that will most likely be used.
  void prefetchSlot(uint64_t Line, uint32_t Set) const {
    if (Prints.empty())
      return;
    const uint8_t *const Of = printsOf(Set);
    uint32_t Found = equalBytes(Of, printOf(Line));
    if (Found == 0)
      Found = equalBytes(Of, 0);
    if (const unsigned Way = firstOf(Found); Way < Ways)
      __builtin_prefetch(&States[Way * Index.sets() + Set], 1);
  }
  State &at(uint32_t Slot) { return States[Slot]; }
  void prefetchState(uint32_t Slot) const {
    __builtin_prefetch(&States[Slot], 1);
  }
  /// The sectors in \p Slot have to be written back when they leave.
  void markDirty(uint32_t Slot, uint32_t Sectors) {
    if (Dirty.empty())
      Dirty = ZeroedArray<uint8_t>(size_t(Index.sets()) * Ways * DirtyBytes);
    for (uint8_t *Byte = &Dirty[size_t(Slot) * DirtyBytes]; Sectors != 0;
         Sectors >>= 8)
      *Byte++ |= uint8_t(Sectors);
  }

  /// The line in \p Slot was used.
  void touch(uint32_t Slot) {
    if (Policy == Replacement::Lru)
      at(Slot).Rank = ++Clock;
    else if (CountsUses)
      countUse(Slot);
  }
  /// Makes room for \p Line, which is absent: a slot without valid sectors.
  /// \p DirtyOut: sectors that had to be written back.
  uint32_t allocate(uint64_t Line, uint32_t &DirtyOut) {
    const uint32_t Set = setOf(Line);
    return allocate(Line, Set, look(Line, Set), DirtyOut);
  }
  /// The same, where \p At is what look said of the line.
  uint32_t allocate(uint64_t Line, uint32_t Set, Lookup At,
                    uint32_t &DirtyOut) {
    DirtyOut = 0;
    if (At.Slot == None || Used == Lines)
      DirtyOut = makeRoom(Set, At);
    ++Used;
    if (Prints.empty())
      Filled[Set] |= uint8_t(1u << At.Way);
    else
      Prints[size_t(Set) * PrintBytes + At.Way] = printOf(Line);
    State &S = at(At.Slot);
    S = State(); // whatever an earlier line or launch left
    S.Tag = tagOf(Line);
    S.Rank = Policy == Replacement::Lfu ? 1 : ++Clock;
    if (!UsedAt.empty())
      UsedAt[At.Slot] = ++Clock;
    return At.Slot;
  }
  /// Forgets the line in \p Slot. Returns the sectors that have to be written
  /// back.
  uint32_t drop(uint32_t Slot);
  /// Lines that were allocated so far.
  uint64_t allocated() const { return Used + Dropped; }

private:
  /// More ways than fit into a line of the host's cache are not looked at one
  /// by one: there is a byte of each line's hash, 0 where there is none, and
  /// the bytes of a set are side by side. States then go way by way, and so a
  /// launch that fills a few ways of each set touches a few pages, and lines
  /// that are neighbours in memory are so here.
  static constexpr unsigned MostNarrowWays = 4;
  static constexpr unsigned PrintsAtOnce = 16;

  static uint8_t printOf(uint64_t Line) {
    const auto Print = uint8_t(mixed(Line) >> 56);
    return Print == 0 ? 1 : Print;
  }
  const uint8_t *printsOf(uint32_t Set) const {
    return &Prints[size_t(Set) * PrintBytes];
  }
  /// The first of \p Ways, or 32.
  static unsigned firstOf(uint32_t Ways) {
    return unsigned(std::countr_zero(Ways));
  }

  Lookup lookAtFew(uint64_t Line, uint32_t Set) const;
  /// All \p Count ways are looked at, whatever they hold: what the host cannot
  /// foresee costs it more.
  template <unsigned Count>
  Lookup lookAtAll(uint64_t Line, uint32_t Set) const {
    const uint32_t Base = Set * Count, Tag = tagOf(Line);
    const State *const Of = &States[Base];
    uint32_t Found = 0;
    for (unsigned Way = 0; Way != Count; ++Way)
      Found |= uint32_t(Of[Way].Tag == Tag) << Way;
    Found &= Filled[Set];
    const uint32_t Free = ~uint32_t(Filled[Set]) & ((1u << Count) - 1);
    const uint32_t Best = Found != 0 ? Found : Free;
    if (Best == 0)
      return {None, 0, false};
    return {Base + firstOf(Best), firstOf(Best), Found != 0};
  }
  Lookup lookAtMany(uint64_t Line, uint32_t Set) const;
  /// Where there are many ways.
  Lookup placeOf(uint32_t Set, unsigned Way, bool HasLine) const {
    return {Way * Index.sets() + Set, Way, HasLine};
  }

  uint32_t slotOf(uint32_t Set, unsigned Way) const {
    return Prints.empty() ? Set * Ways + Way : Way * Index.sets() + Set;
  }
  uint32_t wayOf(uint32_t Slot) const {
    return Prints.empty() ? Slot % Ways : Slot / Index.sets();
  }
  bool hasLine(uint32_t Set, unsigned Way) const {
    return Prints.empty() ? (Filled[Set] >> Way & 1) != 0
                          : Prints[size_t(Set) * PrintBytes + Way] != 0;
  }
  uint32_t setOfSlot(uint32_t Slot) const {
    return Prints.empty() ? Slot / Ways : Slot % Index.sets();
  }
  void countUse(uint32_t Slot);
  uint32_t makeRoom(uint32_t Set, Lookup &At);
  uint32_t victimOf(uint32_t Set);
  uint32_t poolVictim(uint32_t Set);
  bool valid(uint32_t Slot) const {
    return hasLine(setOfSlot(Slot), wayOf(Slot));
  }
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
  bool CountsUses;          ///< other than by rank of Lru
  uint32_t Lines, Used = 0; ///< of the data array
  uint64_t Dropped = 0;     ///< lines, so far
  uint32_t Clock = 0, Hand = 0, Seed = 12345;
  RawArray<State> States;      ///< means something where there is a line
  ZeroedArray<uint8_t> Filled; ///< by set, a bit for each way with a line;
                               ///< empty: many ways
  ZeroedArray<uint8_t> Prints; ///< by set and way; empty: few ways
  unsigned PrintBytes = 0;     ///< of a set
  ZeroedArray<uint8_t> Dirty;  ///< sectors by slot; empty: none
  unsigned DirtyBytes;         ///< of a slot
  /// By slot, where the pool's victim is the least recently used line and the
  /// ranks do not tell it.
  std::vector<uint32_t> UsedAt;
  /// Some of the least recently used lines, the oldest last: when each was used
  /// and its slot. One that was used since does not count any more.
  std::vector<std::pair<uint32_t, uint32_t>> Oldest;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SECTOREDCACHE_H
