//===- LaunchPlansTest.cpp - Which shapes a kernel is judged under --------===//

#include "analyzer/evaluate/LaunchPlans.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::access;
using launch::Dim3;
using launch::ShapeSource;

namespace {

std::vector<Dim3> blocksOf(const std::vector<LaunchPlan> &Plans) {
  std::vector<Dim3> Blocks;
  for (const LaunchPlan &P : Plans)
    Blocks.push_back(P.Shape.Block);
  return Blocks;
}

launch::Launch launched(std::optional<Dim3> Block, std::optional<Dim3> Grid) {
  launch::Launch L;
  L.At = {"host.cu", 8};
  L.Block = Block;
  L.Grid = Grid;
  L.DynamicSharedBytes = 512;
  L.Arguments.emplace_back().Integer = 42;
  return L;
}

/// Its addresses depend on its only argument.
Program indexedByArgument() {
  Program Code;
  Preset P;
  P.What = Preset::Kind::Argument;
  P.Number = 0;
  Code.Presets.push_back(P);
  return Code;
}

TEST(LaunchPlansTest, ALaunchIsTakenAsItIs) {
  const launch::Launch L = launched(Dim3{16, 8, 1}, Dim3{4, 1, 1});
  const auto Plans = planLaunches(indexedByArgument(), {{&L}, {}, {}});
  ASSERT_EQ(Plans.size(), 1u);
  EXPECT_EQ(Plans[0].Shape.Block, (Dim3{16, 8, 1}));
  EXPECT_EQ(Plans[0].Shape.Grid, (Dim3{4, 1, 1}));
  EXPECT_EQ(Plans[0].Shape.DynamicSharedBytes, 512u);
  EXPECT_EQ(Plans[0].Shape.Source, ShapeSource::Launch);
  EXPECT_EQ(Plans[0].Shape.At.text(), "host.cu:8");
  EXPECT_EQ(Plans[0].Arguments, L.Arguments);
}

TEST(LaunchPlansTest, EqualLaunchesAreOnePlan) {
  const launch::Launch A = launched(Dim3{64, 1, 1}, {});
  launch::Launch B = A, C = A;
  B.At = {"host.cu", 9};
  C.Arguments[0].Integer = 43;
  EXPECT_EQ(planLaunches(indexedByArgument(), {{&A, &B, &C}, {}, {}}).size(),
            2u);
}

TEST(LaunchPlansTest, WhatNoAddressDependsOnMakesNoOtherPlan) {
  const launch::Launch A = launched(Dim3{64, 1, 1}, {});
  launch::Launch B = A;
  B.Arguments[0].Integer = 43;
  EXPECT_EQ(planLaunches(Program(), {{&A, &B}, {}, {}}).size(), 1u);
}

TEST(LaunchPlansTest, ARowOfUnknownLengthStaysARow) {
  Program Plane;
  Plane.UsesTidY = true;
  launch::Launch L = launched({}, {});
  EXPECT_GT(planLaunches(Plane, {{&L}, {}, {}}).size(), 1u);
  L.BlockAxes = {0, 1, 1};
  EXPECT_EQ(blocksOf(planLaunches(Plane, {{&L}, {}, {}})),
            (std::vector<Dim3>{{256, 1, 1}}));
}

TEST(LaunchPlansTest, WhatIsCertainOfAnUnknownShapeIsKept) {
  Program Plane;
  Plane.UsesTidY = true;
  launch::Launch L = launched({}, {});
  L.BlockAxes = {1, 0, 1};
  EXPECT_EQ(blocksOf(planLaunches(Plane, {{&L}, {}, {}})),
            (std::vector<Dim3>{{1, 256, 1}}));
  EXPECT_EQ(blocksOf(planLaunches(Plane, {{&L}, {}, 100})),
            (std::vector<Dim3>{{1, 64, 1}}));
  L.BlockAxes = {0, 4, 0};
  for (const Dim3 &Shape : blocksOf(planLaunches(Plane, {{&L}, {}, {}})))
    EXPECT_EQ(Shape[1], 4u);
  // Another launch has other rows.
  launch::Launch M = L;
  M.BlockAxes = {0, 2, 1};
  EXPECT_EQ(blocksOf(planLaunches(Plane, {{&L, &M}, {}, {}})),
            blocksOf(planLaunches(Plane, {{}, {}, {}})));
}

TEST(LaunchPlansTest, ALimitedRowIsAsLongAsItMayBe) {
  launch::Launch L = launched({}, {});
  L.BlockAxes = {0, 1, 1};
  L.BlockMost = {768, 0, 0};
  EXPECT_EQ(blocksOf(planLaunches(Program(), {{&L}, {}, {}})),
            (std::vector<Dim3>{{768, 1, 1}}));
  EXPECT_EQ(blocksOf(planLaunches(Program(), {{&L}, {}, 640})),
            (std::vector<Dim3>{{640, 1, 1}}));
  // Another launch has another limit.
  launch::Launch M = L;
  M.BlockMost = {512, 0, 0};
  EXPECT_EQ(blocksOf(planLaunches(Program(), {{&L, &M}, {}, {}})),
            (std::vector<Dim3>{{256, 1, 1}}));
}

TEST(LaunchPlansTest, WhatIsNoLaunchCountsWhereNothingElseIs) {
  const launch::Launch L = launched(Dim3{64, 1, 1}, {});
  launch::Launch None;
  None.IsDead = true;
  const auto Plans = planLaunches(Program(), {{&None, &L}, {}, {}});
  ASSERT_EQ(Plans.size(), 1u);
  EXPECT_FALSE(Plans[0].Shape.IsDead);
  for (const LaunchPlan &P : planLaunches(Program(), {{&None}, {}, {}}))
    EXPECT_TRUE(P.Shape.IsDead);
}

TEST(LaunchPlansTest, TheUsersShapeGoesBeforeAllOthers) {
  const launch::Launch L = launched(Dim3{16, 8, 1}, Dim3{4, 1, 1});
  const auto Plans =
      planLaunches(indexedByArgument(), {{&L}, Dim3{32, 4, 1}, 64});
  ASSERT_EQ(Plans.size(), 1u);
  EXPECT_EQ(Plans[0].Shape.Block, (Dim3{32, 4, 1}));
  EXPECT_EQ(Plans[0].Shape.Source, ShapeSource::Option);
  EXPECT_EQ(Plans[0].Arguments, L.Arguments);
  EXPECT_EQ(blocksOf(planLaunches(Program(), {{}, Dim3{7, 1, 1}, {}})),
            (std::vector<Dim3>{{7, 1, 1}}));
}

TEST(LaunchPlansTest, ShapesThatNoGpuTakesAreNotBelieved) {
  for (const Dim3 &Bad : {Dim3{0, 1, 1}, Dim3{2048, 1, 1}, Dim3{64, 64, 1},
                          Dim3{65536, 65536, 1}}) {
    const launch::Launch L = launched(Bad, {});
    const auto Plans = planLaunches(indexedByArgument(), {{&L}, {}, {}});
    ASSERT_EQ(Plans.size(), 1u);
    EXPECT_EQ(Plans[0].Shape.Block, (Dim3{256, 1, 1}));
    EXPECT_EQ(Plans[0].Shape.Source, ShapeSource::Assumed);
    EXPECT_EQ(Plans[0].Arguments, L.Arguments);
  }
}

TEST(LaunchPlansTest, SharedMemoryThatNoGpuHasIsNotBelieved) {
  launch::Launch L = launched(Dim3{32, 1, 1}, Dim3{1, 1, 1});
  L.DynamicSharedBytes = 200 << 10;
  EXPECT_EQ(planLaunches(Program(), {{&L}, {}, {}})[0].Shape.DynamicSharedBytes,
            200u << 10);
  L.DynamicSharedBytes = ~uint64_t(0);
  EXPECT_EQ(planLaunches(Program(), {{&L}, {}, {}})[0].Shape.DynamicSharedBytes,
            0u);
}

TEST(LaunchPlansTest, AnEmptyGridIsNotKnown) {
  const launch::Launch L = launched(Dim3{32, 1, 1}, Dim3{0, 1, 1});
  EXPECT_FALSE(planLaunches(Program(), {{&L}, {}, {}})[0].Shape.Grid);
}

TEST(LaunchPlansTest, WithoutALaunchALineIsAssumed) {
  const auto Plans = planLaunches(Program(), {});
  EXPECT_EQ(blocksOf(Plans), (std::vector<Dim3>{{256, 1, 1}}));
  EXPECT_EQ(Plans[0].Shape.Source, ShapeSource::Assumed);
}

TEST(LaunchPlansTest, SeveralPlanesAreTriedWhenRowsMatter) {
  Program Code;
  Code.UsesTidY = true;
  const auto Plans = planLaunches(Code, {});
  EXPECT_EQ(Plans.size(), 4u);
  EXPECT_EQ(Plans[0].Shape.Block, (Dim3{32, 8, 1}));
  // What is the same in all layers of a block is not run in several.
  const auto isDeep = [](const LaunchPlan &P) { return P.Shape.Block[2] > 1; };
  EXPECT_TRUE(std::ranges::none_of(Plans, isDeep));
  Code.UsesTidZ = true;
  EXPECT_TRUE(isDeep(planLaunches(Code, {})[0]));
  // The launch says that there is but one layer.
  launch::Launch Flat;
  Flat.BlockAxes = {0, 0, 1};
  const auto FlatPlans = planLaunches(Code, {{&Flat}, {}, {}});
  EXPECT_EQ(FlatPlans[0].Shape.Block, (Dim3{32, 8, 1}));
  EXPECT_TRUE(std::ranges::none_of(FlatPlans, isDeep));
}

TEST(LaunchPlansTest, LaunchBoundsLimitWhatIsTried) {
  Program Code;
  Code.UsesTidY = true;
  for (unsigned Most : {1u, 17u, 32u, 64u, 128u, 1024u, 4096u}) {
    const auto Plans = planLaunches(Code, {{}, {}, Most});
    ASSERT_FALSE(Plans.empty());
    for (const LaunchPlan &P : Plans) {
      EXPECT_LE(P.Shape.Block[0] * P.Shape.Block[1] * P.Shape.Block[2], Most);
      EXPECT_EQ(P.Shape.Source, ShapeSource::Bounds);
    }
  }
  EXPECT_EQ(blocksOf(planLaunches(Program(), {{}, {}, 20})),
            (std::vector<Dim3>{{20, 1, 1}}));
}

} // namespace
