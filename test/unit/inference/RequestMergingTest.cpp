//===- RequestMergingTest.cpp - Merging of a simulated crossbar -----------===//

#include "profiler/inference/RequestMerging.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

using namespace warpwise::inference;

namespace {

using Points = std::vector<std::array<double, 2>>;

Points over(const std::vector<double> &X,
            const std::function<double(double)> &F) {
  Points All;
  for (double Each : X)
    All.push_back({Each, F(Each)});
  return All;
}

const std::vector<double> Skews = {0, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};

TEST(RequestMerging, TheWidestGroupThatGains) {
  const auto Gpc = mergingGroup({1.3, 1.0, 1.25, 1.8, 1.1});
  ASSERT_TRUE(Gpc);
  EXPECT_EQ(Gpc->Name, "GPC");
  EXPECT_NEAR(Gpc->Speedup, 1.8 / 1.1, 1e-12);

  const auto Tpc = mergingGroup({1.3, 1.0, 1.02, 1.1, 1.1});
  ASSERT_TRUE(Tpc);
  EXPECT_EQ(Tpc->Name, "TPC");
  EXPECT_NEAR(Tpc->Speedup, 1.3, 1e-12);

  const auto Device = mergingGroup({1.5, 1.5, 1.5, 1.5, 1.5});
  ASSERT_TRUE(Device);
  EXPECT_EQ(Device->Name, "device");
  EXPECT_FALSE(mergingGroup({1.02, 1, 1.01, 1, 1}));
}

TEST(RequestMerging, WithoutGpcsOnlyPairsCount) {
  const auto Tpc = mergingGroup({1.3, 1, {}, {}, {}});
  ASSERT_TRUE(Tpc);
  EXPECT_EQ(Tpc->Name, "TPC");
  EXPECT_FALSE(mergingGroup({1, 1, {}, {}, {}}));
}

TEST(RequestMerging, TheWindowEndsWhereAnswersPart) {
  // A request that comes up to 100 cycles late is answered with the first.
  const MergeWindow W = mergeWindow(
      over(Skews, [](double Skew) { return Skew <= 100 ? 3 : Skew; }));
  ASSERT_TRUE(W.Cycles);
  EXPECT_EQ(W.Cycles->Low, 64);
  EXPECT_EQ(W.Cycles->High, 128);
  EXPECT_EQ(W.Cycles->Value, 96);
}

TEST(RequestMerging, SaysWhyThereIsNoWindow) {
  EXPECT_EQ(mergeWindow(over(Skews, [](double Skew) { return Skew; })).WhyNot,
            "the answers never came together");
  EXPECT_EQ(mergeWindow(over(Skews, [](double) { return 2; })).WhyNot,
            "the answers came together at any skew");
}

TEST(RequestMerging, StoresMergeUntilHalfOfTheGainIsGone) {
  const MergeWindow W = storeMergeWindow(
      over(Skews, [](double Skew) { return Skew < 200 ? 2.0 : 1.0; }));
  ASSERT_TRUE(W.Cycles);
  EXPECT_EQ(W.Cycles->Low, 128);
  EXPECT_EQ(W.Cycles->High, 256);
  EXPECT_EQ(storeMergeWindow(over(Skews, [](double) { return 2; })).WhyNot,
            "the gain does not fade with skew: 2.00 together, 2.00 with 2048 "
            "cycles");
  EXPECT_EQ(storeMergeWindow(over(Skews, [](double) { return 1; })).WhyNot,
            "stores of different warps to the same lines are not faster than "
            "to their own");
}

} // namespace
