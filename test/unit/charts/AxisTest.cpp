//===- AxisTest.cpp - Scales and their ticks ------------------------------===//

#include "profiler/charts/Axis.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace warpwise::charts;

namespace {

TEST(Axis, BytesHaveRoundTicks) {
  const Axis A = horizontalAxis({200 * 1024, 280 * 1024}, {"footprint", "B"});
  EXPECT_FALSE(A.Logarithmic);
  ASSERT_FALSE(A.Ticks.empty());
  for (const Tick &T : A.Ticks)
    EXPECT_EQ(std::fmod(T.At, 16 * 1024), 0) << T.Text;
}

TEST(Axis, SpacingDecidesTheScale) {
  EXPECT_TRUE(horizontalAxis({1, 2, 4, 8, 16, 32}, {}).Logarithmic);
  EXPECT_FALSE(horizontalAxis({1, 7, 13, 19, 25, 32}, {}).Logarithmic);
  EXPECT_FALSE(horizontalAxis({0, 2, 4, 8, 16, 32}, {}).Logarithmic);
}

TEST(Axis, ZeroUnlessClose) {
  EXPECT_EQ(verticalAxis({30, 260}, {}).Low, 0);
  EXPECT_GT(verticalAxis({250, 290}, {}).Low, 200);
  EXPECT_TRUE(verticalAxis({1, 5000}, {}).Logarithmic);
}

} // namespace
