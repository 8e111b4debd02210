//===- StatisticsTest.cpp - Medians, intervals, levels and fits -----------===//

#include "profiler/inference/Statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace warpwise::inference;

namespace {

using Values = std::vector<double>;

/// Normal noise and rare, large outliers to one side.
Values noisy(double Center, double Sigma, unsigned Count, uint64_t Seed = 1) {
  std::mt19937_64 Random(Seed);
  std::normal_distribution<double> Normal(Center, Sigma);
  Values Samples(Count);
  for (unsigned I = 0; I != Count; ++I)
    Samples[I] = Normal(Random) + (I % 50 == 7 ? 700 : 0);
  return Samples;
}

TEST(StatisticsTest, Quantiles) {
  EXPECT_EQ(median(Values{3, 1, 2}), 2);
  EXPECT_EQ(median(Values{4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median(Values{7}), 7);
  EXPECT_EQ(quantile(Values{5, 1, 3}, 0), 1);
  EXPECT_EQ(quantile(Values{5, 1, 3}, 1), 5);
  EXPECT_EQ(quantile(Values{5, 1, 3}, 0.25), 2);
  EXPECT_EQ(mean(Values{1, 2, 6}), 3);
}

TEST(StatisticsTest, EstimateOfFewIsTheRange) {
  const Estimate E = estimate(Values{5, 3, 4});
  EXPECT_EQ(E.Value, 4);
  EXPECT_EQ(E.Low, 3);
  EXPECT_EQ(E.High, 5);
  EXPECT_EQ(E.N, 3u);
  EXPECT_EQ(E.halfWidth(), 1);
}

TEST(StatisticsTest, EstimateByOrderStatistics) {
  // Tables of the binomial interval: of 10 samples the 2nd to the 9th, of 20
  // the 6th to the 15th.
  Values Samples;
  for (unsigned I = 1; I <= 10; ++I)
    Samples.push_back(I);
  EXPECT_EQ(estimate(Samples).Low, 2);
  EXPECT_EQ(estimate(Samples).High, 9);
  for (unsigned I = 11; I <= 20; ++I)
    Samples.push_back(I);
  EXPECT_EQ(estimate(Samples).Low, 6);
  EXPECT_EQ(estimate(Samples).High, 15);
}

TEST(StatisticsTest, EstimateCoversTheMedian) {
  unsigned Covered = 0;
  for (unsigned Seed = 1; Seed <= 400; ++Seed) {
    std::mt19937_64 Random(Seed);
    std::normal_distribution<double> Normal(100, 5);
    Values Samples(25);
    for (double &S : Samples)
      S = Normal(Random);
    const Estimate E = estimate(Samples);
    Covered += E.Low <= 100 && 100 <= E.High;
  }
  EXPECT_GE(Covered, 370u);
}

TEST(StatisticsTest, UntilStable) {
  unsigned Calls = 0;
  Estimate E = untilStable([&] { return ++Calls, 10.0; });
  EXPECT_TRUE(E.Converged);
  EXPECT_EQ(Calls, 5u);
  Calls = 0;
  E = untilStable([&] { return ++Calls % 2 ? 10.0 : 20.0; },
                  {.Least = 4, .Most = 12});
  EXPECT_FALSE(E.Converged);
  EXPECT_EQ(Calls, 12u);
  Calls = 0;
  E = untilStable([&] { return ++Calls % 2 ? 10.0 : 20.0; },
                  {.Least = 4, .Most = 12, .Absolute = 5});
  EXPECT_TRUE(E.Converged);
  EXPECT_EQ(Calls, 4u);
}

TEST(StatisticsTest, LevelsOfHitsAndMisses) {
  Values Samples = noisy(84, 1, 600);
  const Values Misses = noisy(310, 12, 300, 2);
  Samples.insert(Samples.end(), Misses.begin(), Misses.end());
  const Levels L = splitLevels(Samples, 60, 0.05);
  ASSERT_EQ(L.Centers.size(), 2u);
  EXPECT_NEAR(L.Centers[0], 84, 1);
  EXPECT_NEAR(L.Centers[1], 310, 5);
  EXPECT_GT(L.Thresholds[0], 90);
  EXPECT_LT(L.Thresholds[0], 280);
  EXPECT_NEAR(L.Shares[0] + L.Shares[1], 1, 1e-9);
  EXPECT_NEAR(L.Shares[0], 0.653, 0.02);
  EXPECT_EQ(L.of(85), 0u);
  EXPECT_EQ(L.of(300), 1u);
}

TEST(StatisticsTest, OneLevel) {
  const Levels L = splitLevels(Values{5, 5, 6, 5, 6}, 10);
  ASSERT_EQ(L.Centers.size(), 1u);
  EXPECT_TRUE(L.Thresholds.empty());
  EXPECT_EQ(L.of(1000), 0u);
  EXPECT_TRUE(splitLevels({}, 10).Centers.empty());
}

TEST(StatisticsTest, LeastSquaresExactly) {
  // y = 3 + 2 a - b
  const Values A = {0, 1, 2, 3, 4, 5}, B = {1, 0, 4, 2, 7, 3}, One(6, 1);
  Values Y;
  for (size_t I = 0; I != A.size(); ++I)
    Y.push_back(3 + 2 * A[I] - B[I]);
  const Values Columns[] = {One, A, B};
  const auto F = leastSquares(Columns, Y);
  ASSERT_TRUE(F);
  EXPECT_NEAR(F->Coefficients[0], 3, 1e-9);
  EXPECT_NEAR(F->Coefficients[1], 2, 1e-9);
  EXPECT_NEAR(F->Coefficients[2], -1, 1e-9);
  EXPECT_NEAR(F->RSquared, 1, 1e-12);
  EXPECT_NEAR(F->MaxResidual, 0, 1e-9);
}

TEST(StatisticsTest, LeastSquaresErrors) {
  const Values X[] = {Values(4, 1)};
  const auto F = leastSquares(X, Values{9, 10, 10, 11});
  ASSERT_TRUE(F);
  EXPECT_NEAR(F->Coefficients[0], 10, 1e-9);
  EXPECT_NEAR(F->MaxResidual, 1, 1e-9);
  EXPECT_NEAR(F->MedianError, (0 + 1.0 / 11) / 2, 1e-9);
  EXPECT_NEAR(F->RSquared, 0, 1e-9);
}

TEST(StatisticsTest, LeastSquaresWithoutASolution) {
  const Values Same[] = {{1, 2, 3}, {2, 4, 6}};
  EXPECT_FALSE(leastSquares(Same, Values{1, 2, 3}));
  const Values Few[] = {{1}, {2}};
  EXPECT_FALSE(leastSquares(Few, Values{1}));
}

TEST(StatisticsTest, ALineThroughPoints) {
  const auto L = fitLine({1, 2, 4}, {5, 7, 11});
  ASSERT_TRUE(L);
  EXPECT_NEAR(L->Slope, 2, 1e-9);
  EXPECT_NEAR(L->Intercept, 3, 1e-9);
  EXPECT_NEAR(L->at(10), 23, 1e-9);
  EXPECT_FALSE(fitLine({2, 2, 2}, {1, 2, 3}));
}

/// \p Count values around \p Center.
Values heap(double Center, double Spread, size_t Count, std::mt19937_64 &R) {
  std::normal_distribution<double> Normal(Center, Spread);
  Values V(Count);
  for (double &Each : V)
    Each = Normal(R);
  return V;
}

TEST(StatisticsTest, PartingOfTwoHeapsWithATail) {
  // Loads that DRAM answers, near and far, and 6 % that miss a TLB as well.
  std::mt19937_64 Random(1);
  Values All = heap(520, 22, 4000, Random);
  for (const Values &More :
       {heap(705, 25, 3700, Random), heap(1150, 60, 490, Random)})
    All.insert(All.end(), More.begin(), More.end());
  const auto Between = parting(All, 60);
  ASSERT_TRUE(Between);
  EXPECT_GT(*Between, 580);
  EXPECT_LT(*Between, 650);
}

TEST(StatisticsTest, PartingOfASmallHeap) {
  std::mt19937_64 Random(2);
  Values All = heap(280, 10, 5000, Random);
  const Values Few = heap(456, 10, 150, Random);
  All.insert(All.end(), Few.begin(), Few.end());
  const auto Between = parting(All, 28);
  ASSERT_TRUE(Between);
  EXPECT_NEAR(*Between, 368, 20);
}

TEST(StatisticsTest, NoPartingOfOneHeap) {
  std::mt19937_64 Random(3);
  EXPECT_FALSE(parting(heap(300, 30, 5000, Random), 20));
}

} // namespace
