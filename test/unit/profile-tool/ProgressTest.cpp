//===- ProgressTest.cpp - How much of a run is left -----------------------===//

#include "profiler/tool/Progress.h"
#include "gtest/gtest.h"

using warpwise::tool::Remaining;

TEST(Remaining, GoesByTheTimesOfAnEarlierRun) {
  Remaining Rest({{"a", 1}, {"b", 3}});
  EXPECT_EQ(Rest.seconds(0), 4);
  EXPECT_EQ(Rest.seconds(0.5), 3.5);
  Rest.ended("a", 2);
  // Twice as slow as the earlier run.
  EXPECT_EQ(Rest.seconds(2), 6);
  EXPECT_EQ(Rest.seconds(3), 5);
}

TEST(Remaining, WithoutAnEarlierRunAllAreAlike) {
  Remaining Rest({{"a", 0}, {"b", 0}, {"c", 0}});
  EXPECT_FALSE(Rest.seconds(5));
  Rest.ended("b", 2);
  EXPECT_EQ(Rest.seconds(2), 4);
}

TEST(Remaining, ANewBenchmarkCountsLikeTheMean) {
  Remaining Rest({{"a", 2}, {"b", 4}, {"new", 0}});
  EXPECT_EQ(Rest.seconds(0), 9);
}

TEST(Remaining, IsNeverBelowZero) {
  Remaining Rest({{"a", 2}});
  EXPECT_EQ(Rest.seconds(5), 0);
  Rest.ended("a", 5);
  Rest.ended("a", 6);
  EXPECT_EQ(Rest.seconds(6), 0);
}
