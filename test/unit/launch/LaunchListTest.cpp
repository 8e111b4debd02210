//===- LaunchListTest.cpp - Merging and thinning out ----------------------===//

#include "analyzer/launch/LaunchList.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace warpwise::launch;

static std::vector<Launch> take(LaunchList &List, unsigned Most) {
  std::vector<std::string> Notes;
  return List.take(Most, false, Notes);
}

static SeenLaunch make(std::optional<Dim3> Block, int64_t Value,
                       unsigned Order = 0) {
  SeenLaunch Seen;
  Seen.Order = Order;
  Launch &L = Seen.Facts;
  L.Mangled = "k";
  L.At = {"host.cu", 1};
  L.Block = Block;
  L.Arguments.resize(1);
  L.Arguments[0].Integer = Value;
  return Seen;
}

TEST(LaunchListTest, CountsEqualLaunches) {
  LaunchList List;
  List.add(make(Dim3{32, 1, 1}, 1));
  List.add(make(Dim3{32, 1, 1}, 1));
  auto Kept = take(List, 16);
  ASSERT_EQ(Kept.size(), 1U);
  EXPECT_EQ(Kept[0].Count, 2U);
}

TEST(LaunchListTest, DropsWhatSaysLess) {
  LaunchList List;
  SeenLaunch Vague = make(std::nullopt, 1);
  Vague.IsVague = true;
  List.add(Vague);
  List.add(make(Dim3{32, 1, 1}, 1));
  auto Kept = take(List, 16);
  ASSERT_EQ(Kept.size(), 1U);
  EXPECT_TRUE(Kept[0].Block);
  EXPECT_EQ(Kept[0].Count, 2U);
}

TEST(LaunchListTest, KeepsRareBlockShapesWhenThinningOut) {
  LaunchList List;
  for (int64_t I = 0; I < 100; ++I)
    List.add(make(Dim3{I == 37 ? 64U : 32U, 1, 1}, I));
  auto Kept = take(List, 4);
  ASSERT_EQ(Kept.size(), 4U);
  EXPECT_TRUE(std::ranges::any_of(
      Kept, [](const Launch &L) { return L.Block == Dim3{64, 1, 1}; }));
}

TEST(LaunchListTest, ReturnsSourceOrder) {
  LaunchList List;
  List.add(make(Dim3{32, 1, 1}, 1, 20));
  List.add(make(Dim3{32, 1, 1}, 2, 10));
  auto Kept = take(List, 16);
  ASSERT_EQ(Kept.size(), 2U);
  EXPECT_EQ(Kept[0].Arguments[0].Integer, 2);
}

TEST(LaunchListTest, KeepsTheGeneralOneBesideOneThatSaysMore) {
  LaunchList List;
  SeenLaunch General = make(Dim3{32, 1, 1}, 1);
  General.Facts.Arguments[0].Integer.reset();
  List.add(General);
  List.add(make(Dim3{32, 1, 1}, 1));
  EXPECT_EQ(take(List, 16).size(), 2U);
  // A default stands for whatever else the value may be.
  SeenLaunch Default = make(Dim3{32, 1, 1}, 1);
  Default.Facts.Arguments[0].Certain = false;
  List.add(General);
  List.add(Default);
  List.add(make(Dim3{32, 1, 1}, 1));
  auto Kept = take(List, 16);
  ASSERT_EQ(Kept.size(), 1U);
  EXPECT_FALSE(Kept[0].Arguments[0].Certain);
}

TEST(LaunchListTest, NamesAlternatives) {
  LaunchList List;
  int Equal = 0, Same = 0;
  const Choice Common = {&Same, 0, "argc > 2", "argc <= 2", false, false};
  SeenLaunch One = make(Dim3{32, 1, 1}, 1), Other = make(Dim3{32, 1, 1}, 2);
  One.Choices = {Common, {&Equal, 0, "n is 1", "n is not 1", false, true}};
  Other.Choices = {Common, {&Equal, 1, "n is not 1", "n is 1", true, false}};
  List.add(One);
  List.add(Other);
  auto Kept = take(List, 16);
  ASSERT_EQ(Kept.size(), 2U);
  // The general one comes first.
  EXPECT_EQ(Kept[0].When, "otherwise");
  EXPECT_FALSE(Kept[0].IsSpecial);
  EXPECT_EQ(Kept[1].When, "n is 1");
  EXPECT_TRUE(Kept[1].IsSpecial);
  // What both ways lead to depends on neither.
  List.add(One);
  Other.Facts = One.Facts;
  List.add(Other);
  Kept = take(List, 16);
  ASSERT_EQ(Kept.size(), 1U);
  EXPECT_EQ(Kept[0].When, "");
}

TEST(LaunchListTest, WhatHasHeldAndHasNotSaysNothing) {
  LaunchList List;
  int Before = 0, After = 0, Hidden = 0;
  SeenLaunch One = make(Dim3{32, 1, 1}, 1), Other = make(Dim3{32, 1, 1}, 2);
  One.Choices = {{&Before, 0, "Size > 0", "Size <= 0", false, false},
                 {&After, 1, "Size <= 0", "Size > 0", true, false}};
  // A function that has returned since has asked this.
  Other.Choices = {{&Hidden, 0, "", "this->Size > 0", false, false}};
  List.add(One);
  List.add(Other);
  const auto Kept = take(List, 16);
  ASSERT_EQ(Kept.size(), 2U);
  EXPECT_EQ(Kept[0].When, "");
  EXPECT_EQ(Kept[1].When, "");
}

TEST(LaunchListTest, SaysWhatThoseLeftOutHaveInCommon) {
  LaunchList List;
  for (int64_t I = 0; I < 100; ++I)
    List.add(make(Dim3{32, 1, 1}, I));
  std::vector<std::string> Notes;
  auto Kept = List.take(4, true, Notes);
  ASSERT_EQ(Kept.size(), 4U);
  EXPECT_EQ(std::ranges::count_if(Kept,
                                  [](const Launch &L) {
                                    return L.Block == Dim3{32, 1, 1} &&
                                           !L.Arguments[0].Integer;
                                  }),
            1);
  ASSERT_EQ(Notes.size(), 1U);
  EXPECT_NE(Notes[0].find("100 launches that differ; 3 of them"),
            std::string::npos);
}
