//===- OccupancyTest.cpp - How many blocks an SM takes --------------------===//

#include "profiler/profile/Occupancy.h"

#include <gtest/gtest.h>

using namespace warpwise::profile;

namespace {

/// Compute capability 9.0.
constexpr SmLimits H200 = {2048, 32, 65536, 233472, 1024};

TEST(Occupancy, TheScarcestResourceCounts) {
  EXPECT_EQ(occupancyOf(H200, {32, 0, 0}).Blocks, 32U);
  EXPECT_EQ(occupancyOf(H200, {256, 0, 0}).Blocks, 8U);
  EXPECT_EQ(occupancyOf(H200, {257, 0, 0}).Threads, 288U);
  EXPECT_EQ(occupancyOf(H200, {257, 0, 0}).Blocks, 7U);
  EXPECT_EQ(occupancyOf(H200, {256, 40, 0}).Blocks, 6U);
  EXPECT_EQ(occupancyOf(H200, {256, 40, 100 << 10}).Blocks, 2U);
}

TEST(Occupancy, EachSchedulerHasItsRegisters) {
  // 2816 registers of a warp go five times into a quarter of 65536, and 23
  // times into all of them.
  EXPECT_EQ(occupancyOf(H200, {32, 88, 0}).Blocks, 20U);
  // Ten warps are taken for twelve.
  EXPECT_EQ(occupancyOf(H200, {320, 200, 0}).Registers, 6400U * 12);
  EXPECT_EQ(occupancyOf(H200, {320, 200, 0}).Blocks, 0U);
}

TEST(Occupancy, SharedMemoryIsGivenInPortions) {
  EXPECT_EQ(occupancyOf(H200, {32, 0, 0}).SharedBytes, 1024U);
  EXPECT_EQ(occupancyOf(H200, {32, 0, 1}).SharedBytes, 1152U);
  EXPECT_EQ(occupancyOf(H200, {32, 0, 232448}).Blocks, 1U);
  EXPECT_EQ(occupancyOf(H200, {32, 0, 232449}).Blocks, 0U);
}

} // namespace
