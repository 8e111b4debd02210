//===- SiteVerdictTest.cpp - One verdict over all launches ----------------===//

#include "rules/SiteVerdict.h"
#include "Literals.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::rules;
using namespace warpwise::test;
using access::Cost;
using access::Space;

namespace {

std::optional<SiteVerdict> verdict(std::vector<Cost> Costs,
                                   std::vector<launch::Shape> Launches) {
  const auto K = kernelWith({accessTo(Space::Shared, 4, std::move(Costs))},
                            std::move(Launches));
  return judge(K, K.Accesses[0],
               [](const Cost &C) {
                 return Demand::of(C, C.Wavefronts, C.IdealWavefronts);
               },
               {1.25, 1});
}

const std::vector<launch::Shape> TwoLaunches = {launched({32, 8, 1}),
                                                launched({16, 16, 1})};

TEST(SiteVerdict, TheWorstKnownLaunchIsShown) {
  const auto V =
      verdict({under(0, sharedCost(2)), under(1, sharedCost(8))}, TwoLaunches);
  ASSERT_TRUE(V);
  EXPECT_EQ(V->Need.Low, 8);
  EXPECT_FALSE(V->AtLeast);
  EXPECT_EQ(V->Wasteful, (std::vector<unsigned>{0, 1}));
}

TEST(SiteVerdict, OneKnownLaunchThatCannotBeJudgedDoesNotSilenceTheOther) {
  auto Unknown = under(0, Cost());
  const auto V = verdict({Unknown, under(1, sharedCost(8))}, TwoLaunches);
  ASSERT_TRUE(V);
  EXPECT_TRUE(V->Clean.empty());
}

TEST(SiteVerdict, AssumedShapesDoNotCountBesideAKnownLaunch) {
  const std::vector<launch::Shape> Mixed = {launched({32, 8, 1}),
                                            assumed({16, 16, 1})};
  EXPECT_TRUE(
      verdict({under(0, sharedCost(8)), under(1, sharedCost(1))}, Mixed));
  EXPECT_FALSE(
      verdict({under(0, sharedCost(1)), under(1, sharedCost(8))}, Mixed));
}

TEST(SiteVerdict, AnAssumedShapeThatCannotBeJudgedIsNoAgreement) {
  EXPECT_FALSE(verdict({under(0, sharedCost(8)), under(1, Cost())},
                       {assumed({32, 8, 1}), assumed({16, 16, 1})}));
}

TEST(SiteVerdict, ABoundIsNoKnownLaunch) {
  launch::Shape Bound = assumed({256, 1, 1});
  Bound.Source = launch::ShapeSource::Bounds;
  const auto V = verdict({sharedCost(8)}, {Bound});
  ASSERT_TRUE(V);
  EXPECT_TRUE(V->Assumed);
}

TEST(SiteVerdict, ALaunchWithoutARequestSaysNothing) {
  auto Never = under(0, sharedCost(1));
  Never.Requests = 0;
  const auto V = verdict({Never, under(1, sharedCost(8))},
                         {assumed({32, 8, 1}), assumed({16, 16, 1})});
  EXPECT_TRUE(V);
  EXPECT_FALSE(verdict({Never}, {assumed({32, 8, 1})}));
}

TEST(SiteVerdict, ABoundedCostWithoutBoundsIsNotJudged) {
  auto C = sharedCost(8);
  C.State = access::Proof::Bounded;
  EXPECT_FALSE(verdict({C}, {launched({32, 8, 1})}));
}

TEST(SiteVerdict, AnEstimateSpeaksAndSaysThatItIsOne) {
  auto C = sharedCost(8);
  C.State = access::Proof::Estimated;
  C.Low = 1;
  C.High = 32;
  const auto V = verdict({C}, {launched({32, 8, 1})});
  ASSERT_TRUE(V);
  EXPECT_TRUE(V->Need.IsLikely);
  EXPECT_FALSE(V->AtLeast);
  EXPECT_EQ(V->extra(), 7);
  EXPECT_EQ(V->extraLow(), 0);
  EXPECT_EQ(V->extraHigh(), 31);
  auto Clean = sharedCost(1);
  Clean.State = access::Proof::Estimated;
  Clean.Low = 1;
  Clean.High = 32;
  EXPECT_FALSE(verdict({Clean}, {launched({32, 8, 1})}));
}

TEST(SiteVerdict, OfIndicesFromMemoryTheLeastCounts) {
  auto C = sharedCost(8);
  C.State = access::Proof::DataDependent;
  EXPECT_FALSE(verdict({C}, {launched({32, 8, 1})}));
  C.Low = 1;
  C.High = 32;
  EXPECT_FALSE(verdict({C}, {launched({32, 8, 1})}));
  C.Low = 4;
  const auto V = verdict({C}, {launched({32, 8, 1})});
  ASSERT_TRUE(V);
  EXPECT_TRUE(V->AtLeast);
  EXPECT_EQ(V->extra(), 3);
}

} // namespace
