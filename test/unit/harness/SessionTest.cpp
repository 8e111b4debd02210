//===- SessionTest.cpp - Recording of what was measured -------------------===//

#include "kernels/harness/Session.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

using namespace std::string_view_literals;

using namespace warpwise;
using namespace warpwise::harness;
using profile::Status;

namespace {

class SessionTest : public testing::Test {
protected:
  const profile::Quantity &at(std::string_view Path) {
    return *S.results().find(Path);
  }
  Session S{Device(), SessionOptions()};
};

} // namespace

TEST_F(SessionTest, AnEstimateKeepsIntervalSamplesAndClock) {
  S.Mhz = 1980;
  S.measured("levels.x"sv, "clk",
             {.Value = 33, .Low = 32, .High = 34, .N = 7, .Converged = true},
             "chased");
  EXPECT_EQ(at("levels.x").Value, 33);
  EXPECT_EQ((*at("levels.x").Ci95)[0], 32);
  EXPECT_EQ(at("levels.x").N, 7u);
  EXPECT_EQ(at("levels.x").Mhz, 1980);
  EXPECT_EQ(at("levels.x").State, Status::Measured);
}

TEST_F(SessionTest, WhatDidNotConvergeSaysSo) {
  S.measured("levels.x"sv, "clk",
             {.Value = 1, .Low = 0, .High = 9, .N = 40, .Converged = false},
             "chased");
  EXPECT_EQ(at("levels.x").State, Status::NotConverged);
}

TEST_F(SessionTest, ASecondOpinionAgreesWithinItsTolerance) {
  S.exact("levels.x"sv, "B", 100, "counted");
  S.check("levels.x"sv, "asked", 102, 0.03);
  EXPECT_TRUE(at("levels.x").Second->Agrees);
  S.check("levels.x"sv, "asked", 104, 0.03);
  EXPECT_FALSE(at("levels.x").Second->Agrees);
  S.check("levels.absent"sv, "asked", 1, 1);
  EXPECT_FALSE(S.results().find("levels.absent"sv));
}

TEST_F(SessionTest, NeedNamesWhatIsMissing) {
  try {
    S.need("levels.x"sv);
    FAIL();
  } catch (const Skip &E) {
    EXPECT_NE(std::string(E.what()).find("levels.x"), std::string::npos);
  }
  S.exact("levels.x"sv, "B", 5, "counted");
  EXPECT_EQ(S.need("levels.x"sv), 5);
}

TEST_F(SessionTest, AnAliasHasTheValueOrTheReason) {
  S.exact("levels.x"sv, "B", 5, "counted");
  S.alias("levels.y"sv, "levels.x"sv);
  EXPECT_EQ(at("levels.y").Value, 5);
  EXPECT_EQ(at("levels.y").State, Status::Alias);
  S.alias("levels.z"sv, "levels.absent"sv);
  EXPECT_EQ(at("levels.z").State, Status::NotMeasurable);
}

TEST_F(SessionTest, RecordingAgainForgetsTheFirst) {
  S.notMeasurable("levels.x"sv, "clk", "not yet");
  S.exact("levels.x"sv, "clk", 3, "counted");
  EXPECT_EQ(at("levels.x").State, Status::Measured);
  S.word("levels.x"sv, "LRU", "seen");
  EXPECT_FALSE(at("levels.x").Value);
}

TEST(SessionTrace, IsOneCsvForEachBenchmark) {
  namespace fs = std::filesystem;
  const fs::path Folder = fs::temp_directory_path() /
                          ("warpwise-trace-" + std::to_string(getpid()));
  Session S(Device(), {.Quick = false, .Seed = 0, .TraceFolder = Folder});
  S.Current = "some-benchmark";
  S.trace("samples", {{"offset [B]", {0, 4}}, {"latency [clk]", {33, 34.5}}});
  std::ifstream In(Folder / "some-benchmark" / "samples.csv");
  std::stringstream Text;
  Text << In.rdbuf();
  EXPECT_EQ(Text.str(), "offset [B],latency [clk]\n0,33\n4,34.5\n");
  fs::remove_all(Folder);
}
