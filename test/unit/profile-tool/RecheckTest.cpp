//===- RecheckTest.cpp - Whether a profile still describes its GPU --------===//

#include "profiler/tool/Recheck.h"
#include "profiler/profile/Paths.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace std::string_view_literals;

using namespace warpwise;
using namespace warpwise::tool;
using harness::Benchmark;
using harness::Stage;
using profile::Status;

namespace {

profile::Quantity quantity(double Value, std::string Unit) {
  profile::Quantity Q;
  Q.Value = Value;
  Q.Unit = std::move(Unit);
  Q.State = Status::Measured;
  Q.Method = "a test";
  return Q;
}

std::vector<Benchmark> someBenchmarks() {
  std::vector<Benchmark> All(3);
  All[0].Name = "latency";
  All[0].When = Stage::Latency;
  All[0].Quick = true;
  All[0].Provides = {{"levels.a"sv, "clk"},     {"levels.b"sv, "clk"},
                     {"levels.c"sv, "clk"},     {"levels.d"sv, "clk"},
                     {"levels.e"sv, "clk"},     {"levels.f"sv, "clk"},
                     {"levels.absent"sv, "clk"}};
  All[1].Name = "slow";
  All[1].When = Stage::Geometry;
  All[1].Provides = {{"levels.slow"sv, "B"}};
  All[2].Name = "bandwidth";
  All[2].When = Stage::Bandwidth;
  All[2].Quick = true;
  All[2].Provides = {{paths::bandwidth_int, "GB/s"}};
  return All;
}

profile::Profile stored() {
  profile::Profile P;
  for (const char *Path : {"levels.a", "levels.b", "levels.c", "levels.d",
                           "levels.e", "levels.f", "levels.slow"})
    P.Quantities[Path] = quantity(100, "clk");
  P.Quantities[paths::bandwidth_int] = quantity(100, "GB/s");
  return P;
}

Recheck::Verdict verdictOf(const profile::Quantity &Then,
                           const profile::Quantity &Now) {
  profile::Profile A, B;
  A.Quantities["levels.x"] = Then;
  B.Quantities["levels.x"] = Now;
  return compare(A, B, {"levels.x"}).front().Says;
}

} // namespace

TEST(Recheck, SamplesFiveOfWhatIsQuickAndWasMeasured) {
  std::mt19937_64 Random(1);
  for (unsigned Round = 0; Round != 20; ++Round) {
    const auto Paths = samplePaths(stored(), someBenchmarks(), Random);
    EXPECT_EQ(Paths.size(), 5u);
    EXPECT_TRUE(std::is_sorted(Paths.begin(), Paths.end()));
    for (const std::string &Path : Paths)
      EXPECT_TRUE(Path >= "levels.a" && Path <= "levels.f" &&
                  Path != "levels.absent")
          << Path;
  }
}

TEST(Recheck, TheSampleIsRandom) {
  std::mt19937_64 Random(1);
  const auto First = samplePaths(stored(), someBenchmarks(), Random);
  bool Other = false;
  for (unsigned Round = 0; Round != 50; ++Round)
    Other |= samplePaths(stored(), someBenchmarks(), Random) != First;
  EXPECT_TRUE(Other);
}

TEST(Recheck, RunsOnlyWhatProvidesTheSample) {
  const auto All = someBenchmarks();
  const auto Needed = providers(All, {"levels.a", "levels.b"});
  ASSERT_EQ(Needed.size(), 1u);
  EXPECT_EQ(Needed.front()->Name, "latency");
}

TEST(Recheck, JudgesByTheUnit) {
  using V = Recheck::Verdict;
  EXPECT_EQ(verdictOf(quantity(300, "clk"), quantity(305, "clk")), V::Agrees);
  EXPECT_EQ(verdictOf(quantity(300, "clk"), quantity(310, "clk")), V::Differs);
  EXPECT_EQ(verdictOf(quantity(33, "clk"), quantity(34.4, "clk")), V::Agrees);
  EXPECT_EQ(verdictOf(quantity(128, "B"), quantity(64, "B")), V::Differs);
  EXPECT_EQ(verdictOf(quantity(262144, "B"), quantity(262016, "B")), V::Agrees);
  EXPECT_EQ(verdictOf(quantity(128, "B"), quantity(128, "clk")), V::Differs);
}

TEST(Recheck, ComparesWords) {
  profile::Quantity Lru = quantity(0, "name"), Random = Lru;
  Lru.Value = Random.Value = std::nullopt;
  Lru.Word = "LRU";
  Random.Word = "random";
  EXPECT_EQ(verdictOf(Lru, Lru), Recheck::Verdict::Agrees);
  EXPECT_EQ(verdictOf(Lru, Random), Recheck::Verdict::Differs);
}

TEST(Recheck, WhatCouldNotBeMeasuredIsNoDifference) {
  profile::Quantity Missing;
  Missing.Unit = "clk";
  Missing.State = Status::NotMeasurable;
  EXPECT_EQ(verdictOf(quantity(1, "clk"), Missing),
            Recheck::Verdict::NotMeasured);
}

TEST(Recheck, TheTableHasALineForEach) {
  const std::string Text = table(
      {{"levels.x", "100 clk", "102 clk", "+2.0 %", Recheck::Verdict::Agrees}});
  EXPECT_EQ(Text, "path       stored      now  difference  verdict\n"
                  "levels.x  100 clk  102 clk      +2.0 %  agrees\n");
}
