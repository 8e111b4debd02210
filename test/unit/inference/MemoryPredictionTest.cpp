//===- MemoryPredictionTest.cpp - Predictions from a profile alone --------===//

#include "profiler/inference/MemoryPrediction.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

TEST(MemoryPrediction, InterpolatesOverTheLogarithm) {
  profile::Profile P;
  P.Curves[paths::levels_l1_latency_by_footprint].Points = {
      {4096, 33}, {1048576, 273}, {65536, 33}};
  const auto Inside = warmLatency(P, paths::levels_l1, 10000);
  ASSERT_TRUE(Inside);
  EXPECT_DOUBLE_EQ(Inside->Cycles, 33);
  // 256 KiB is half way between 64 KiB and 1 MiB.
  const auto Between = warmLatency(P, paths::levels_l1, 262144);
  ASSERT_TRUE(Between);
  EXPECT_DOUBLE_EQ(Between->Cycles, 153);
  EXPECT_DOUBLE_EQ(Between->Low, 33);
  EXPECT_DOUBLE_EQ(Between->High, 273);
  EXPECT_DOUBLE_EQ(warmLatency(P, paths::levels_l1, 1048576)->Cycles, 273);
  EXPECT_DOUBLE_EQ(warmLatency(P, paths::levels_l1, 4096)->Cycles, 33);
  EXPECT_FALSE(warmLatency(P, paths::levels_l1, 4095));
  EXPECT_FALSE(warmLatency(P, paths::levels_l1, 1048577));
  EXPECT_FALSE(warmLatency(P, paths::levels_l2, 10000));
}

} // namespace
