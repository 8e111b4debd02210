//===- CacheGeometryTest.cpp - Hits, capacity, sector and line ------------===//

#include "profiler/inference/CacheGeometry.h"
#include "profiler/inference/simulate/SimulatedProbe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace warpwise::inference;

namespace {

constexpr ProbeNoise Quiet{};
constexpr ProbeNoise Noisy{2, 0.02, 50, 2000};

class CacheGeometryTest : public testing::TestWithParam<bool> {
protected:
  ProbeNoise noise() const { return GetParam() ? Noisy : Quiet; }
};

CacheShape sectored(uint64_t Sector, uint64_t Line, unsigned Sets,
                    unsigned Ways) {
  CacheShape S = CacheShape::uniform(Line, Sets, Ways);
  S.SectorBytes = Sector;
  return S;
}

CacheShape hashed(std::vector<uint64_t> Masks, unsigned Ways) {
  CacheShape S = CacheShape::uniform(128, 1u << Masks.size(), Ways);
  S.XorMasks = std::move(Masks);
  return S;
}

CacheShape keplerTexture() {
  CacheShape S = CacheShape::uniform(32, 4, 96);
  S.XorMasks = {1 << 2, 1 << 3};
  return S;
}

TEST_P(CacheGeometryTest, HitRule) {
  SimulatedProbe Probe(CacheShape::uniform(128, 64, 4), noise());
  for (uint64_t Stride : {128, 32, 8}) {
    const auto Rule = hitRule(Probe, 8192, Stride);
    ASSERT_TRUE(Rule);
    EXPECT_NEAR(Rule->Hit, 84, 1);
    EXPECT_NEAR(Rule->Miss, 300, 2);
    EXPECT_GT(Rule->Threshold, 100);
    EXPECT_LT(Rule->Threshold, 290);
    EXPECT_GT(Rule->Ceiling, 305);
  }
}

TEST_P(CacheGeometryTest, NoHitRuleWithoutADifference) {
  SimulatedMemory M;
  SimulatedProbe NoCache(M, noise());
  EXPECT_FALSE(hitRule(NoCache, 8192, 128));
  M.Caches.push_back({CacheShape::uniform(128, 64, 4), 300});
  SimulatedProbe SameLatency(M, noise());
  EXPECT_FALSE(hitRule(SameLatency, 8192, 128));
}

TEST_P(CacheGeometryTest, MissesOfPass) {
  SimulatedProbe Probe(CacheShape::uniform(128, 64, 4));
  const auto Rule = hitRule(Probe, 8192, 128);
  ASSERT_TRUE(Rule);
  EXPECT_EQ(missesOfPass(Probe, *Rule, 256, 128, 3), 0u);
  EXPECT_EQ(missesOfPass(Probe, *Rule, 257, 128, 3), 5u);
  EXPECT_EQ(missesOfPass(Probe, *Rule, 260, 128, 3), 20u);
  std::mt19937_64 Random(3);
  EXPECT_EQ(missesOfPass(Probe, *Rule, 257, 128, 3, &Random), 5u);
}

TEST_P(CacheGeometryTest, Capacity) {
  CacheShape Weighted =
      CacheShape::uniform(128, 32, 4, Replacement::WeightedWay);
  Weighted.WayWeights = {1.0 / 6, 1.0 / 2, 1.0 / 6, 1.0 / 6};
  const CacheShape Shapes[] = {
      CacheShape::uniform(128, 448, 4),
      CacheShape::uniform(128, 434, 4),
      CacheShape::uniform(128, 64, 4, Replacement::Random),
      CacheShape::uniform(128, 64, 8, Replacement::NotMru),
      CacheShape::uniform(128, 64, 4, Replacement::TreePlru),
      CacheShape::uniform(128, 128, 16, Replacement::Fifo),
      CacheShape::uniform(128, 1, 100),
      hashed({0x201, 0x402, 0x804, 0x1008, 16, 32, 64, 128, 0x300}, 4),
      Weighted,
      keplerTexture()};
  for (const CacheShape &Shape : Shapes) {
    SCOPED_TRACE(testing::Message()
                 << Shape.Ways.size() << " sets of " << Shape.Ways.front()
                 << ", " << replacementName(Shape.Policy));
    SimulatedProbe Probe(Shape, noise());
    const auto Rule = hitRule(Probe, Shape.capacity() / 8, Shape.LineBytes);
    ASSERT_TRUE(Rule);
    const auto Found = capacity(Probe, *Rule, Shape.LineBytes,
                                Shape.capacity() / 4, 2 * Shape.capacity());
    ASSERT_TRUE(Found);
    EXPECT_EQ(Found->Bytes, Shape.capacity());
    EXPECT_LE(Probe.longestList(), 15000u);
    ASSERT_GT(Found->MissCurve.size(), 16u);
    EXPECT_TRUE(
        std::is_sorted(Found->MissCurve.begin(), Found->MissCurve.end()));
    const double Lines = 2 * double(Shape.capacity()) / double(Shape.LineBytes);
    EXPECT_GT(Found->MissCurve.back().second, 0.4 * Lines);
    EXPECT_LT(Found->MissCurve.front().second, 0.01 * Lines);
  }
}

TEST_P(CacheGeometryTest, CapacityOutsideOfTheRange) {
  SimulatedProbe Probe(CacheShape::uniform(128, 64, 4), noise());
  const auto Rule = hitRule(Probe, 8192, 128);
  ASSERT_TRUE(Rule);
  EXPECT_FALSE(capacity(Probe, *Rule, 128, 40 << 10, 80 << 10));
  EXPECT_FALSE(capacity(Probe, *Rule, 128, 8 << 10, 16 << 10));
}

/// Misses of the first level are hits of the second, which is in the way of
/// neither capacity.
TEST_P(CacheGeometryTest, TwoLevels) {
  SimulatedMemory M;
  M.Caches.push_back({CacheShape::uniform(64, 8, 4), 56});
  M.Caches.push_back({CacheShape::uniform(128, 64, 4), 122});
  SimulatedProbe Probe(M, noise());
  const auto Rule = hitRule(Probe, 1024, 64);
  ASSERT_TRUE(Rule);
  EXPECT_NEAR(Rule->Hit, 56, 1);
  EXPECT_NEAR(Rule->Miss, 122, 1);
  const auto Found = capacity(Probe, *Rule, 64, 512, 16384);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Bytes, 2048u);
}

