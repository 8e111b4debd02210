//===- SectoredCacheTest.cpp - The cache against a list of lines ----------===//

#include "analyzer/reuse/SectoredCache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

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

class Policies : public testing::TestWithParam<Replacement> {};

TEST_P(Policies, AgreeWithAListOfLines) {
  constexpr unsigned Sets = 8, Ways = 4;
  const Replacement Policy = GetParam();
  SectoredCache C = cacheOf(level(Ways, Policy), Sets * Ways * 128);
  struct Line {
    uint64_t Number, Filled, Used, Count;
    uint32_t Valid;
  };
  std::vector<std::vector<Line>> Brute(Sets);
  std::mt19937_64 Random(5);
  for (uint64_t Time = 1; Time != 20000; ++Time) {
    const uint64_t Number = Random() % 60;
    const uint32_t Sectors = uint32_t(1 + Random() % 15);
    std::vector<Line> &Set = Brute[Number % Sets];
    auto At = std::find_if(Set.begin(), Set.end(),
                           [&](const Line &L) { return L.Number == Number; });
    if (At == Set.end()) {
      // Where equals compete, the first way leaves.
      At = Set.size() < Ways ? Set.insert(Set.end(), Line())
                             : std::min_element(
                                   Set.begin(), Set.end(),
                                   [&](const Line &A, const Line &B) {
                                     return Policy == Replacement::Lru
                                                ? A.Used < B.Used
                                            : Policy == Replacement::Fifo
                                                ? A.Filled < B.Filled
                                                : A.Count < B.Count;
                                   });
      *At = {Number, Time, Time, 0, 0};
    }
    const uint32_t Hit = At->Valid & Sectors;
    At->Valid |= Sectors;
    At->Used = Time;
    ++At->Count;
    ASSERT_EQ(load(C, Number, Sectors), Hit) << "at " << Time;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Policies,
                         testing::Values(Replacement::Lru, Replacement::Fifo,
                                         Replacement::Lfu));

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

} // namespace
