//===- CurvesTest.cpp - Bends, plateaus and periods of made-up curves -----===//

#include "profiler/inference/Curves.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace warpwise::inference;

namespace {

/// What a warm cache of \p Capacity saves a copy of \p Size that thrashes it
/// from \p Thrashes on.
double saved(double Size, double Capacity, double Thrashes) {
  return 3 * std::min(Size, Capacity) -
         2 * std::clamp(Size - Thrashes, 0.0, Capacity / 2);
}

TEST(CurvesTest, BendsWhereTheCacheIsFull) {
  std::vector<double> X, Y;
  for (double Size = 2; Size <= 40; Size += 2) {
    X.push_back(Size);
    Y.push_back(saved(Size, 24, 32) + (int(Size) % 3 - 1) * 0.2);
  }
  EXPECT_EQ(bend(X, Y), 24);
}

TEST(CurvesTest, WhatOnlyFallsHasNoBend) {
  std::vector<double> X, Y;
  for (double Size = 2; Size <= 40; Size += 2) {
    X.push_back(Size);
    Y.push_back(-std::min(Size, 20.0));
  }
  EXPECT_EQ(bend(X, Y), std::nullopt);
}

TEST(CurvesTest, Plateau) {
  const std::vector<CurvePoint> Points = {{1, 99},  {2, 50}, {3, 96}, {4, 98},
                                          {5, 100}, {6, 95}, {7, 94}, {8, 100}};
  EXPECT_EQ(plateau(Points, 4, 0.95), std::pair(size_t(2), size_t(5)));
  EXPECT_EQ(plateau(Points, 0, 0.95), std::pair(size_t(0), size_t(0)));
  EXPECT_EQ(firstReaching(Points, 0.95), 1);
  EXPECT_EQ(firstReaching(Points, 1), 5);
}

TEST(CurvesTest, LastFlat) {
  EXPECT_EQ(lastFlat({{{1, 100}, {2, 104}, {3, 99}, {4, 106}, {5, 150}}}), 3);
  EXPECT_EQ(lastFlat({{{1, 100}, {2, 104}, {3, 109}}}), std::nullopt);
}

TEST(CurvesTest, Period) {
  std::vector<bool> Slow(256);
  for (size_t I = 4; I < Slow.size(); I += 4)
    Slow[I] = true;
  EXPECT_EQ(period(Slow), 4u);
  Slow[33] = true; // something else brought that in
  EXPECT_EQ(period(Slow), 4u);
  EXPECT_EQ(period(std::vector<bool>(256)), std::nullopt);
  for (size_t I = 1; I < Slow.size(); I += 5 + I % 7)
    Slow[I] = true;
  EXPECT_EQ(period(Slow), std::nullopt);
}

} // namespace
