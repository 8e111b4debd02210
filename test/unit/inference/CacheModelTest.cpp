//===- CacheModelTest.cpp - What a cache does with loads ------------------===//

#include "profiler/inference/CacheModel.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace warpwise::inference;

namespace {

using Outcome = Cache::Outcome;

/// Loads line after line; 'h' for each hit, 's' for a sector, 'm' for a line.
std::string play(Cache &C, std::initializer_list<uint64_t> Lines) {
  std::string Outcomes;
  for (uint64_t Line : Lines)
    switch (C.load(Line * C.shape().LineBytes)) {
    case Outcome::Hit:
      Outcomes += 'h';
      break;
    case Outcome::SectorMiss:
      Outcomes += 's';
      break;
    case Outcome::LineMiss:
      Outcomes += 'm';
      break;
    }
  return Outcomes;
}

Cache oneSet(unsigned Ways, Replacement Policy, uint64_t Seed = 1) {
  return Cache(CacheShape::uniform(128, 1, Ways, Policy), Seed);
}

TEST(CacheModelTest, Shape) {
  CacheShape S = CacheShape::uniform(128, 448, 4);
  EXPECT_EQ(S.capacity(), 448u * 4 * 128);
  EXPECT_EQ(S.setOf(450), 2u);
  S.Ways = {17, 8, 8, 8, 8, 8, 8};
  EXPECT_EQ(S.capacity(), 65u * 128);
  EXPECT_EQ(S.setOf(13), 6u);
  S = CacheShape::uniform(32, 4, 96);
  EXPECT_EQ(S.SectorBytes, 32u);
  S.XorMasks = {4, 8 ^ 1};
  EXPECT_EQ(S.setOf(0b0100), 1u);
  EXPECT_EQ(S.setOf(0b1100), 3u);
  EXPECT_EQ(S.setOf(0b1101), 1u);
}

TEST(CacheModelTest, Sectors) {
  Cache C(CacheShape::uniform(128, 4, 1));
  EXPECT_EQ(C.load(0), Outcome::LineMiss);
  EXPECT_EQ(C.load(28), Outcome::Hit);
  EXPECT_EQ(C.load(32), Outcome::SectorMiss);
  EXPECT_EQ(C.load(124), Outcome::SectorMiss);
  EXPECT_EQ(C.load(60), Outcome::Hit);
  EXPECT_EQ(C.load(4 * 128), Outcome::LineMiss);
  EXPECT_EQ(C.load(32), Outcome::LineMiss);
  // The line has come again, its other sectors have not.
  EXPECT_EQ(C.load(0), Outcome::SectorMiss);
  C.clear();
  EXPECT_EQ(C.load(0), Outcome::LineMiss);
}

TEST(CacheModelTest, LruAndFifoDifferAfterAHit) {
  Cache Lru = oneSet(4, Replacement::Lru), Fifo = oneSet(4, Replacement::Fifo);
  EXPECT_EQ(play(Lru, {0, 1, 2, 3, 0, 4, 0, 1}), "mmmmhmhm");
  EXPECT_EQ(play(Fifo, {0, 1, 2, 3, 0, 4, 1, 0}), "mmmmhmhm");
}

TEST(CacheModelTest, CyclicTraversalThrashesOneMoreThanTheWays) {
  for (Replacement Policy : {Replacement::Lru, Replacement::Fifo}) {
    Cache C = oneSet(4, Policy);
    EXPECT_EQ(play(C, {0, 1, 2, 3, 0, 1, 2, 3}), "mmmmhhhh");
    C.clear();
    EXPECT_EQ(play(C, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4}), "mmmmmmmmmm");
  }
}

TEST(CacheModelTest, TreePlru) {
  Cache C = oneSet(4, Replacement::TreePlru);
  // After 0, 1, 2, 3 the tree points to 0; a hit on 0 turns it to 2, the older
  // one of the other half, although 1 is older.
  EXPECT_EQ(play(C, {0, 1, 2, 3, 0, 4, 1, 3, 0, 2}), "mmmmhmhhhm");
}

/// Victims of many fillings by what was filled when, as shares.
std::map<unsigned, double> victims(const CacheShape &S, unsigned Touched) {
  constexpr unsigned Fillings = 6000;
  Cache C(S);
  const unsigned Ways = S.Ways.front();
  std::map<unsigned, double> Shares;
  for (unsigned I = 0; I != Fillings; ++I) {
    C.clear();
    for (unsigned Line = 0; Line != Ways; ++Line)
      C.load(Line * S.LineBytes);
    C.load(Touched * S.LineBytes);
    C.load(Ways * S.LineBytes);
    unsigned Victim = 0;
    while (C.load(Victim * S.LineBytes) == Outcome::Hit)
      ++Victim;
    Shares[Victim] += 1.0 / Fillings;
  }
  return Shares;
}

TEST(CacheModelTest, RandomPolicies) {
  CacheShape S = CacheShape::uniform(128, 1, 4, Replacement::Random);
  for (const auto &[Way, Share] : victims(S, 2))
    EXPECT_NEAR(Share, 0.25, 0.03) << Way;
  S.Policy = Replacement::NotMru;
  auto Shares = victims(S, 2);
  EXPECT_FALSE(Shares.contains(2));
  for (const auto &[Way, Share] : Shares)
    EXPECT_NEAR(Share, 1.0 / 3, 0.03) << Way;
  S.Policy = Replacement::WeightedWay;
  S.WayWeights = {1.0 / 6, 1.0 / 2, 1.0 / 6, 1.0 / 6};
  for (const auto &[Way, Share] : victims(S, 2))
    EXPECT_NEAR(Share, S.WayWeights[Way], 0.03) << Way;
}

TEST(CacheModelTest, UnequalSets) {
  CacheShape S;
  S.LineBytes = S.SectorBytes = 128;
  S.Ways = {3, 1};
  Cache C(S);
  EXPECT_EQ(play(C, {0, 2, 4, 1, 0, 2, 4, 1}), "mmmmhhhh");
  EXPECT_EQ(play(C, {3, 1, 3, 0, 2, 4}), "mmmhhh");
}

TEST(CacheModelTest, Names) {
  std::set<std::string_view> Names;
  for (Replacement R :
       {Replacement::Lru, Replacement::Fifo, Replacement::Random,
        Replacement::TreePlru, Replacement::NotMru, Replacement::WeightedWay})
    Names.insert(replacementName(R));
  EXPECT_EQ(Names.size(), 6u);
  EXPECT_TRUE(Names.contains("LRU"));
  EXPECT_TRUE(Names.contains("weighted ways"));
}

} // namespace
