//===- AccessRulesTest.cpp - Table 2 follows from the latencies -----------===//

#include "profiler/inference/AccessRules.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

using namespace warpwise;
using namespace warpwise::inference;
using namespace std::string_view_literals;

namespace {

void set(profile::Profile &P, const std::string &Path, double Value) {
  profile::Quantity Q;
  Q.Value = Value;
  Q.Unit = "clk";
  Q.State = profile::Status::Measured;
  Q.Method = "made up";
  P.Quantities[Path] = Q;
}

void setMemory(profile::Profile &P, const std::string &Memory,
               std::array<double, 6> ByDegree) {
  for (size_t I = 0; I != ByDegree.size(); ++I)
    set(P,
        fmt::format("warp.{}.broadcast.degree_{}", Memory, BroadcastDegrees[I]),
        ByDegree[I]);
}

void setConstraints(profile::Profile &P, const std::string &Memory,
                    double Aligned, double Misaligned, double Nonconsecutive) {
  const std::string Of = "warp." + Memory + ".constraint.";
  set(P, Of + "aligned", Aligned);
  set(P, Of + "misaligned", Misaligned);
  set(P, Of + "nonconsecutive", Nonconsecutive);
}

/// Fang's figures for the Tesla K20c, sections 3.2 and 5; those of constant
/// memory are not printed, only that the latency falls.
profile::Profile k20c() {
  profile::Profile P;
  set(P, paths::levels_shared_latency, 47.69);
  set(P, paths::levels_constant_latency, 110.13);
  set(P, paths::levels_l2_latency, 218.86);
  set(P, paths::levels_dram_latency, 371);
  set(P, paths::levels_texture_latency, 115.6);
  setMemory(P, "shared", {48, 48, 48, 48, 48, 48});
  setMemory(P, "constant", {590, 350, 230, 170, 140, 110});
  setMemory(P, "global", {224, 221, 219, 217, 216, 214});
  setMemory(P, "texture", {110, 110, 110, 110, 110, 110});
  setConstraints(P, "shared", 48, 48, 48.5);
  setConstraints(P, "global", 218, 218, 436);
  setConstraints(P, "texture", 110, 110, 122);
  return P;
}

std::string word(const profile::Profile &P, const std::string &Path) {
  const auto *Q = P.find(Path);
  return !Q                                           ? "(absent)"
         : Q->State == profile::Status::NotMeasurable ? "(not measurable)"
                                                      : Q->Word;
}

TEST(AccessRules, FallingMeansBroadcastOnly) {
  const auto C = capabilityOf({60, 45, 37, 33, 31, 30}, 30);
  EXPECT_EQ(C.Broadcast, true);
  EXPECT_EQ(C.Parallel, false);
  EXPECT_DOUBLE_EQ(C.Spread, 2);
}

TEST(AccessRules, RisingMeansParallelOnly) {
  const auto C = capabilityOf({30, 31, 33, 37, 45, 60}, 30);
  EXPECT_EQ(C.Broadcast, false);
  EXPECT_EQ(C.Parallel, true);
}

TEST(AccessRules, FlatMeansBothOrNeither) {
  const auto Both = capabilityOf({30, 30, 31, 30, 30, 30}, 29);
  EXPECT_EQ(Both.Broadcast, true);
  EXPECT_EQ(Both.Parallel, true);
  const auto Neither = capabilityOf({300, 300, 300, 300, 300, 300}, 30);
  EXPECT_EQ(Neither.Broadcast, false);
  EXPECT_EQ(Neither.Parallel, false);
  const auto Unknown = capabilityOf({30, 30, 30, 30, 30, 30}, std::nullopt);
  EXPECT_EQ(Unknown.Broadcast, std::nullopt);
  EXPECT_EQ(Unknown.Parallel, std::nullopt);
}

TEST(AccessRules, AHumpDecidesNothing) {
  const auto C = capabilityOf({30, 30, 60, 60, 30, 30}, 30);
  EXPECT_EQ(C.Broadcast, std::nullopt);
  EXPECT_EQ(C.Parallel, std::nullopt);
}

TEST(AccessRules, NamesImpacts) {
  EXPECT_EQ(impactOf(100, 100), Impact::None);
  EXPECT_EQ(impactOf(80, 100), Impact::None);
  EXPECT_EQ(impactOf(105, 100), Impact::None);
  EXPECT_EQ(impactOf(122, 110), Impact::Small);
  EXPECT_EQ(impactOf(150, 100), Impact::Large);
  EXPECT_EQ(impactOf(436, 218), Impact::Large);
}

TEST(AccessRules, TakesTheLevelThatGlobalMemoryWasServedFrom) {
  profile::Profile P = k20c();
  EXPECT_EQ(threadLatency(P, "global", 214), 218.86);
  EXPECT_EQ(threadLatency(P, "global", 360), 371);
  EXPECT_EQ(threadLatency(P, "shared", 360), 47.69);
  EXPECT_EQ(threadLatency(P, "surface", 1), std::nullopt);
}

TEST(AccessRules, DerivesTable2) {
  profile::Profile P = k20c();
  deriveAccessTable(P);
  for (std::string Memory : {"shared", "constant", "global", "texture"})
    EXPECT_EQ(word(P, "warp." + Memory + ".broadcast_support"), "supported");
  EXPECT_EQ(word(P, "warp.shared.parallel_support"), "supported");
  EXPECT_EQ(word(P, "warp.constant.parallel_support"), "not supported");
  EXPECT_EQ(word(P, "warp.global.parallel_support"), "supported");
  EXPECT_EQ(word(P, "warp.texture.parallel_support"), "supported");
  EXPECT_EQ(word(P, "warp.shared.alignment_impact"), "none");
  EXPECT_EQ(word(P, "warp.constant.alignment_impact"), "(not measurable)");
  EXPECT_EQ(word(P, "warp.global.alignment_impact"), "none");
  EXPECT_EQ(word(P, "warp.texture.alignment_impact"), "none");
  EXPECT_EQ(word(P, "warp.shared.consecutive_impact"), "none");
  EXPECT_EQ(word(P, "warp.constant.consecutive_impact"), "(not measurable)");
  EXPECT_EQ(word(P, "warp.global.consecutive_impact"), "large");
  EXPECT_EQ(word(P, "warp.texture.consecutive_impact"), "small");
  EXPECT_EQ(P.find("warp.global.parallel_support"sv)->Method,
            "rules of Fang et al. 2017, section 4.2: 224 clk for 32 elements, "
            "214 clk for one, 218.9 clk for a thread");
}

TEST(AccessRules, NamesWhatIsMissing) {
  profile::Profile P = k20c();
  P.Quantities.erase("warp.shared.broadcast.degree_4");
  P.Quantities.erase(paths::warp_texture_constraint_misaligned);
  deriveAccessTable(P);
  const auto *Support = P.find("warp.shared.broadcast_support"sv);
  EXPECT_EQ(Support->State, profile::Status::NotMeasurable);
  EXPECT_EQ(Support->Method, "warp.shared.broadcast.degree_4 is missing");
  EXPECT_EQ(P.find("warp.texture.alignment_impact"sv)->Method,
            "warp.texture.constraint.misaligned is missing");
  EXPECT_EQ(word(P, "warp.texture.consecutive_impact"), "small");
  EXPECT_FALSE(capability(P, "shared"));
}

} // namespace
