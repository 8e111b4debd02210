//===- SectoredCacheTest.cpp - The cache against a list of lines ----------===//

#include "analyzer/reuse/SectoredCache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace warpwise::reuse;

namespace {

CacheLevel level(unsigned Ways, Replacement Policy) {
  CacheLevel L;
  L.Ways = Ways;
  L.Policy = Policy;
  L.Index = IndexFunction::Modulo;
  return L;
}

SectoredCache cacheOf(const CacheLevel &L, uint64_t Bytes) {
  return SectoredCache(L, Bytes, SetIndex(L, setsOf(L, Bytes)));
}

/// Loads sectors as SmModel does; returns those that hit.
uint32_t load(SectoredCache &C, uint64_t Line, uint32_t Sectors) {
  uint32_t Slot = C.find(Line), Dirty = 0;
  if (Slot == SectoredCache::None)
    Slot = C.allocate(Line, Dirty);
  const uint32_t Hit = C.at(Slot).Valid & Sectors;
  C.at(Slot).Valid |= C.fillOf(Sectors & ~Hit);
  C.touch(Slot);
  return Hit;
}

/// A cache that looks at all lines for each answer. Sets have as many ways as
/// their tags, the data array \p Room lines.
class ListedCache {
public:
  ListedCache(unsigned Sets, unsigned Ways, size_t Room, Replacement Policy,
              PoolVictim Pool)
      : Slots(Sets, std::vector<Line>(Ways)), Room(Room), Policy(Policy),
        Pool(Pool) {}

  uint32_t load(uint64_t Number, uint32_t Sectors) {
    ++Time;
    Line *At = find(Number);
    if (!At) {
      At = placeFor(Number);
      *At = {Number, Time, Time, 0, 0};
    }
    const uint32_t Hit = At->Valid & Sectors;
    At->Valid |= Sectors;
    At->Used = Time;
    ++At->Count;
    return Hit;
  }
  bool drop(uint64_t Number) {
    Line *At = find(Number);
    if (At)
      *At = Line();
    return At;
  }

private:
  struct Line {
    uint64_t Number = ~uint64_t(0), Filled = 0, Used = 0, Count = 0;
    uint32_t Valid = 0;
    bool empty() const { return Number == ~uint64_t(0); }
  };
  std::vector<std::vector<Line>> Slots;
  const size_t Room;
  const Replacement Policy;
  const PoolVictim Pool;
  uint64_t Time = 0;
  size_t Hand = 0;

