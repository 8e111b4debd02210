//===- SamplingTest.cpp - What a part of a launch says of all -------------===//

#include "Sources.h"
#include "analyzer/reuse/Simulator.h"

#include <gtest/gtest.h>

using namespace warpwise::reuse;

namespace {

TEST(Sampling, Plans) {
  SampleSettings All;
  EXPECT_TRUE(planSample(All, 5000, 1000, 100, 132).all());
  SampleSettings Waves;
  Waves.Waves = 2;
  const Sample Two = planSample(Waves, 5000, 1000, 100, 132);
  EXPECT_EQ(Two, (Sample{1000, 2000, 1000, 1, 5000}));
  EXPECT_TRUE(planSample(Waves, 2000, 1000, 100, 132).all());
  SampleSettings Budget;
  Budget.MostAccesses = 350000;
  EXPECT_EQ(planSample(Budget, 5000, 1000, 100, 132).Blocks, 3000u);
  EXPECT_TRUE(planSample(Budget, 3000, 1000, 100, 132).all());
  Budget.MostAccesses = 25000;
  const Sample Few = planSample(Budget, 5000, 1000, 100, 132);
  EXPECT_EQ(Few.Blocks, 2000u);
  EXPECT_EQ(Few.SmStride, 4u);
}

TEST(Sampling, FootprintIsTheUnionOfExtents) {
  HandSource Source = matrixProduct(256);
  TouchedLines F(Source, 1);
  ASSERT_EQ(F.addCorners(), "");
  EXPECT_EQ(F.lines(), 3u * 256 * 256 * 4 / 128);
  EXPECT_EQ(F.readLines(), 2u * 256 * 256 * 4 / 128);
  EXPECT_EQ(F.accessesPerBlock(), 8 * (2 * 256 + 1));
}

TEST(Sampling, BlocksAtTheEdgesMayDoNothing) {
  // Of a row of 64 blocks, as by a guard that leaves a border out.
  for (uint64_t First : {0, 1, 5})
    for (uint64_t End : {64, 63, 61, 40}) {
      HandSource Source(shapeOf(64, 32), 1,
                        [=](uint64_t Block, unsigned, WarpWriter &Out) {
                          if (Block >= First && Block < End)
                            Out.load(0, Block * 128, 4);
                        });
      TouchedLines F(Source, 1);
      ASSERT_EQ(F.addCorners(), "");
      EXPECT_EQ(F.lines(), End - First) << First << " to " << End;
    }
}

TEST(Sampling, WhatAWarpWroteItselfIsNotReadFromDram) {
  // c[i] is stored, then loaded and stored again; a[i] is loaded only.
  HandSource Source(shapeOf(64, 32), 2,
                    [](uint64_t Block, unsigned, WarpWriter &Out) {
                      const uint64_t A = Block * 128, C = (1 << 20) + A;
                      Out.store(1, C, 4);
                      Out.load(0, A, 4);
                      Out.load(1, C, 4);
                      Out.store(1, C, 4);
                    });
  TouchedLines F(Source, 1);
  ASSERT_EQ(F.addCorners(), "");
  EXPECT_EQ(F.lines(), 128u);
  EXPECT_EQ(F.readLines(), 64u);
}

TEST(Sampling, BlocksOfATriangleAreNotAlike) {
  const auto kernel = [](bool Triangle) {
    return HandSource(shapeOf(500, 32), 1,
                      [=](uint64_t Block, unsigned, WarpWriter &Out) {
                        for (uint64_t I = 0; I <= (Triangle ? Block : 9); ++I)
                          Out.load(0, I * 128, 4);
                      });
  };
  for (bool Triangle : {false, true}) {
    HandSource Source = kernel(Triangle);
    TouchedLines F(Source, 1);
    bool Alike = Triangle;
    ASSERT_EQ(F.compareBlocks(Alike), "");
    EXPECT_EQ(Alike, !Triangle);
  }
}

TEST(Sampling, BlocksThatAccessOtherSitesAreNotAlike) {
  // From the middle of the grid on one line is read instead of another.
  HandSource Source(shapeOf(500, 32), 2,
                    [](uint64_t Block, unsigned, WarpWriter &Out) {
                      for (uint64_t I = 0; I != 9; ++I)
                        Out.load(Block < 250 ? 0 : 1, I * 128, 4);
                    });
  TouchedLines F(Source, 1);
  bool Alike = true;
  ASSERT_EQ(F.compareBlocks(Alike), "");
  EXPECT_FALSE(Alike);
}

TEST(Sampling, SomeSmsAlwaysRemain) {
  EXPECT_EQ(mostStride(4, 132), 1u);
  EXPECT_EQ(mostStride(1000, 132), 16u);
  SampleSettings Budget;
  Budget.MostAccesses = 1000;
  EXPECT_EQ(planSample(Budget, 4, 1056, 1e9, 132).SmStride, 1u);
  EXPECT_EQ(planSample(Budget, 5000, 1056, 1e9, 132).SmStride, 16u);
}

TEST(Sampling, MissesAreBoundedWhereTheFootprintFits) {
  CacheOptions O;
  std::vector<Traffic> Sites(2);
  Sites[0].L2ReadSectors = 1000;
  Sites[0].L2ReadHits = 200;
  Sites[0].DramReadSectors = 300;
  Sites[1].L2ReadSectors = 200;
  Sites[1].DramReadSectors = 100;
  EXPECT_FALSE(boundMisses(Sites, 1 << 20, 1 << 20, O));
  EXPECT_FALSE(boundMisses(Sites, 200, 200, O));
  EXPECT_TRUE(boundMisses(Sites, 70, 50, O)); // 200 sectors, 400 on both sides
  EXPECT_DOUBLE_EQ(Sites[0].L2ReadHits, 1000 - 800 * 0.4);
  EXPECT_DOUBLE_EQ(Sites[0].DramReadSectors, 150);
  EXPECT_DOUBLE_EQ(Sites[1].DramReadSectors, 50);
}

TEST(Sampling, MissesShrinkWithWhatDramIsReadTooOften) {
  std::vector<Traffic> Sites(1);
  Sites[0].L2ReadSectors = 1000;
  Sites[0].L2ReadHits = 700;
  Sites[0].DramReadSectors = 250;
  // 200 sectors, 400 on both sides
  EXPECT_TRUE(boundMisses(Sites, 50, 50, CacheOptions()));
  EXPECT_DOUBLE_EQ(Sites[0].DramReadSectors, 200);
  EXPECT_DOUBLE_EQ(Sites[0].L2ReadHits, 1000 - 300 * 0.8);
}

SimulationResult sampled(HandSource Source, unsigned Waves, unsigned Stride) {
  SimulationSettings Settings;
  Settings.Sampling.Waves = Waves;
  Settings.Sampling.SmStride = Stride;
  CacheOptions Options;
  EXPECT_EQ(set(Options, "sm.count", "16"), "");
  SimulationResult R = simulate(Source, Options, Settings);
  EXPECT_EQ(R.Error, "");
  return R;
}

SimulationResult adaptive(HandSource Source) {
  SimulationSettings Settings;
  Settings.Sampling.Adaptive = true;
  Settings.Sampling.MostAccesses = 100'000'000;
  CacheOptions Options;
  EXPECT_EQ(set(Options, "sm.count", "16"), "");
  SimulationResult R = simulate(Source, Options, Settings);
  EXPECT_EQ(R.Error, "");
  return R;
}

void expectAlike(const Traffic &A, const Traffic &B, double L1, double L2) {
  EXPECT_NEAR(A.LoadSectors / B.LoadSectors, 1, 0.01);
  EXPECT_NEAR(A.StoreSectors / B.StoreSectors, 1, 0.01);
  EXPECT_NEAR(*A.l1ReadHitRate(), *B.l1ReadHitRate(), L1);
  EXPECT_NEAR(*A.l2ReadHitRate(), *B.l2ReadHitRate(), L2);
}

TEST(Sampling, TwoWavesSayWhatAllSay) {
  const SimulationResult All = sampled(stencil(640), 0, 1);
  ASSERT_GT(All.Waves, 10u);
  const SimulationResult Two = sampled(stencil(640), 2, 1);
  EXPECT_LT(Two.Accesses, All.Accesses / 5);
  expectAlike(Two.Total, All.Total, 0.005, 0.03);
  EXPECT_NEAR(Two.Total.DramReadSectors / All.Total.DramReadSectors, 1, 0.1);
  EXPECT_NE(Two.SampleText.find("256 of 1600 blocks"), std::string::npos)
      << Two.SampleText;
  EXPECT_EQ(All.SampleText, "all blocks were simulated");
}

TEST(Sampling, WhatIsReadInEveryWaveIsNotScaledUp) {
  // B is read by every wave from L2, and comes from DRAM once.
  const SimulationResult All = sampled(matrixProduct(384), 0, 1);
  ASSERT_GT(All.Waves, 2u);
  const SimulationResult Two = sampled(matrixProduct(384), 2, 1);
  expectAlike(Two.Total, All.Total, 0.015, 0.015);
  EXPECT_NEAR(Two.Total.DramReadSectors / All.Total.DramReadSectors, 1, 0.05);
}

TEST(Sampling, StopsWhenWavesAgree) {
  const SimulationResult All = sampled(stencil(1024), 0, 1);
  const SimulationResult Some = adaptive(stencil(1024));
  EXPECT_TRUE(Some.Simulated.Settled);
  EXPECT_LT(Some.Accesses, All.Accesses / 5);
  expectAlike(Some.Total, All.Total, 0.005, 0.04);
  EXPECT_NEAR(Some.Total.DramReadSectors / All.Total.DramReadSectors, 1, 0.05);
  EXPECT_NE(Some.SampleText.find("said the same"), std::string::npos);
}

TEST(Sampling, GoesOnWhileL1WarmsUp) {
  // Every block reads one of 64 lines that stay in L1, and one of its own: the
  // more lines of the first kind an SM has seen, the more it hits.
  const auto kernel = [] {
    return HandSource(shapeOf(6000, 64), 2,
                      [](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                        Out.load(0, (Block * 29 + Warp) % 640 * 128, 4);
                        Out.load(1, (1 << 26) + (Block * 2 + Warp) * 128, 4);
                      });
  };
  const SimulationResult All = sampled(kernel(), 0, 1);
  const SimulationResult Some = adaptive(kernel());
  EXPECT_NEAR(*Some.Total.l1ReadHitRate(), *All.Total.l1ReadHitRate(), 0.01);
}

TEST(Sampling, ForeseesWhatL1sFindOfWhatAllBlocksRead) {
  // As above, but of fewer lines any, by chance.
  const auto kernel = [] {
    return HandSource(shapeOf(6000, 64), 2,
                      [](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                        const uint64_t Any =
                            (Block * 2 + Warp) * 0x9E3779B97F4A7C15 >> 40;
                        Out.load(0, Any % 128 * 128, 4);
                        Out.load(1, (1 << 26) + (Block * 2 + Warp) * 128, 4);
                      });
  };
  const SimulationResult All = sampled(kernel(), 0, 1);
  const SimulationResult Some = adaptive(kernel());
  EXPECT_TRUE(Some.Simulated.Settled);
  EXPECT_LT(Some.Simulated.Blocks, 1500u);
  EXPECT_NEAR(*Some.Total.l1ReadHitRate(), *All.Total.l1ReadHitRate(), 0.01);
  EXPECT_NEAR(Some.Total.L2ReadSectors / All.Total.L2ReadSectors, 1, 0.02);
}

TEST(Sampling, FewBlocksAreNotSampledAway) {
  SimulationSettings Settings;
  Settings.Sampling.Adaptive = true;
  Settings.Sampling.MostAccesses = 1000;
  HandSource Source = stridedWalk(4, 256, 512);
  const SimulationResult R = simulate(Source, CacheOptions(), Settings);
  ASSERT_EQ(R.Error, "");
  EXPECT_TRUE(R.Simulated.all());
  EXPECT_EQ(Source.BlocksMade, 4u);
  EXPECT_DOUBLE_EQ(*R.Total.l1ReadHitRate(), 0.875);
}

TEST(Sampling, FewerSmsLeaveL1AsItIs) {
  const SimulationResult All = sampled(stencil(512), 0, 1);
  const SimulationResult Some = sampled(stencil(512), 0, 4);
  EXPECT_NEAR(*Some.Total.l1ReadHitRate(), *All.Total.l1ReadHitRate(), 0.01);
  EXPECT_NEAR(Some.Total.LoadSectors / All.Total.LoadSectors, 1, 0.02);
  EXPECT_NE(Some.SampleText.find("unreliable"), std::string::npos);
}

} // namespace
