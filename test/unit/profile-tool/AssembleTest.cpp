//===- AssembleTest.cpp - From a run's recordings to a profile ------------===//

#include "profiler/tool/Assemble.h"
#include "profiler/profile/Paths.h"
#include "profiler/profile/Schema.h"
#include "gtest/gtest.h"

using namespace std::string_view_literals;

using namespace warpwise;
using namespace warpwise::tool;
using profile::Status;

namespace {

harness::Device h200() {
  harness::Device D;
  D.Gpu = "NVIDIA H200";
  D.Major = 9;
  D.SmCount = 132;
  D.Driver = "13.0";
  return D;
}

harness::Session emptySession() {
  return harness::Session(h200(), harness::SessionOptions());
}

/// A run in which nothing but \p Record happened, as a whole profile.
profile::Profile
profileOf(const std::function<void(harness::Session &)> &Record,
          const RunFacts &Run = {}) {
  harness::Session S = emptySession();
  Record(S);
  profile::Profile P = withHead(S, Run);
  EXPECT_EQ(complete(P, Run), "");
  EXPECT_FALSE(profile::validate(P));
  return P;
}

} // namespace

TEST(Kebab, MakesAFileName) {
  EXPECT_EQ(kebab("NVIDIA H200"), "nvidia-h200");
  EXPECT_EQ(kebab("NVIDIA H100 80GB HBM3 MIG 1g.10gb"),
            "nvidia-h100-80gb-hbm3-mig-1g-10gb");
  EXPECT_EQ(kebab("  (odd)/name  "), "odd-name");
  EXPECT_EQ(kebab(""), "gpu");
}

TEST(Assemble, TheHeadSaysWhichGpuAndHow) {
  const profile::Profile P = profileOf(
      [](harness::Session &) {}, {.Name = "",
                                  .Quick = true,
                                  .Partial = false,
                                  .Seed = 42,
                                  .Seconds = 8,
                                  .Notes = {"a note"},
                                  .Disturbed = {{"in clock", "somebody "
                                                             "computes"}}});
  EXPECT_EQ(P.Name, "nvidia-h200");
  EXPECT_EQ(P.Architecture, "sm_90");
  EXPECT_NE(P.Origin.find("quick run of 8 s"), std::string::npos) << P.Origin;
  EXPECT_EQ(P.Environment.at("seed"), "42");
  EXPECT_EQ(P.Environment.at("notes"), "a note");
  EXPECT_EQ(P.Environment.at("disturbed"), "in clock: somebody computes");
  EXPECT_EQ(P.Environment.at("cuda_driver"), "13.0");
}

TEST(Assemble, AnyFileNameGivesAValidName) {
  for (const char *Stem : {"my card (2)", ".hidden", "ü"}) {
    RunFacts Run;
    Run.Name = Stem;
    profileOf([](harness::Session &) {}, Run);
  }
}

TEST(Assemble, WithoutAGpuTheProfileIsValidAllTheSame) {
  harness::Session S({}, {});
  profile::Profile P = withHead(S, {});
  EXPECT_EQ(complete(P, {}), "");
}

TEST(Assemble, WhatIsRequiredAndMissingHasAReason) {
  RunFacts Partial;
  Partial.Partial = true;
  const profile::Profile P = profileOf(
      [](harness::Session &S) {
        S.exact(paths::levels_l1_latency, "clk", 33, "chased");
      },
      Partial);
  for (const profile::KnownPath &Each : profile::knownPaths())
    if (Each.Required && Each.Path != paths::levels_l1_latency) {
      ASSERT_TRUE(P.find(Each.Path)) << Each.Path;
      EXPECT_EQ(P.find(Each.Path)->Method, "not part of this run");
    }
  EXPECT_EQ(P.value(paths::levels_l1_latency), 33);
}

TEST(Assemble, OneImpossibleValueDoesNotCostTheRun) {
  const profile::Profile P = profileOf([](harness::Session &S) {
    S.exact(paths::levels_l1_latency, "clk", -5, "chased");
    S.exact(paths::levels_l2_latency, "ns", 260, "in the wrong unit");
    S.exact("levels.nan"sv, "clk", 0.0 / 0.0, "divided");
    S.exact(paths::levels_dram_latency, "clk", 700, "chased");
  });
  for (std::string_view Path : std::initializer_list<std::string_view>{
           paths::levels_l1_latency, paths::levels_l2_latency, "levels.nan"}) {
    EXPECT_EQ(P.find(Path)->State, Status::NotMeasurable) << Path;
    EXPECT_NE(P.find(Path)->Method.find("refused"), std::string::npos) << Path;
  }
  EXPECT_EQ(P.value(paths::levels_dram_latency), 700);
}

TEST(Assemble, WhatCannotStandInADocumentIsNamedThere) {
  const profile::Profile P = profileOf([](harness::Session &S) {
    S.exact("levels.x"sv, "clk", 1, "chased");
    S.exact("levels.x.y"sv, "clk", 2, "chased");
    S.exact("nosection"sv, "clk", 2, "chased");
    S.curve("levels.c"sv, "x", "y", {}, "swept");
  });
  EXPECT_FALSE(P.find("levels.x"sv));
  EXPECT_EQ(P.value("levels.x.y"sv), 2);
  EXPECT_FALSE(P.find("nosection"sv));
  EXPECT_TRUE(P.Curves.empty());
  EXPECT_NE(P.Environment.at("refused").find("curves.levels.c"),
            std::string::npos);
}

TEST(Assemble, OddDevicesAreNoted) {
  EXPECT_TRUE(deviceNotes(h200()).empty());
  harness::Device Part = h200();
  Part.Gpu += " MIG 1g.18gb";
  EXPECT_EQ(deviceNotes(Part).size(), 1u);
  harness::Device Future = h200();
  Future.Major = 15;
  EXPECT_EQ(deviceNotes(Future).size(), 1u);
  EXPECT_EQ(tooOld(Future), "");
  harness::Device Kepler = h200();
  Kepler.Major = 3;
  Kepler.Minor = 5;
  EXPECT_EQ(tooOld(Kepler), "NVIDIA H200 has compute capability 3.5; profiling "
                            "needs 7.0 or newer");
}

TEST(Assemble, TheSummaryGroupsWhatIsMissingByReason) {
  harness::Session S = emptySession();
  S.exact(paths::levels_l1_latency, "clk", 33, "chased");
  S.exact(paths::bandwidth_int, "GB/s", 3900, "streamed");
  S.exact(paths::bandwidth_float4, "GB/s", 4200, "streamed");
  S.exact("run.seconds.x"sv, "s", 1, "wall time");
  for (std::string_view Path :
       {"levels.a"sv, "levels.b"sv, "levels.c"sv, "levels.d"sv})
    S.notMeasurable(Path, "clk", "there is none");
  const std::string Text = summarize(withHead(S, {}), 12.34);
  EXPECT_NE(Text.find("3 quantities in 12.3 s, 4 not measurable"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("L1 latency 33 clk, best bandwidth 4200 GB/s"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("levels.a, levels.b, levels.c and 1 more: there is none"),
            std::string::npos)
      << Text;
}
