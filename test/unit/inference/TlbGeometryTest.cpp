//===- TlbGeometryTest.cpp - Reach, entries, sets and pages ---------------===//

#include "profiler/inference/TlbGeometry.h"
#include "profiler/inference/simulate/SimulatedProbe.h"

#include <gtest/gtest.h>

using namespace warpwise::inference;

namespace {

constexpr ProbeNoise Quiet{};
constexpr ProbeNoise Noisy{2, 0.02, 50, 2000};
constexpr uint64_t Mega = 1 << 20;

class TlbGeometryTest : public testing::TestWithParam<bool> {
protected:
  ProbeNoise noise() const { return GetParam() ? Noisy : Quiet; }
};

SimulatedMemory::Tlb tlb(uint64_t PageBytes, std::vector<unsigned> Ways,
                         double Penalty,
                         Replacement Policy = Replacement::Lru) {
  CacheShape S =
      CacheShape::uniform(PageBytes, unsigned(Ways.size()), 1, Policy);
  S.SectorBytes = PageBytes;
  S.Ways = std::move(Ways);
  return {S, Penalty};
}

/// Behind the TLBs: an L2 whose latency differs from line to line.
SimulatedMemory memory(uint64_t Bytes, std::vector<SimulatedMemory::Tlb> Tlbs) {
  SimulatedMemory M;
  M.Bytes = Bytes;
  M.Latency = 270;
  M.Spread = 110;
  M.Tlbs = std::move(Tlbs);
  return M;
}

/// Kepler's two levels: 16 entries in one set, then 65 of which page 0 to 64
/// fill all sets, page 65 comes to the large one, the next to the others.
SimulatedMemory kepler() {
  SimulatedMemory M =
      memory(1024 * Mega, {tlb(2 * Mega, {16}, 60),
                           tlb(2 * Mega, {17, 8, 8, 8, 8, 8, 8}, 300)});
  M.Address = [](uint64_t Offset) {
    const uint64_t Page = Offset / (2 * Mega), In = Offset % (2 * Mega);
    const uint64_t Set = Page < 17   ? 0
                         : Page < 65 ? (Page - 17) % 6 + 1
                                     : (Page - 65) % 7;
    return (Page * 7 + Set) * 2 * Mega + In;
  };
  return M;
}

TEST_P(TlbGeometryTest, MeisUnequalSets) {
  SimulatedProbe Probe(kepler(), noise());
  const TlbGeometry T = tlbGeometry(Probe);
  ASSERT_EQ(T.Levels.size(), 2u);
  const TlbLevel &First = T.Levels[0], &Second = T.Levels[1];
  EXPECT_TRUE(First.Exact && Second.Exact);
  EXPECT_EQ(First.Entries, 16u);
  EXPECT_EQ(First.ReachBytes, 32 * Mega);
  EXPECT_NEAR(First.Penalty, 60, 2);
  EXPECT_EQ(First.SetSizes, std::vector<unsigned>{16});
  EXPECT_EQ(Second.Entries, 65u);
  EXPECT_EQ(Second.ReachBytes, 130 * Mega);
  EXPECT_NEAR(Second.Penalty, 300, 5);
  EXPECT_EQ(Second.SetSizes, (std::vector<unsigned>{17, 8, 8, 8, 8, 8, 8}));
  EXPECT_TRUE(First.Ends && Second.Ends);
  EXPECT_EQ(T.PageBytes, 2 * Mega);
}

/// As on sm_90: nine cycles that come slowly, then a rise that does not end.
TEST_P(TlbGeometryTest, SmallSoftStep) {
  SimulatedMemory M = memory(uint64_t(32) << 30, {});
  SimulatedMemory::Tlb Small =
      tlb(2 * Mega, std::vector<unsigned>(16, 16), 9, Replacement::Random);
  Small.Shape.XorMasks = {0x11, 0x122, 0x244, 0x488};
  M.Tlbs = {Small, tlb(2 * Mega, std::vector<unsigned>(512, 16), 100,
                       Replacement::Random)};
  SimulatedProbe Probe(M, noise());
  const TlbGeometry T = tlbGeometry(Probe);
  ASSERT_EQ(T.Levels.size(), 2u);
  EXPECT_NEAR(T.Levels[0].Penalty, 9, 1);
  EXPECT_TRUE(T.Levels[0].Ends);
  EXPECT_GE(T.Levels[0].RiseBegins, 200 * Mega);
  EXPECT_LE(T.Levels[0].RiseBegins, 700 * Mega);
  EXPECT_GE(T.Levels[0].RiseEnds, T.Levels[0].RiseBegins);
  EXPECT_LE(T.Levels[0].RiseEnds, 1600 * Mega);
  EXPECT_FALSE(T.Levels[1].Ends);
  EXPECT_FALSE(T.Levels[1].Exact);
  EXPECT_GE(T.Levels[1].RiseBegins, uint64_t(15) << 30);
}

TEST_P(TlbGeometryTest, PageSizeBelowTheStride) {
  for (uint64_t Page : {uint64_t(1) << 16, 2 * Mega}) {
    SimulatedProbe Probe(memory(4096 * Mega, {tlb(Page, {32}, 150)}), noise());
    const TlbGeometry T = tlbGeometry(Probe);
    ASSERT_EQ(T.Levels.size(), 1u);
    EXPECT_EQ(T.Levels[0].Entries, 32u);
    EXPECT_EQ(T.PageBytes, Page);
    EXPECT_EQ(T.Levels[0].ReachBytes, 32 * Page);
  }
}

TEST_P(TlbGeometryTest, NothingWithoutATlb) {
  SimulatedProbe Probe(memory(4096 * Mega, {}), noise());
  const TlbGeometry T = tlbGeometry(Probe);
  EXPECT_TRUE(T.Levels.empty());
  EXPECT_FALSE(T.PageBytes);
  EXPECT_GT(T.Curve.size(), 20u);
  for (const auto &[Bytes, Excess] : T.Curve)
    EXPECT_NEAR(Excess, 0, 2.5);
}

INSTANTIATE_TEST_SUITE_P(Noise, TlbGeometryTest, testing::Bool(),
                         [](const auto &I) {
                           return I.param ? "Outliers" : "Quiet";
                         });

} // namespace
