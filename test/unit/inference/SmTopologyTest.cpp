//===- SmTopologyTest.cpp - GPCs and TPCs of a made-up GPU ----------------===//

#include "profiler/inference/SmTopology.h"

#include <gtest/gtest.h>

using namespace warpwise::inference;

namespace {

using Numbers = std::vector<unsigned>;

TEST(SmTopologyTest, GroupsAreNamedByTheirFirstSm) {
  SmGroups Groups(8);
  Groups.join(7, 5);
  Groups.join(0, 2);
  Groups.join(5, 2);
  Groups.join(3, 4);
  EXPECT_EQ(Groups.numbered(), (Numbers{0, 1, 0, 2, 2, 0, 3, 0}));
}

TEST(SmTopologyTest, LoneTpcsAreNoGpcs) {
  const Gpcs Found = gpcsOf(Numbers{0, 0, 1, 1, 0, 0, 2, 2, 2, 3});
  EXPECT_EQ(Found.Members, (Numbers{4, 2, 3, 1}));
  EXPECT_EQ(Found.Count, 2u);
  EXPECT_EQ(Found.LoneSms, 3u);
}

TEST(SmTopologyTest, PairsOfClusters) {
  ClusterPairs Pairs;
  Pairs.add(2, 3);
  Pairs.add(5, 4);
  EXPECT_EQ(Pairs.tpcSms(), 2u);
  Pairs.add(5, 6);
  EXPECT_EQ(Pairs.All, 3u);
  EXPECT_EQ(Pairs.OnNeighbours, 2u);
  EXPECT_EQ(Pairs.tpcSms(), 1u);
}

TEST(SmTopologyTest, APartnerStandsOut) {
  const std::vector<double> Times = {1.62, 1.01, 1.02, 1.0, 1.01, 1.03, 1.02};
  EXPECT_EQ(partnersOf(Times).Count, 1u);
  EXPECT_EQ(partnersOf(Times).Most, 1.62);
  EXPECT_EQ(partnersOf(std::span(Times).subspan(1)).Count, 0u);
  // Where all differ, by more than five times what is usual.
  EXPECT_EQ(partnersOf(std::vector{1.3, 1.0, 1.1, 1.2, 0.9}).Count, 0u);
}

} // namespace
