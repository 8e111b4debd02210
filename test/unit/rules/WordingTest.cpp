//===- WordingTest.cpp - Numbers and patterns in words --------------------===//

#include "rules/Wording.h"
#include "Literals.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::rules;
using namespace warpwise::test;

namespace {

TEST(Number, ThreeDigitsAreEnough) {
  EXPECT_EQ(number(32), "32");
  EXPECT_EQ(number(31.999), "32");
  EXPECT_EQ(number(2.25), "2.25");
  EXPECT_EQ(number(62.93), "62.9");
  EXPECT_EQ(number(1234.4), "1234");
  EXPECT_EQ(number(0.25), "0.25");
}

TEST(Counted, OneIsNoPlural) {
  EXPECT_EQ(counted(1, "sector"), "1 sector");
  EXPECT_EQ(counted(1.5, "sector"), "1.5 sectors");
}

access::LanePattern rows(unsigned Width, int64_t Bytes, int64_t Pitch) {
  access::LanePattern P;
  P.ActiveMask = ~uint32_t(0);
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    P.Offsets[Lane] = Lane % Width * Bytes + Lane / Width * Pitch;
  return P;
}

TEST(DescribeLanes, Patterns) {
  EXPECT_EQ(describeLanes(strided(4), 4),
            "neighbouring lanes are side by side");
  EXPECT_EQ(describeLanes(strided(-4), 4),
            "neighbouring lanes are 4 bytes apart");
  EXPECT_EQ(describeLanes(strided(0), 4), "neighbouring lanes are at one "
                                          "address");
  EXPECT_EQ(describeLanes(strided(128, 1), 4), "one lane is active");
  EXPECT_EQ(
      describeLanes(rows(16, 4, 4096), 4),
      "rows of 16 lanes, side by side in a row, 4096 bytes from row to row");
  EXPECT_EQ(
      describeLanes(rows(8, 0, 128), 4),
      "rows of 8 lanes, at one address in a row, 128 bytes from row to row");
}

TEST(DescribeLanes, RowsThatRepeat) {
  EXPECT_EQ(describeLanes(rows(16, 128, 0), 4),
            "rows of 16 lanes, 128 bytes apart in a row, all rows at the same "
            "addresses");
}

TEST(RankingWeight, AnUnknownLoopCountsMoreThanNone) {
  access::Access A;
  EXPECT_EQ(rankingWeight(A), 1);
  A.LoopDepth = 2;
  EXPECT_EQ(rankingWeight(A), 64 * 64);
  A.Trips = 10;
  EXPECT_EQ(rankingWeight(A), 10);
}

TEST(EvidenceNote, HasTheIntervalAndCutsALongCitation) {
  auto Device = device();
  auto &Q = Device.Quantities[paths::warp_shared_cycles_per_wavefront];
  Q.Ci95 = {1.98, 2.04};
  Q.Method = std::string(80, 'x') + " " + std::string(80, 'y');
  advice::Finding F;
  addEvidenceNote(F, Device, paths::warp_shared_cycles_per_wavefront);
  EXPECT_EQ(F.Notes[0].Message,
            "profile test-gpu: warp.shared.cycles_per_wavefront is 2 clk "
            "[1.98, 2.04] (measured: " +
                std::string(80, 'x') + " ...)");
}

} // namespace