  Line *find(uint64_t Number) {
    for (Line &L : Slots[Number % Slots.size()])
      if (L.Number == Number)
        return &L;
    return nullptr;
  }
  size_t used() const {
    size_t Used = 0;
    for (const std::vector<Line> &Set : Slots)
      for (const Line &L : Set)
        Used += !L.empty();
    return Used;
  }
  /// Where equals compete, the first way leaves.
  Line *victimOf(std::vector<Line> &Set) const {
    Line *Victim = nullptr;
    const auto rank = [&](const Line &L) {
      return Policy == Replacement::Lru    ? L.Used
             : Policy == Replacement::Fifo ? L.Filled
                                           : L.Count;
    };
    for (Line &L : Set)
      if (!L.empty() && (!Victim || rank(L) < rank(*Victim)))
        Victim = &L;
    return Victim;
  }
  Line *placeFor(uint64_t Number) {
    std::vector<Line> &Set = Slots[Number % Slots.size()];
    const auto Free = std::find_if(Set.begin(), Set.end(),
                                   [](const Line &L) { return L.empty(); });
    if (Free == Set.end())
      return victimOf(Set);
    if (used() == Room)
      *poolVictim(Set) = Line();
    return &*Free;
  }
  Line *poolVictim(std::vector<Line> &Set) {
    Line *Victim = nullptr;
    if (Pool == PoolVictim::Lru) {
      for (std::vector<Line> &Other : Slots)
        for (Line &L : Other)
          if (!L.empty() && (!Victim || L.Used < Victim->Used))
            Victim = &L;
      return Victim;
    }
    Victim = victimOf(Set);
    while (!Victim) {
      Hand = (Hand + 1) % Slots.size();
      Victim = victimOf(Slots[Hand]);
    }
    return Victim;
  }
};

using Shape = std::tuple<Replacement, unsigned>; ///< and ways

class Policies : public testing::TestWithParam<Shape> {};

void compare(const CacheLevel &L, unsigned Sets, size_t Room) {
  SectoredCache C = cacheOf(L, Room * 128);
  ListedCache Listed(Sets, L.Ways, Room, L.Policy, L.Pool);
  std::mt19937_64 Random(5);
  const uint64_t Lines = Sets * L.Ways * 3 / 2;
  for (unsigned Time = 0; Time != 6000; ++Time) {
    const uint64_t Line = Random() % Lines;
    if (Random() % 16 == 0) {
      const uint32_t Slot = C.find(Line);
      ASSERT_EQ(Slot != SectoredCache::None, Listed.drop(Line));
      if (Slot != SectoredCache::None)
        C.drop(Slot);
      continue;
    }
    const auto Sectors = uint32_t(1 + Random() % 15);
    ASSERT_EQ(load(C, Line, Sectors), Listed.load(Line, Sectors))
        << "at " << Time;
  }
}

TEST_P(Policies, AgreeWithAListOfLines) {
  const auto [Policy, Ways] = GetParam();
  compare(level(Ways, Policy), 6, 6 * Ways);
}

TEST_P(Policies, AgreeWithAListOfLinesInAPool) {
  const auto [Policy, Ways] = GetParam();
  for (PoolVictim Pool : {PoolVictim::Set, PoolVictim::Lru}) {
    CacheLevel L = level(Ways, Policy);
    L.Sets = 6;
    L.Pool = Pool;
    compare(L, 6, 4 * Ways + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Policies,
    testing::Combine(testing::Values(Replacement::Lru, Replacement::Fifo,
                                     Replacement::Lfu),
                     testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17,
                                     20, 33, 64)));

/// The first lines of set 0 whose hash has the same byte as line 0's.
std::vector<uint64_t> likeLineZero(unsigned Sets, size_t Count) {
  std::vector<uint64_t> Lines;
  for (uint64_t Line = Sets; Lines.size() != Count; Line += Sets)
    if (Line * 0x9E3779B97F4A7C15 >> 56 <= 1)
      Lines.push_back(Line);
  return Lines;
}

TEST(SectoredCache, LinesThatLeftWereAllocated) {
  SectoredCache C = cacheOf(level(2, Replacement::Lru), 4 * 128);
  for (uint64_t Line : {0, 1, 0, 2, 4, 6})
    load(C, Line, 1);
  EXPECT_EQ(C.allocated(), 5u);
  C.drop(C.find(6));
  EXPECT_EQ(C.allocated(), 5u);
}

TEST(SectoredCache, EmptyWaysHoldNoLine) {
  // The first lines of memory differ from what is empty in nothing but that.
  for (unsigned Ways : {4, 5, 8, 12, 16}) {
    SectoredCache C = cacheOf(level(Ways, Replacement::Lru), 4 * Ways * 128);
    const std::vector<uint64_t> Others = likeLineZero(4, 2);
    EXPECT_EQ(load(C, Others[0], 1), 0u);
    EXPECT_EQ(C.find(0), SectoredCache::None) << Ways;
    EXPECT_EQ(load(C, 0, 0b1111), 0u);
    EXPECT_EQ(load(C, Others[1], 1), 0u) << Ways;
    EXPECT_EQ(load(C, 0, 0b1111), 0b1111u) << Ways;
  }
}

TEST(SectoredCache, WaysBehindTheLastHoldNoLine) {
  constexpr unsigned Sets = 4, Ways = 5;
  SectoredCache C = cacheOf(level(Ways, Replacement::Lru), Sets * Ways * 128);
  // Room for what must not be touched: the table behind has zeros, too.
  const ZeroedArray<uint64_t> Behind(1024);
  for (uint64_t Line : likeLineZero(Sets, Ways))
    load(C, Line, 1);
  EXPECT_EQ(C.find(0), SectoredCache::None);
  EXPECT_EQ(load(C, 0, 1), 0u);
  EXPECT_EQ(load(C, 0, 1), 1u);
}

TEST(SectoredCache, LfuKeepsWhatIsUsedOften) {
  SectoredCache C = cacheOf(level(2, Replacement::Lfu), 2 * 128);
  load(C, 1, 1);
  load(C, 1, 1);
  for (uint64_t Line = 2; Line != 50; ++Line)
    load(C, Line, 1);
  EXPECT_EQ(load(C, 1, 1), 1u);
}

TEST(SectoredCache, RandomGivesEveryWayAChance) {
  SectoredCache C = cacheOf(level(4, Replacement::Random), 4 * 128);
  // A cycle of five lines in four ways: LRU would miss everything.
  unsigned Hits = 0;
  for (unsigned I = 0; I != 5000; ++I)
    Hits += load(C, I % 5, 1);
  EXPECT_GT(Hits, 2000u);
  EXPECT_LT(Hits, 4000u);
}

TEST(SectoredCache, RandomReplacesOneLineOfTheFullSet) {
  // Which one leaves is the cache's choice; everything else is not.
  constexpr unsigned Sets = 4, Ways = 4, Lines = 40;
  SectoredCache C =
      cacheOf(level(Ways, Replacement::Random), Sets * Ways * 128);
  std::map<uint64_t, uint32_t> Held; // valid sectors by line
  std::mt19937_64 Random(11);
  for (unsigned Time = 0; Time != 5000; ++Time) {
    const uint64_t Line = Random() % Lines;
    const uint32_t Sectors = uint32_t(1 + Random() % 15);
    const auto At = Held.find(Line);
    const uint32_t Expected = At == Held.end() ? 0 : At->second & Sectors;
    ASSERT_EQ(load(C, Line, Sectors), Expected) << "at " << Time;
    const auto inSet = [&](uint64_t Other) {
      return Other % Sets == Line % Sets;
    };
    const bool Full =
        std::count_if(Held.begin(), Held.end(),
                      [&](const auto &H) { return inSet(H.first); }) == Ways;
    const size_t Left = std::erase_if(Held, [&](const auto &H) {
      return C.find(H.first) == SectoredCache::None;
    });
    ASSERT_EQ(Left, At == Held.end() && Full ? 1u : 0u) << "at " << Time;
    Held[Line] |= Sectors;
  }
}

TEST(SectoredCache, FillsWholeGranules) {
  CacheLevel L = level(4, Replacement::Lru);
  L.FillBytes = 64;
  SectoredCache C = cacheOf(L, 4096);
  EXPECT_EQ(load(C, 3, 0b0100), 0u);
  EXPECT_EQ(load(C, 3, 0b1111), 0b1100u);
}

TEST(SectoredCache, PoolSmallerThanTheTags) {
  for (PoolVictim Victim :
       {PoolVictim::Set, PoolVictim::Lru, PoolVictim::Random}) {
    CacheLevel L = level(4, Replacement::Lru);
    L.Sets = 16; // 64 tags
    L.Pool = Victim;
    SectoredCache C = cacheOf(L, 50 * 128);
    // A contiguous footprint of the pool's size fits exactly.
    for (unsigned Pass = 0; Pass != 3; ++Pass)
      for (uint64_t Line = 0; Line != 50; ++Line)
        EXPECT_EQ(load(C, Line, 1), Pass == 0 ? 0u : 1u);
    // More does not, and never more than the pool is present.
    std::mt19937_64 Random(1);
    for (unsigned I = 0; I != 3000; ++I)
      load(C, Random() % 300, 1);
    unsigned Present = 0;
    for (uint64_t Line = 0; Line != 300; ++Line)
      Present += C.find(Line) != SectoredCache::None;
    EXPECT_EQ(Present, 50u);
  }
}

TEST(SetIndex, MasksAreParities) {
  CacheLevel L;
  L.XorMasks = {0b0101, 0b1010};
  const SetIndex Index(L, 4);
  EXPECT_EQ(Index(0b0001), 1u);
  EXPECT_EQ(Index(0b0101), 0u);
  EXPECT_EQ(Index(0b1111), 0u);
  EXPECT_EQ(Index(0b1100), 3u);
}

/// Sets that a stride of lines uses.
size_t setsUsed(const SetIndex &Index, uint64_t Stride, unsigned Count) {
  std::set<uint32_t> Used;
  for (uint64_t I = 0; I != Count; ++I)
    Used.insert(Index(I * Stride));
  return Used.size();
}

TEST(SetIndex, SpreadStrides) {
  CacheLevel L;
  for (uint64_t Sets : {512u, 482u}) {
    L.Index = IndexFunction::Xor;
    EXPECT_EQ(setsUsed(SetIndex(L, Sets), 1, unsigned(Sets)), Sets);
    EXPECT_GT(setsUsed(SetIndex(L, Sets), Sets, 64), 32u);
    L.Index = IndexFunction::Modulo;
    EXPECT_EQ(setsUsed(SetIndex(L, Sets), Sets, 64), 1u);
    L.Index = IndexFunction::Prime;
    EXPECT_EQ(setsUsed(SetIndex(L, Sets), Sets, 64), 64u);
    L.Index = IndexFunction::ShiftedModulo;
    L.IndexShift = 3;
    EXPECT_EQ(setsUsed(SetIndex(L, Sets), 1, 64), 8u);
  }
}

TEST(ForEachLine, SplitsAndJoins) {
  std::vector<std::pair<uint64_t, uint32_t>> Seen;
  const auto Note = [&](uint64_t Line, uint32_t Here) {
    Seen.push_back({Line, Here});
  };
  forEachLine(8, 0b1011, 2, Note);  // lines of 128 bytes
  forEachLine(8, 0b1011, 0, Note);  // of 32
  forEachLine(12, 0b1011, 3, Note); // of 256
  EXPECT_EQ(Seen, (std::vector<std::pair<uint64_t, uint32_t>>{
                      {2, 0b1011}, {8, 1}, {9, 1}, {11, 1}, {1, 0b10110000}}));
}

TEST(SectoredCache, WritesBackEachSectorOnce) {
  for (unsigned LineBytes : {32u, 128u, 512u, 1024u}) {
    CacheLevel L = level(1, Replacement::Lru);
    L.LineBytes = LineBytes;
    SectoredCache C = cacheOf(L, LineBytes);
    const uint32_t All = ~0u >> (32 - LineBytes / 32);
    for (uint32_t Sectors : {1u, All ^ All >> 1, All & 0x81018181u, All}) {
      uint32_t Dirty = 0;
      C.markDirty(C.allocate(0, Dirty), Sectors);
      C.allocate(1, Dirty);
      EXPECT_EQ(Dirty, Sectors) << LineBytes;
      C.allocate(0, Dirty);
      EXPECT_EQ(Dirty, 0u) << LineBytes;
      C.drop(C.find(0));
    }
  }
}

TEST(SetIndex, IsTheParitiesOfMasks) {
  CacheLevel L;
  std::mt19937_64 Random(3);
  for (unsigned Bits : {8u, 19u, 42u}) {
    L.XorMasks.clear();
    for (unsigned I = 0; I != 9; ++I)
      L.XorMasks.push_back(Random() >> (64 - Bits));
    const SetIndex Index(L, 512);
    for (unsigned I = 0; I != 1000; ++I) {
      const uint64_t Line = Random() >> (64 - 42);
      uint32_t Set = 0;
      for (unsigned J = 0; J != 9; ++J)
        Set |= uint32_t(std::popcount(Line & L.XorMasks[J]) & 1) << J;
      ASSERT_EQ(Index(Line), Set);
    }
  }
}

} // namespace
