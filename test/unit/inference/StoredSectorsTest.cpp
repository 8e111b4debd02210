//===- StoredSectorsTest.cpp - Stores to a simulated L1 -------------------===//

#include "profiler/inference/StoredSectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

using namespace warpwise::inference;

namespace {

/// An L1 of so many lines that keeps the latest.
struct SimulatedL1 {
  size_t Lines;
  std::deque<unsigned> Held = {};

  double access(unsigned Line) {
    const auto At = std::find(Held.begin(), Held.end(), Line);
    const double Took = At == Held.end() ? 260 : 40;
    if (At != Held.end())
      Held.erase(At);
    Held.push_back(Line);
    if (Held.size() > Lines)
      Held.pop_front();
    return Took;
  }
};

constexpr HitReference Is{40, 260};

TEST(StoredSectors, TellsHitsFromMisses) {
  EXPECT_TRUE(Is.tells());
  EXPECT_FALSE((HitReference{40, 70}.tells()));
  EXPECT_EQ(Is.hitShare(std::vector<double>{38, 44, 255, 41}), 0.75);
}

TEST(StoredSectors, WhatIsAllocated) {
  // Word, rest of its sector, sector, line.
  EXPECT_EQ(writeAllocation({0, 0, 1, 1}), "sector");
  EXPECT_EQ(writeAllocation({0, 0, 0, 1}), "line");
  EXPECT_EQ(writeAllocation({0, 0, 0.4, 0.5}), "none");
  EXPECT_EQ(partialAllocation({1, 1, 1, 1}), "fetched sector");
  EXPECT_EQ(partialAllocation({1, 0, 1, 1}), "stored bytes");
  EXPECT_EQ(partialAllocation({0, 0, 1, 1}), "none");
  EXPECT_EQ(storeToPresent(1, 1), "updates");
  EXPECT_EQ(storeToPresent(0, 0), "invalidates");
  EXPECT_EQ(storeToPresent(1, 0), "invalidates the rest");
}

TEST(StoredSectors, LinesLiveUntilOthersFillTheCache) {
  std::vector<std::array<double, 2>> Survivors;
  for (unsigned Others : {0u, 64u, 128u, 192u, 256u, 512u}) {
    SimulatedL1 L1{256};
    for (unsigned Line = 0; Line != 64; ++Line)
      L1.access(Line);
    for (unsigned Line = 0; Line != Others; ++Line)
      L1.access(1000 + Line);
    std::vector<double> Took;
    for (unsigned Line = 64; Line-- != 0;)
      Took.push_back(L1.access(Line));
    Survivors.push_back({double(Others), Is.hitShare(Took)});
  }
  const auto Half = halfLife(Survivors);
  ASSERT_TRUE(Half);
  EXPECT_EQ(Half->Low, 192);
  EXPECT_EQ(Half->High, 256);
}

TEST(StoredSectors, NoHalfLifeWithoutADecay) {
  using Points = std::vector<std::array<double, 2>>;
  EXPECT_FALSE(halfLife(Points{{0, 1}, {100, 0.9}}));
  EXPECT_FALSE(halfLife(Points{{0, 0.1}, {100, 0}}));
}

TEST(StoredSectors, AWriteBackTakesTimeLater) {
  Estimate Extra;
  Extra.Low = 300;
  EXPECT_TRUE(keepsWrites(Extra, 1000));
  Extra.Low = 100;
  EXPECT_FALSE(keepsWrites(Extra, 1000));
}

} // namespace