TEST_P(CacheGeometryTest, Granularity) {
  const CacheShape Shapes[] = {
      sectored(32, 128, 64, 4), sectored(32, 128, 448, 4),
      sectored(64, 64, 8, 4),   sectored(128, 128, 32, 4),
      sectored(32, 32, 64, 8),  sectored(64, 256, 32, 8),
      sectored(32, 128, 1, 48), hashed({0x249, 0x492, 0x924, 0x38, 0x81}, 4),
      keplerTexture()};
  for (const CacheShape &Shape : Shapes) {
    SCOPED_TRACE(testing::Message()
                 << Shape.SectorBytes << " of " << Shape.LineBytes << ", "
                 << Shape.Ways.size() << " sets");
    SimulatedProbe Probe(Shape, noise());
    const auto Rule = hitRule(Probe, Shape.capacity() / 8, 32);
    ASSERT_TRUE(Rule);
    const auto Found = granularity(Probe, *Rule, Shape.capacity());
    ASSERT_TRUE(Found);
    EXPECT_EQ(Found->SectorBytes, std::min(Shape.SectorBytes, Shape.LineBytes));
    EXPECT_EQ(Found->LineBytes, Shape.LineBytes);
    EXPECT_LE(Probe.longestList(), 15000u);
    EXPECT_LT(Probe.calls(), GetParam() ? 1500u : 600u);
  }
}

INSTANTIATE_TEST_SUITE_P(Noise, CacheGeometryTest, testing::Bool(),
                         [](const auto &I) {
                           return I.param ? "Outliers" : "Quiet";
                         });

} // namespace
