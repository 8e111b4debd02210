//===- LaunchListTest.cpp - Merging and thinning out ----------------------===//

#include "analyzer/launch/LaunchList.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace warpwise::launch;

static Launch make(std::optional<Dim3> Block, int64_t Value) {
  Launch L;
  L.Mangled = "k";
  L.At = "host.cu:1";
  L.Block = Block;
  L.Arguments.resize(1);
  L.Arguments[0].Integer = Value;
  return L;
}

TEST(LaunchListTest, CountsEqualLaunches) {
  LaunchList List;
  List.add(make(Dim3{32, 1, 1}, 1), 0, true);
  List.add(make(Dim3{32, 1, 1}, 1), 0, true);
  auto Kept = List.take(16);
  ASSERT_EQ(Kept.size(), 1U);
  EXPECT_EQ(Kept[0].Count, 2U);
}

TEST(LaunchListTest, DropsWhatSaysLess) {
  LaunchList List;
  Launch Vague = make(std::nullopt, 1);
  List.add(Vague, 0, true);
  List.add(make(Dim3{32, 1, 1}, 1), 0, true);
  auto Kept = List.take(16);
  ASSERT_EQ(Kept.size(), 1U);
  EXPECT_TRUE(Kept[0].Block);
  EXPECT_EQ(Kept[0].Count, 2U);
}

TEST(LaunchListTest, KeepsRareBlockShapesWhenThinningOut) {
  LaunchList List;
  for (int64_t I = 0; I < 100; ++I)
    List.add(make(Dim3{I == 37 ? 64U : 32U, 1, 1}, I), 0, true);
  auto Kept = List.take(4);
  ASSERT_EQ(Kept.size(), 4U);
  EXPECT_TRUE(std::ranges::any_of(
      Kept, [](const Launch &L) { return L.Block == Dim3{64, 1, 1}; }));
}

TEST(LaunchListTest, ReturnsSourceOrder) {
  LaunchList List;
  List.add(make(Dim3{32, 1, 1}, 1), 20, true);
  List.add(make(Dim3{32, 1, 1}, 2), 10, true);
  auto Kept = List.take(16);
  ASSERT_EQ(Kept.size(), 2U);
  EXPECT_EQ(Kept[0].Arguments[0].Integer, 2);
}
