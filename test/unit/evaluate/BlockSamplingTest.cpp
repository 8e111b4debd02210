//===- BlockSamplingTest.cpp - Samples that stand for a grid --------------===//

#include "analyzer/evaluate/BlockSampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace warpwise::access;
using warpwise::launch::Dim3;

namespace {

bool holds(const std::vector<SampledBlock> &Blocks, const Dim3 &Wanted) {
  return std::any_of(Blocks.begin(), Blocks.end(),
                     [&](const SampledBlock &B) { return B.Block == Wanted; });
}

void expectSample(const Dim3 &Grid, unsigned Most) {
  SCOPED_TRACE(testing::Message() << Grid[0] << 'x' << Grid[1] << 'x' << Grid[2]
                                  << ", at most " << Most);
  const std::vector<SampledBlock> Blocks = sampleBlocks(Grid, Most);
  ASSERT_FALSE(Blocks.empty());
  EXPECT_LE(Blocks.size(), Most);
  double Sum = 0;
  std::set<Dim3> Seen;
  for (const SampledBlock &B : Blocks) {
    Sum += B.Weight;
    EXPECT_GE(B.Weight, 1);
    EXPECT_TRUE(Seen.insert(B.Block).second) << "a block twice";
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      EXPECT_LT(B.Block[Axis], Grid[Axis]);
  }
  const double All = double(Grid[0]) * Grid[1] * Grid[2];
  EXPECT_NEAR(Sum, All, 1e-9 * All);
  EXPECT_TRUE(holds(Blocks, middleBlock(Grid)));
}

TEST(BlockSamplingTest, WeightsAddUpToTheGrid) {
  std::mt19937_64 Random(3);
  auto extent = [&] {
    return uint32_t(1 + Random() % (Random() % 2 ? 6 : 70000));
  };
  for (unsigned N = 0; N != 2000; ++N)
    expectSample({extent(), extent(), extent()}, unsigned(1 + Random() % 64));
}

TEST(BlockSamplingTest, SmallGridsAreRunWhole) {
  for (const Dim3 &Grid : {Dim3{1, 1, 1}, Dim3{3, 1, 1}, Dim3{4, 2, 2},
                           Dim3{5, 5, 2}, Dim3{33, 1, 1}}) {
    const auto Blocks = sampleBlocks(Grid, 64);
    EXPECT_EQ(Blocks.size(), size_t(Grid[0]) * Grid[1] * Grid[2]);
    for (const SampledBlock &B : Blocks)
      EXPECT_DOUBLE_EQ(B.Weight, 1);
  }
}

TEST(BlockSamplingTest, CornersStandForThemselves) {
  const Dim3 Grid = {1000, 500, 1};
  const auto Blocks = sampleBlocks(Grid, 64);
  for (uint32_t X : {0u, 999u})
    for (uint32_t Y : {0u, 499u}) {
      EXPECT_TRUE(holds(Blocks, {X, Y, 0}));
      for (const SampledBlock &B : Blocks)
        if (B.Block == Dim3{X, Y, 0}) {
          EXPECT_DOUBLE_EQ(B.Weight, 1);
        }
    }
}

TEST(BlockSamplingTest, WithOneBlockItIsAboutTheMiddle) {
  const auto Blocks = sampleBlocks({9, 7, 5}, 1);
  ASSERT_EQ(Blocks.size(), 1u);
  EXPECT_EQ(Blocks[0].Block, (Dim3{4, 2, 3}));
  EXPECT_DOUBLE_EQ(Blocks[0].Weight, 9 * 7 * 5);
}

/// In a symmetric matrix of blocks the diagonal is another case.
TEST(BlockSamplingTest, HardlyAnyBlockIsOnTheDiagonal) {
  double OnIt = 0, All = 0;
  for (const SampledBlock &B : sampleBlocks({224, 224, 1}, 30)) {
    All += B.Weight;
    OnIt += B.Block[0] == B.Block[1] ? B.Weight : 0;
  }
  EXPECT_LT(OnIt, 0.1 * All);
}

} // namespace
