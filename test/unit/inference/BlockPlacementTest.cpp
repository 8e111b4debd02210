//===- BlockPlacementTest.cpp - Blocks of a simulated dispatcher ----------===//

#include "profiler/inference/BlockPlacement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace warpwise::inference;

namespace {

constexpr unsigned SmCount = 8;
constexpr uint64_t Refill = 300;

/// Places blocks as a GPU of eight SMs: the first wave in rounds of \p Order,
/// later ones where room comes free first. Block B stays for \p Stay(B).
template <typename Function>
std::vector<BlockVisit> launch(std::vector<unsigned> Order, unsigned PerSm,
                               unsigned Blocks, Function Stay) {
  std::vector<BlockVisit> Visits;
  std::multimap<uint64_t, unsigned> Ends; // of what runs: the SM
  for (unsigned B = 0; B != Blocks; ++B) {
    BlockVisit V;
    if (B < PerSm * SmCount) {
      V.Sm = Order[B % SmCount];
      V.Begin = 10 * (B / SmCount);
    } else {
      V.Sm = Ends.begin()->second;
      V.Begin = Ends.begin()->first + Refill;
      Ends.erase(Ends.begin());
    }
    V.End = V.Begin + Stay(B);
    V.BeginClock = V.Begin;
    V.EndClock = V.End;
    Ends.emplace(V.End, V.Sm);
    Visits.push_back(V);
  }
  return Visits;
}

const std::vector<unsigned> EvenFirst = {0, 2, 4, 6, 1, 3, 5, 7};

/// All stay differently long.
uint64_t mixedStay(unsigned Block) {
  return 10'000 + (Block * 2654435761u >> 8) % 10'000;
}

TEST(BlockPlacement, TheFirstWaveIsWhatFits) {
  const auto Wave = firstWave(launch(EvenFirst, 2, 40, mixedStay));
  ASSERT_EQ(Wave.size(), 2 * SmCount);
  EXPECT_TRUE(std::equal(EvenFirst.begin(), EvenFirst.end(), Wave.begin()));
  EXPECT_EQ(placementRule(Wave, SmCount), "rounds of one fixed order");
  EXPECT_EQ(blocksPerTurn(Wave), 1);
  EXPECT_EQ(neighbourDistance(Wave, SmCount), 4);
}

TEST(BlockPlacement, Repeatability) {
  EXPECT_EQ(repeatability(1, 1), "yes");
  EXPECT_EQ(repeatability(0.2, 0.97), "but for the start");
  EXPECT_EQ(repeatability(0.2, 0.5), "no");
}

TEST(BlockPlacement, RulesHaveTheirNames) {
  const std::vector<unsigned> Ascending = {0, 1, 2, 0, 1, 2};
  const std::vector<unsigned> Changing = {0, 1, 2, 2, 0, 1};
  const std::vector<unsigned> Uneven = {0, 0, 1};
  EXPECT_EQ(placementRule(Ascending, 3), "ascending");
  EXPECT_EQ(placementRule(Changing, 3), "rounds of changing order");
  EXPECT_EQ(placementRule(Uneven, 3), "uneven");
  EXPECT_EQ(placementRule({}, 3), "uneven");
  EXPECT_EQ(blocksPerTurn(Uneven), 1.5);
}

TEST(BlockPlacement, AnotherStartOfTheSameOrderHasItsSteps) {
  const std::vector<unsigned> A = {0, 2, 1, 3, 0, 2}, B = {1, 3, 0, 2};
  EXPECT_EQ(agreement(A, B), 0);
  EXPECT_EQ(sameSteps(A, B), 1);
  EXPECT_EQ(agreement(A, A), 1);
  EXPECT_EQ(sameSteps(A, std::vector<unsigned>{3, 2, 1, 0}), 1.0 / 3);
}

TEST(BlockPlacement, CountsChangesOfTheGpc) {
  const std::vector<unsigned> Gpc = {0, 0, 1, 1};
  EXPECT_EQ(gpcChanges(std::vector<unsigned>{0, 2, 1, 3}, Gpc), 1);
  EXPECT_EQ(gpcChanges(std::vector<unsigned>{0, 1, 2, 3}, Gpc), 1.0 / 3);
}

TEST(BlockPlacement, LaterBlocksGoWhereRoomCameFree) {
  const auto Visits = launch(EvenFirst, 1, 100, mixedStay);
  LaterWaves L = laterWaves(Visits, SmCount, 0);
  EXPECT_EQ(L.Blocks, 92u);
  EXPECT_EQ(L.ToFirstFree, L.Blocks);
  EXPECT_LT(L.Periodic, L.Blocks / 2);
  for (double Each : L.Refill)
    EXPECT_EQ(Each, double(Refill));
  L.add(laterWaves(Visits, SmCount, 0));
  EXPECT_EQ(L.Blocks, 184u);
  EXPECT_EQ(L.Refill.size(), 184u);
}

TEST(BlockPlacement, BlocksOfASmBeginInGroups) {
  PlacementRounds R;
  addRounds(launch(EvenFirst, 2, 4 * SmCount, [](unsigned) { return 1000; }), 2,
            R);
  EXPECT_EQ(R.First, std::vector<double>(SmCount, 10));
  EXPECT_EQ(R.Later, std::vector<double>(SmCount, 10));
}

} // namespace
