//===- OutliersTest.cpp - Which GPU is not like its peers -----------------===//

#include "Support.h"

#include "profiler/tool/reports/Outliers.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::reports;
using profile::Profile;
using profile::Quantity;
using profile::Status;

namespace {

/// GPUs of one kind with that quantity each.
std::vector<Profile> gpus(const std::vector<Quantity> &Quantities,
                          const std::string &Path = "levels.x") {
  std::vector<Profile> All;
  for (const Quantity &Q : Quantities) {
    Profile P = named("gpu" + std::to_string(All.size()), "GPU");
    P.Quantities[Path] = Q;
    All.push_back(std::move(P));
  }
  return All;
}

std::vector<Profile> rates(const std::vector<double> &Values,
                           const std::string &Unit = "GB/s") {
  std::vector<Quantity> All;
  for (const double Value : Values)
    All.push_back(quantity(Value, Unit));
  return gpus(All);
}

std::vector<std::string> namesOf(const OutlierSearch &Found) {
  std::vector<std::string> Names;
  for (const Outlier &Each : Found.Outliers)
    Names.push_back(Each.Profile);
  return Names;
}

using Names = std::vector<std::string>;

TEST(Outliers, OneIsSlower) {
  const auto Found = findOutliers(rates({1000, 1001, 850, 999}));
  ASSERT_EQ(namesOf(Found), Names{"gpu2"});
  EXPECT_EQ(Found.Outliers[0].Path, "levels.x");
  EXPECT_EQ(Found.Outliers[0].What, "850 GB/s, 15.0 % below the median "
                                    "999.5 GB/s of 4 GPUs (noise 2.0 %)");
  EXPECT_EQ(Found.Compared, 4u);
}

TEST(Outliers, WithinTheNoiseNobodyIs) {
  EXPECT_TRUE(findOutliers(rates({1000, 1001, 985, 999})).Outliers.empty());
  // Cycles are counted: one more is none.
  EXPECT_TRUE(findOutliers(rates({20, 20, 20, 21}, "clk")).Outliers.empty());
  EXPECT_EQ(namesOf(findOutliers(rates({20, 20, 20, 23}, "clk"))),
            Names{"gpu3"});
}

TEST(Outliers, GpusThatAllDifferHaveNone) {
  // Each has other slices of its L2 switched off.
  EXPECT_TRUE(
      findOutliers(rates({270, 275, 281, 290, 262, 284, 300, 255}, "clk"))
          .Outliers.empty());
}

TEST(Outliers, AnIntervalIsNoise) {
  EXPECT_TRUE(findOutliers(
                  gpus({quantity(100, "ns"), quantity(100, "ns"),
                        quantity(110, "ns", {{95, 125}}), quantity(100, "ns")}))
                  .Outliers.empty());
}

TEST(Outliers, SizesAndWordsAreEqualOrNot) {
  EXPECT_EQ(namesOf(findOutliers(rates({65536, 65536, 65408}, "B"))),
            Names{"gpu2"});
  EXPECT_EQ(
      namesOf(findOutliers(gpus({word("LRU"), word("FIFO"), word("LRU")}))),
      Names{"gpu1"});
  // Without a majority nobody is the odd one.
  EXPECT_TRUE(
      findOutliers(gpus({word("A"), word("B"), word("C")})).Outliers.empty());
  const auto Sms = [](double N) {
    return quantity(N, "1", std::nullopt, Status::Api);
  };
  EXPECT_EQ(namesOf(findOutliers(gpus({Sms(132), Sms(132), Sms(131)}))),
            Names{"gpu2"});
}

TEST(Outliers, OneCouldNotMeasure) {
  const auto Found = findOutliers(
      gpus({quantity(1, "ns"), quantity(1, "ns"), notMeasurable("ns", "why")}));
  ASSERT_EQ(namesOf(Found), Names{"gpu2"});
  EXPECT_EQ(Found.Outliers[0].What,
            "not-measurable, where 2 of 3 GPUs have a value");
}

TEST(Outliers, NobodyHasPeersAmongTwo) {
  const auto Found = findOutliers(rates({1000, 500}));
  EXPECT_TRUE(Found.Outliers.empty());
  EXPECT_EQ(Found.Alone, (Names{"gpu0", "gpu1"}));
  EXPECT_EQ(Found.Compared, 0u);
}

TEST(Outliers, AnotherKindIsNoPeer) {
  std::vector<Profile> All = rates({1000, 1000, 1000, 300});
  All[3].Gpu = "a smaller one";
  const auto Found = findOutliers(All);
  EXPECT_TRUE(Found.Outliers.empty());
  EXPECT_EQ(Found.Alone, Names{"gpu3"});
}

TEST(Outliers, WhatIsOfTheRunIsLeftOut) {
  EXPECT_TRUE(findOutliers(gpus({quantity(1, "ns"), quantity(1, "ns"),
                                 quantity(9, "ns")},
                                "validation.probe.error"))
                  .Outliers.empty());
}

TEST(Outliers, ThePageNamesAllAndIsSafeToPrint) {
  std::vector<Profile> All = rates({1000, 1000, 1000, 300, 1500});
  All[3].Name = "n\x1b[2J";
  const std::string Page = outlierPage(findOutliers(All));
  EXPECT_TRUE(holds(Page, "gpu4: levels.x is 1,500 GB/s, 50.0 % above the "
                          "median 1,000 GB/s of 5 GPUs"));
  EXPECT_TRUE(holds(Page, "n\\x1b[2J: levels.x is 300 GB/s"));
  EXPECT_TRUE(holds(Page, "2 of 5 GPUs are away from their peers\n"));
}

} // namespace
