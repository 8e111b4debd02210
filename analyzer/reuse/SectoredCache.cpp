//===- SectoredCache.cpp - One cache's tags and sectors -------------------===//

#include "analyzer/reuse/SectoredCache.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <utility>

using namespace warpwise;
using namespace warpwise::reuse;

SectoredCache::SectoredCache(const CacheLevel &Level, uint64_t CapacityBytes,
                             const SetIndex &Index)
    : Index(Index), Ways(Level.Ways),
      LogSectors(unsigned(std::countr_zero(Level.LineBytes / SectorBytes))),
      PerFill(Level.FillBytes / SectorBytes),
      FillMask(uint32_t((uint64_t(1) << PerFill) - 1)), Policy(Level.Policy),
      Pool(Level.Pool) {
  assert(std::has_single_bit(Level.LineBytes) && LogSectors <= 5 &&
         "the sectors of a line are the bits of a word");
  assert(PerFill != 0 && Level.LineBytes % Level.FillBytes == 0);
  const uint64_t Slots = uint64_t(Index.sets()) * Ways;
  assert(Slots < None && "more lines than slots can name");
  Lines = uint32_t(std::min<uint64_t>(
      Slots, std::max<uint64_t>(1, CapacityBytes / Level.LineBytes)));
  // States come last: of many ways the first are used, so the end of theirs is
  // seldom touched, and should not share a page with what is.
  if (Ways > MostNarrowWays) {
    PrintBytes = (Ways + PrintsAtOnce - 1) / PrintsAtOnce * PrintsAtOnce;
    Prints = ZeroedArray<uint8_t>(size_t(Index.sets()) * PrintBytes);
  } else {
    Filled = ZeroedArray<uint8_t>(Index.sets());
  }
  States = RawArray<State>(Slots);
  DirtyBytes = ((1u << LogSectors) + 7) / 8;
  if (Pool == PoolVictim::Lru && Lines < Slots && Policy != Replacement::Lru)
    UsedAt.resize(Slots);
  CountsUses = Policy == Replacement::Lfu || !UsedAt.empty();
}

void SectoredCache::countUse(uint32_t Slot) {
  if (Policy == Replacement::Lfu)
    ++at(Slot).Rank;
  if (!UsedAt.empty())
    UsedAt[Slot] = ++Clock;
}

SectoredCache::Lookup SectoredCache::lookAtFew(uint64_t Line,
                                               uint32_t Set) const {
  switch (Ways) {
  case 1:
    return lookAtAll<1>(Line, Set);
  case 2:
    return lookAtAll<2>(Line, Set);
  default:
    return lookAtAll<3>(Line, Set);
  }
}

SectoredCache::Lookup SectoredCache::lookAtMany(uint64_t Line,
                                                uint32_t Set) const {
  const uint8_t *const Of = printsOf(Set);
  for (unsigned First = 0; First < Ways; First += PrintsAtOnce)
    for (uint32_t Left = equalBytes(Of + First, printOf(Line)); Left != 0;
         Left &= Left - 1) {
      const Lookup At = placeOf(Set, First + firstOf(Left), true);
      if (States[At.Slot].Tag == tagOf(Line))
        return At;
    }
  for (unsigned First = 0; First < Ways; First += PrintsAtOnce)
    if (const uint32_t Free = equalBytes(Of + First, 0); Free != 0) {
      // Behind the last way there are zeros, too.
      if (const unsigned Way = First + firstOf(Free); Way < Ways)
        return placeOf(Set, Way, false);
      break;
    }
  return {None, 0, false};
}

uint32_t SectoredCache::random(uint32_t Bound) {
  Seed = Seed * 1664525 + 1013904223;
  return uint32_t(uint64_t(Seed) * Bound >> 32);
}

/// Of all lines. All slots are looked at for many answers at once, so that
/// using a line costs nothing.
uint32_t SectoredCache::leastRecentlyUsed() {
  assert(Used != 0 && "no line could leave");
  constexpr size_t AtOnce = 256, Ahead = 6;
  while (true) {
    while (!Oldest.empty()) {
      const auto [When, Slot] = Oldest.back();
      Oldest.pop_back();
      if (Oldest.size() >= Ahead)
        __builtin_prefetch(&States[Oldest[Oldest.size() - Ahead].second], 1);
      if (valid(Slot) && lastUse(Slot) == When)
        return Slot;
    }
    for (uint32_t Slot = 0; Slot != Index.sets() * Ways; ++Slot)
      if (valid(Slot))
        Oldest.push_back({lastUse(Slot), Slot});
    if (Oldest.size() > AtOnce) {
      std::nth_element(Oldest.begin(), Oldest.begin() + AtOnce, Oldest.end());
      Oldest.resize(AtOnce);
    }
    std::sort(Oldest.begin(), Oldest.end(), std::greater<>());
  }
}

/// The line of the set that the policy gives up, or None if it has none.
uint32_t SectoredCache::victimOf(uint32_t Set) {
  if (Policy == Replacement::Random) {
    uint32_t Present = 0;
    for (unsigned Way = 0; Way != Ways; ++Way)
      Present += hasLine(Set, Way);
    if (Present == 0)
      return None;
    uint32_t Skip = random(Present);
    unsigned Way = 0;
    while (!hasLine(Set, Way) || Skip-- != 0)
      ++Way;
    return slotOf(Set, Way);
  }
  uint32_t Victim = None;
  for (unsigned Way = 0; Way != Ways; ++Way)
    if (const uint32_t Slot = slotOf(Set, Way);
        hasLine(Set, Way) &&
        (Victim == None || at(Slot).Rank < at(Victim).Rank))
      Victim = Slot;
  return Victim;
}

/// The line that leaves a full data array; there is one.
uint32_t SectoredCache::poolVictim(uint32_t Set) {
  if (Pool == PoolVictim::Lru)
    return leastRecentlyUsed();
  if (Pool == PoolVictim::Random) {
    uint32_t Slot = random(Index.sets() * Ways);
    while (!valid(Slot))
      Slot = random(Index.sets() * Ways);
    return Slot;
  }
  uint32_t Victim = victimOf(Set);
  while (Victim == None) {
    Hand = Hand + 1 == Index.sets() ? 0 : Hand + 1;
    Victim = victimOf(Hand);
  }
  return Victim;
}

uint32_t SectoredCache::drop(uint32_t Slot) {
  assert(valid(Slot) && Used != 0 && "no line is there");
  uint32_t WereDirty = 0;
  if (!Dirty.empty())
    for (unsigned I = 0; I != DirtyBytes; ++I)
      WereDirty |=
          uint32_t(std::exchange(Dirty[size_t(Slot) * DirtyBytes + I], 0))
          << 8 * I;
  const uint32_t Set = setOfSlot(Slot), Way = wayOf(Slot);
  if (Prints.empty())
    Filled[Set] &= uint8_t(~(1u << Way));
  else
    Prints[size_t(Set) * PrintBytes + Way] = 0;
  --Used;
  ++Dropped;
  return WereDirty;
}

/// Gives up a line, and makes \p At its slot if the set was full. Returns its
/// dirty sectors.
uint32_t SectoredCache::makeRoom(uint32_t Set, Lookup &At) {
  const uint32_t Victim = At.Slot == None ? victimOf(Set) : poolVictim(Set);
  assert(Victim != None && "a full set has lines");
  const uint32_t WereDirty = drop(Victim);
  if (At.Slot == None)
    At = {Victim, wayOf(Victim), false};
  return WereDirty;
}
