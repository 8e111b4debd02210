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

/// A tile of a scaled picture starts at another part of a sector in each column
/// of blocks, whatever is on the third axis.
TEST(BlockSamplingTest, BlocksBetweenTheEndsDiffer) {
  for (const Dim3 &Grid : {Dim3{320, 102, 1}, Dim3{320, 102, 3}}) {
    std::set<uint32_t> Columns, Rows;
    for (const SampledBlock &B : sampleBlocks(Grid, 64)) {
      Columns.insert(B.Block[0]);
      Rows.insert(B.Block[1]);
    }
    EXPECT_GE(Columns.size(), 20u);
    EXPECT_GE(Rows.size(), 20u);
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

/// Which of the parts of each axis \p Block lies in, in one number.
unsigned partOf(const Dim3 &Grid, const Dim3 &Block) {
  unsigned Number = 0;
  for (unsigned Axis = 0; Axis != 3; ++Axis) {
    const bool HasEnds = Grid[Axis] > 2;
    Number = 3 * Number + (!HasEnds                        ? 0
                           : Block[Axis] == 0              ? 1
                           : Block[Axis] + 1 == Grid[Axis] ? 2
                                                           : 0);
  }
  return Number;
}

TEST(BlockSamplingTest, PartsMakeUpTheGrid) {
  std::mt19937_64 Random(5);
  auto extent = [&] {
    return uint32_t(1 + Random() % (Random() % 2 ? 6 : 70000));
  };
  for (unsigned N = 0; N != 2000; ++N) {
    const Dim3 Grid = {extent(), extent(), extent()};
    SCOPED_TRACE(testing::Message()
                 << Grid[0] << 'x' << Grid[1] << 'x' << Grid[2]);
    const std::vector<GridPart> Parts = partsOf(Grid);
    EXPECT_EQ(Parts[0].Witnesses[0], middleBlock(Grid));
    double Sum = 0;
    std::set<unsigned> Numbers;
    std::set<Dim3> Seen;
    for (const GridPart &Part : Parts) {
      Sum += Part.Count;
      EXPECT_LE(Part.Count, Parts[0].Count);
      const unsigned Number = partOf(Grid, Part.Witnesses[0]);
      EXPECT_TRUE(Numbers.insert(Number).second) << "a part twice";
      for (const Dim3 &Block : Part.Witnesses) {
        EXPECT_TRUE(Seen.insert(Block).second) << "a block twice";
        EXPECT_EQ(partOf(Grid, Block), Number);
        for (unsigned Axis = 0; Axis != 3; ++Axis)
          EXPECT_LT(Block[Axis], Grid[Axis]);
      }
    }
    EXPECT_DOUBLE_EQ(Sum, double(Grid[0]) * Grid[1] * Grid[2]);
  }
}

/// Whether the blocks that witness for the largest part are all \p Alike.
template <typename F> bool seemAlike(const Dim3 &Grid, F What) {
  const std::vector<Dim3> Blocks = partsOf(Grid)[0].Witnesses;
  return std::all_of(Blocks.begin(), Blocks.end(), [&](const Dim3 &Block) {
    return What(Block) == What(Blocks[0]);
  });
}

TEST(BlockSamplingTest, WitnessesTellWhatSetsBlocksApart) {
  const Dim3 Row = {1000, 1, 1}, Square = {90, 70, 1};
  EXPECT_TRUE(seemAlike(Row, [](const Dim3 &) { return 0; }));
  for (unsigned Border : {2u, 120u, 500u, 998u})
    EXPECT_FALSE(seemAlike(Row, [&](const Dim3 &B) { return B[0] < Border; }));
  for (unsigned Modulus : {2u, 3u, 4u, 8u})
    for (const Dim3 &Grid : {Row, Square}) {
      EXPECT_FALSE(
          seemAlike(Grid, [&](const Dim3 &B) { return B[0] % Modulus; }));
    }
  EXPECT_FALSE(seemAlike(Square, [](const Dim3 &B) { return B[1] % 2; }));
  EXPECT_FALSE(seemAlike(Square, [](const Dim3 &B) { return B[0] < B[1]; }));
}

} // namespace
