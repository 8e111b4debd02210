//===- PatternCostsTest.cpp - Requests that cost the same -----------------===//

#include "analyzer/evaluate/PatternCosts.h"

#include <gtest/gtest.h>

using namespace warpwise::access;

namespace {

using Addresses = std::array<uint64_t, 32>;

Addresses row(uint64_t From, uint64_t Step) {
  Addresses At;
  for (unsigned L = 0; L != At.size(); ++L)
    At[L] = From + Step * L;
  return At;
}

/// How often costs had to be computed.
struct Counted {
  PatternCosts<int> Costs;
  int Computed = 0;

  int of(const Addresses &At, uint32_t Active = ~0u, uint32_t Unsure = 0) {
    return Costs.of(At, Active, Unsure, /*PhaseMask=*/127,
                    [&] { return ++Computed; });
  }
};

TEST(PatternCostsTest, PlacesOfALoopAreRemembered) {
  Counted C;
  for (uint64_t Round = 0; Round != 64; ++Round)
    EXPECT_EQ(C.of(row(4096 + 32 * Round, 4)), int(Round % 4) + 1);
  EXPECT_EQ(C.Computed, 4);
}

TEST(PatternCostsTest, OtherDistancesOrLanesCostSomethingElse) {
  Counted C;
  C.of(row(0, 4));
  C.of(row(0, 8));
  EXPECT_EQ(C.Computed, 2);
  C.of(row(0, 8), 0xffff);
  C.of(row(0, 8), 0xffff, 0xff);
  EXPECT_EQ(C.Computed, 4);
  // Where the lanes are that are switched off does not matter.
  Addresses Half = row(128, 8);
  Half[31] = 7;
  C.of(Half, 0xffff, 0xff);
  EXPECT_EQ(C.Computed, 4);
}

TEST(PatternCostsTest, LanesThatHaveLeftDoNotMatterForARepetition) {
  Counted C;
  C.of(row(100, 4));
  EXPECT_TRUE(C.Costs.isRepeated(row(100, 4), ~0u));
  EXPECT_TRUE(C.Costs.isRepeated(row(100, 4), 0xf0));
  EXPECT_FALSE(C.Costs.isRepeated(row(228, 4), ~0u));
  C.of(row(100, 4), 0xf0);
  EXPECT_TRUE(C.Costs.isRepeated(row(100, 4), 0xf0));
  EXPECT_FALSE(C.Costs.isRepeated(row(100, 4), ~0u));
}

} // namespace
