//===- AccessPatternsTest.cpp - Hits and misses of a simulated GPU --------===//

#include "profiler/inference/AccessPatterns.h"

#include <gtest/gtest.h>

#include <random>

using namespace warpwise::inference;

namespace {

/// \p Lines lines of L2, near and far ones, each accessed once by every pattern
/// whose \p Extra cycles there are.
std::vector<TimedAccess>
chase(const std::array<std::optional<double>, AccessPatternCount> &Extra,
      unsigned Lines = 48) {
  std::mt19937_64 Random(7);
  std::normal_distribution<double> Noise(0, 1.5);
  std::vector<TimedAccess> All;
  for (unsigned L = 0; L != Lines; ++L)
    for (unsigned P = 0; P != AccessPatternCount; ++P)
      if (Extra[P])
        All.push_back({P, L, 260 + L % 2 * 150 + *Extra[P] + Noise(Random)});
  return All;
}

TEST(AccessPatterns, TellsAllThatDiffer) {
  const auto Told = tellPatterns(chase({0, 40, 300, 350, 700, 1200}));
  for (const PatternTimes &Of : Told) {
    EXPECT_TRUE(Of.shows());
    EXPECT_EQ(Of.AsBuilt, 1);
    EXPECT_EQ(Of.Accesses, 48u);
  }
  EXPECT_NEAR(Told[1].Extra.Value, 40, 2);
  EXPECT_NEAR(Told[5].Extra.Value, 1200, 2);
}

TEST(AccessPatterns, NamesTheOneThatTakesAsLong) {
  const auto Told = tellPatterns(chase({0, 40, 41, 350, 700, 700}));
  EXPECT_EQ(Told[2].Like, 1u);
  EXPECT_EQ(Told[5].Like, 4u);
  EXPECT_TRUE(Told[4].shows());
}

TEST(AccessPatterns, AHitOfL2IsNeverLikeAMiss) {
  const auto Told = tellPatterns(chase({0, 40, 350, 350, 700, 1200}));
  EXPECT_TRUE(Told[2].shows());
  EXPECT_TRUE(Told[3].shows());
  // Half of either is nearer to the other, as chance has it.
  EXPECT_LT(Told[2].AsBuilt, 1);
}

TEST(AccessPatterns, SaysNothingAboutWhatWasNotMade) {
  const auto Told = tellPatterns(chase({0, {}, 300, 350, {}, {}}));
  EXPECT_FALSE(Told[1].Cycles);
  EXPECT_FALSE(Told[1].shows());
  EXPECT_EQ(Told[1].Accesses, 0u);
  EXPECT_FALSE(tellPatterns(chase({0, 40, 300, {}, {}, {}}, 2))[1].Cycles);
}

} // namespace
