//===- WarpCostModelTest.cpp - Prices from measured requests --------------===//

#include "profiler/inference/WarpCostModel.h"

#include <gtest/gtest.h>

#include <random>

using namespace warpwise::inference;

namespace {

constexpr size_t Data = 0, Tag = 1, Sector = 2, Word = 3;

/// Requests of different strides and widths, priced by \p Truth, with noise.
std::vector<WarpCostPoint> requests(const WarpCostModel &Truth, double Noise,
                                    double OutlierShare = 0,
                                    uint64_t Seed = 1) {
  std::mt19937_64 Random(Seed);
  std::normal_distribution<> Normal(0, Noise);
  std::uniform_real_distribution<> Uniform(0, 1);
  std::vector<WarpCostPoint> Points;
  for (double Lines : {1, 2, 4, 8, 12, 16, 24, 32})
    for (double SectorsPerLine : {1, 2, 4})
      for (double Wavefronts : {1, 2, 4, 8, 16}) {
        WarpCostPoint P{{Wavefronts, Lines, Lines * SectorsPerLine, 0}, 0};
        P.Cycles = Truth.predict(P.Features) * (1 + Normal(Random));
        if (Uniform(Random) < OutlierShare)
          P.Cycles *= 3;
        Points.push_back(P);
      }
  return Points;
}

WarpCostModel model(CostForm Form, double Base, WarpFeatures PerUnit) {
  WarpCostModel M;
  M.Form = Form;
  M.Base = Base;
  M.PerUnit = PerUnit;
  return M;
}

void expectNear(const WarpCostModel &Fit, const WarpCostModel &Truth,
                double Tolerance) {
  EXPECT_EQ(Fit.Form, Truth.Form) << formName(Fit.Form);
  EXPECT_NEAR(Fit.Base, Truth.Base, Tolerance);
  for (size_t F = 0; F != WarpFeatureCount; ++F)
    EXPECT_NEAR(Fit.PerUnit[F], Truth.PerUnit[F], Tolerance)
        << featureName(WarpFeature(F));
}

TEST(WarpCostModel, RecoversASingleFeatureExactly) {
  const auto Truth = model(CostForm::Single, 30, {2, 0, 0, 0});
  const auto Fit = fitWarpCost(requests(Truth, 0));
  ASSERT_TRUE(Fit);
  expectNear(*Fit, Truth, 1e-6);
  EXPECT_LT(Fit->P95Error, 1e-9);
  EXPECT_LT(Fit->MaxResidual, 1e-6);
  EXPECT_EQ(Fit->Points, 120u);
}

TEST(WarpCostModel, RecoversSums) {
  const auto Truth = model(CostForm::Additive, 33, {2, 0, 0.5, 0});
  for (uint64_t Seed = 1; Seed <= 5; ++Seed) {
    const auto Fit = fitWarpCost(requests(Truth, 0.01, 0, Seed));
    ASSERT_TRUE(Fit);
    expectNear(*Fit, Truth, 0.6);
    EXPECT_LT(Fit->MedianError, 0.01);
    EXPECT_LT(Fit->P95Error, 0.03);
  }
}

TEST(WarpCostModel, RecoversMaxima) {
  const auto Truth = model(CostForm::Maximum, 4, {1, 2, 0, 0});
  const auto Exact = fitWarpCost(requests(Truth, 0));
  ASSERT_TRUE(Exact);
  expectNear(*Exact, Truth, 1e-6);
  for (uint64_t Seed = 1; Seed <= 5; ++Seed) {
    const auto Fit = fitWarpCost(requests(Truth, 0.01, 0, Seed));
    ASSERT_TRUE(Fit);
    expectNear(*Fit, Truth, 0.2);
  }
}

TEST(WarpCostModel, RecoversThreePartMaxima) {
  const auto Truth = model(CostForm::Maximum, 1, {2, 1, 0.5, 0});
  const auto Fit = fitWarpCost(requests(Truth, 0.005));
  ASSERT_TRUE(Fit);
  expectNear(*Fit, Truth, 0.2);
}

TEST(WarpCostModel, ShrugsOutliersOff) {
  const auto Sum = model(CostForm::Additive, 33, {2, 0, 0.5, 0});
  const auto Largest = model(CostForm::Maximum, 4, {1, 2, 0, 0});
  for (const auto &Truth : {Sum, Largest}) {
    const auto Fit = fitWarpCost(requests(Truth, 0.01, 0.02));
    ASSERT_TRUE(Fit);
    expectNear(*Fit, Truth, 0.8);
    EXPECT_GT(Fit->MaxResidual, 10) << "the outliers stay visible";
  }
}

TEST(WarpCostModel, KnowsWhenNothingMatters) {
  const auto Truth = model(CostForm::Constant, 29, {});
  const auto Fit = fitWarpCost(requests(Truth, 0.005));
  ASSERT_TRUE(Fit);
  EXPECT_EQ(Fit->Form, CostForm::Constant);
  EXPECT_NEAR(Fit->Base, 29, 0.1);
}

TEST(WarpCostModel, HasNoNegativePrices) {
  // Cycles fall with the sectors: no price says so.
  std::vector<WarpCostPoint> Points;
  for (double N = 1; N <= 32; ++N)
    Points.push_back({{0, 0, N, 0}, 100 - N});
  const auto Fit = fitWarpCost(Points);
  ASSERT_TRUE(Fit);
  EXPECT_GE(Fit->Base, 0);
  for (double Price : Fit->PerUnit)
    EXPECT_GE(Price, 0);
}

TEST(WarpCostModel, PricesConstantWords) {
  std::vector<WarpCostPoint> Points;
  for (double Words : {1, 2, 4, 8, 16, 32})
    Points.push_back({{0, 0, 0, Words}, 26 + 4 * Words});
  const auto Fit = fitWarpCost(Points);
  ASSERT_TRUE(Fit);
  EXPECT_EQ(Fit->Form, CostForm::Single);
  EXPECT_NEAR(Fit->Base, 26, 1e-6);
  EXPECT_NEAR(Fit->PerUnit[Word], 4, 1e-6);
  EXPECT_NEAR(Fit->predict({0, 0, 0, 3}), 38, 1e-6);
}

TEST(WarpCostModel, TakesABaseJustBelowZeroForNone) {
  // Constant loads of many warps on an H200: two cycles for each word, and a
  // line that meets the axis slightly below zero.
  std::vector<WarpCostPoint> Points;
  for (auto [Words, Cycles] : {std::pair{1., 1.994},
                               {2., 3.99},
                               {4., 7.987},
                               {8., 16.016},
                               {14., 27.983},
                               {16., 31.979},
                               {22., 43.976},
                               {28., 55.945},
                               {29., 57.949},
                               {32., 63.942},
                               {32., 64.111},
                               {32., 63.768}})
    Points.push_back({{0, 0, 0, Words}, Cycles});
  const auto Fit = fitWarpCost(Points);
  ASSERT_TRUE(Fit);
  EXPECT_EQ(Fit->Form, CostForm::Single);
  EXPECT_NEAR(Fit->PerUnit[Word], 2, 0.01);
  EXPECT_LT(Fit->P95Error, 0.01);
}

TEST(WarpCostModel, GivesAPriceToOneOfTwoThatAreAlike) {
  std::vector<WarpCostPoint> Points;
  for (double N : {1, 2, 4, 8, 16, 32})
    Points.push_back({{N, N, 4 * N, 0}, 30 + 2 * N});
  const auto Fit = fitWarpCost(Points);
  ASSERT_TRUE(Fit);
  EXPECT_EQ(Fit->Form, CostForm::Single);
  EXPECT_NEAR(Fit->PerUnit[Data], 2, 1e-6);
  EXPECT_EQ(Fit->PerUnit[Tag], 0);
  EXPECT_EQ(Fit->PerUnit[Sector], 0);
}

TEST(WarpCostModel, RefusesWhatCannotBeFitted) {
  EXPECT_FALSE(fitWarpCost({}));
  const WarpCostPoint Two[] = {{{1, 0, 0, 0}, 3}, {{2, 0, 0, 0}, 4}};
  EXPECT_FALSE(fitWarpCost(Two));
  const WarpCostPoint Bad[] = {
      {{1, 0, 0, 0}, 3}, {{2, 0, 0, 0}, 0}, {{3, 0, 0, 0}, 4}};
  EXPECT_FALSE(fitWarpCost(Bad));
}

} // namespace
