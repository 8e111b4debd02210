//===- TraceWindowsTest.cpp - Long loops whose rounds are alike -----------===//

#include "Sources.h"
#include "analyzer/reuse/Simulator.h"

#include <gtest/gtest.h>

using namespace warpwise::reuse;

namespace {

constexpr uint64_t Rows = uint64_t(1) << 30; ///< where the second array begins

/// Each lane walks along a row of its own, all warps along one that they share.
HandSource walk(uint32_t Blocks, uint32_t Threads, unsigned Rounds,
                unsigned Sweeps = 1) {
  return HandSource(shapeOf(Blocks, Threads), 3,
                    [=](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                      const uint64_t Lane = (Block * Threads / 32 + Warp) * 32;
                      for (unsigned Sweep = 0; Sweep != Sweeps; ++Sweep)
                        for (unsigned K = 0; K != Rounds; ++K) {
                          Out.load(0, Lane * Rounds * 4 + K * 4,
                                   int64_t(Rounds) * 4);
                          Out.load(1, Rows + K * 4, 0);
                        }
                      Out.store(2, 2 * Rows + Lane * 4, 4);
                    });
}

bool isAlike(HandSource Source) {
  bool Alike = false;
  EXPECT_EQ(compareWindows(Source, UsualWindows.All, Alike), "");
  return Alike;
}

TEST(TraceWindows, LoopsGoOnAsTheyBegan) {
  EXPECT_TRUE(isAlike(walk(4, 64, 256)));
}

TEST(TraceWindows, WhatIsReadAgainIsNotNew) {
  EXPECT_FALSE(isAlike(walk(4, 64, 128, 2)));
}

TEST(TraceWindows, ShortTracesSayLittle) {
  EXPECT_FALSE(isAlike(walk(4, 64, 8)));
}

TEST(TraceWindows, BlocksWithUnevenWorkAreNotAlike) {
  HandSource Triangle(shapeOf(4, 64), 1,
                      [](uint64_t, unsigned Warp, WarpWriter &Out) {
                        for (unsigned K = 0; K != 4096 * (Warp + 1); ++K)
                          Out.load(0, K * 128, 4);
                      });
  EXPECT_FALSE(isAlike(Triangle));
}

TEST(TraceWindows, StandForTheWholeLaunch) {
  HandSource Source = walk(132, 64, 256);
  const CacheOptions Options;
  const SimulationResult All = simulate(Source, Options);
  ASSERT_TRUE(All);
  SimulationSettings Settings;
  Settings.Sampling.Adaptive = true;
  Settings.Sampling.MostAccesses = 24 << 20;
  const SimulationResult Part = simulate(Source, Options, Settings);
  ASSERT_TRUE(Part);
  ASSERT_EQ(Part.Simulated.Windows, UsualWindows);
  EXPECT_NE(Part.SampleText.find("4 of 16 parts"), std::string::npos);
  // What warps ask for is counted, not estimated.
  EXPECT_EQ(Part.Total.LoadSectors, All.Total.LoadSectors);
  EXPECT_EQ(Part.Total.StoreSectors, All.Total.StoreSectors);
  EXPECT_NEAR(*Part.Total.l1ReadHitRate(), *All.Total.l1ReadHitRate(), 0.002);
  EXPECT_NEAR(*Part.Total.l2ReadHitRate(), *All.Total.l2ReadHitRate(), 0.02);
  EXPECT_NEAR(Part.Total.L2ReadSectors / All.Total.L2ReadSectors, 1, 0.02);
  EXPECT_NEAR(Part.Total.DramReadSectors / All.Total.DramReadSectors, 1, 0.02);
}

TEST(TraceWindows, AtomicsAreWrittenToL2) {
  HandSource Counters(shapeOf(132, 256), 1,
                      [](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                        for (unsigned K = 0; K != 1024; ++K)
                          Out.request(Access::Kind::Atomic, 0,
                                      ((Block * 8 + Warp) * 1024 + K) * 128, 4);
                      });
  SimulationSettings Settings;
  Settings.Sampling.Adaptive = true;
  Settings.Sampling.MostAccesses = 24 << 20;
  const SimulationResult Part = simulate(Counters, CacheOptions(), Settings);
  ASSERT_TRUE(Part);
  ASSERT_EQ(Part.Simulated.Windows, UsualWindows);
  EXPECT_EQ(Part.Total.AtomicSectors, 132. * 8 * 1024 * 4);
  EXPECT_EQ(Part.Total.L2WriteSectors, Part.Total.AtomicSectors);
}

TEST(TraceWindows, SameMissesAllowForALittle) {
  Traffic A;
  A.LoadHits = -1000;
  A.L2ReadSectors = 1000;
  Traffic B = A;
  EXPECT_TRUE(sameMisses(A, B));
  B.L2ReadSectors = 920;
  EXPECT_TRUE(sameMisses(A, B));
  B.L2ReadSectors = 850;
  EXPECT_FALSE(sameMisses(A, B));
  B = A;
  B.LoadHits = -900;
  EXPECT_FALSE(sameMisses(A, B));
}

} // namespace
