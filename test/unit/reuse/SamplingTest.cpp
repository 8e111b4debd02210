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
  Footprint F;
  ASSERT_EQ(F.addCorners(Source), "");
  EXPECT_EQ(F.lines(), 3u * 256 * 256 * 4 / 128);
  EXPECT_EQ(F.accessesPerBlock(), 8 * (2 * 256 + 1));
}

TEST(Sampling, MissesAreBoundedWhereTheFootprintFits) {
  CacheOptions O;
  std::vector<Traffic> Sites(2);
  Sites[0].L2ReadSectors = 1000;
  Sites[0].L2ReadHits = 200;
  Sites[0].DramReadSectors = 600;
  Sites[1].L2ReadSectors = Sites[1].DramReadSectors = 200;
  EXPECT_FALSE(boundMisses(Sites, 1 << 20, O));
  EXPECT_FALSE(boundMisses(Sites, 200, O));
  EXPECT_TRUE(boundMisses(Sites, 50, O)); // 200 sectors, 400 on both sides
  EXPECT_DOUBLE_EQ(Sites[0].L2ReadHits, 1000 - 800 * 0.4);
  EXPECT_DOUBLE_EQ(Sites[0].DramReadSectors, 150);
  EXPECT_DOUBLE_EQ(Sites[1].DramReadSectors, 50);
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

TEST(Sampling, FewerSmsLeaveL1AsItIs) {
  const SimulationResult All = sampled(stencil(512), 0, 1);
  const SimulationResult Some = sampled(stencil(512), 0, 4);
  EXPECT_NEAR(*Some.Total.l1ReadHitRate(), *All.Total.l1ReadHitRate(), 0.01);
  EXPECT_NEAR(Some.Total.LoadSectors / All.Total.LoadSectors, 1, 0.02);
  EXPECT_NE(Some.SampleText.find("unreliable"), std::string::npos);
}

} // namespace
