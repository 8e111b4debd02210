//===- L2SidesTest.cpp - Sides of a simulated L2 --------------------------===//

#include "profiler/inference/L2Sides.h"

#include <gtest/gtest.h>

using namespace warpwise::inference;

namespace {

constexpr unsigned SmCount = 16, Lines = 64;

/// Even SMs are on one side. A line's first read from the other side takes 180
/// cycles more; half of the lines have their home there.
FirstTouch touch(unsigned Sm, unsigned Owner) {
  FirstTouch T;
  for (unsigned L = 0; L != Lines; ++L) {
    const bool Far = Sm % 2 != Owner % 2 && L % 2 == 0;
    T.First.push_back(260 + L % 5 + (Far ? 180 : 0));
    T.Again.push_back(260 + L % 5);
  }
  return T;
}

TEST(L2Sides, EverySmFindsItsSide) {
  L2Sides Sides(SmCount);
  std::vector<FirstTouch> OfFirst;
  for (unsigned Number = 0; const auto Owner = Sides.firstUnassigned();
       ++Number) {
    ASSERT_LT(Number, 2u);
    std::vector<FirstTouch> Found;
    for (unsigned Sm = 0; Sm != SmCount; ++Sm)
      Found.push_back(touch(Sm, *Owner));
    Sides.assign(Number, *Owner, Found);
    if (Number == 0)
      OfFirst = Found;
  }
  EXPECT_EQ(Sides.count(), 2u);
  for (unsigned Sm = 0; Sm != SmCount; ++Sm)
    EXPECT_EQ(Sides.of(Sm), Sm % 2);

  const TouchLatencies L = touchLatencies(OfFirst, Sides);
  EXPECT_EQ(L.FarShare, 0.5);
  EXPECT_TRUE(L.Copied);
  EXPECT_EQ(L.Far.size(), SmCount / 2 * Lines / 2);
}

TEST(L2Sides, TermsOfRowsAndColumns) {
  std::vector<std::vector<double>> Cells;
  for (double Row : {-2, 0, 2})
    Cells.push_back({300 + Row - 5, 300 + Row + 5});
  const AdditiveModel M = fitAdditive(Cells);
  EXPECT_NEAR(M.Mean, 300, 1e-9);
  EXPECT_NEAR(spread(M.OfRow), 4, 1e-9);
  EXPECT_NEAR(spread(M.OfColumn), 10, 1e-9);
  EXPECT_NEAR(M.Explained, 1, 1e-12);
}

} // namespace
