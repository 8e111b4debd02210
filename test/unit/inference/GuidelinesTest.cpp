//===- GuidelinesTest.cpp - Fang's statements on made-up devices ----------===//
//
// A profile with the numbers of Fang's Tesla K20c has to confirm what he says
// of it; then each number in turn is bent, and its statement has to fall.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/Guidelines.h"
#include "profiler/inference/AccessRules.h"
#include "profiler/profile/Paths.h"
#include "profiler/profile/Schema.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

using namespace std::string_view_literals;

using namespace warpwise;
using namespace warpwise::inference;
using profile::Guideline;
using profile::Profile;
using Verdict = Guideline::Verdict;

namespace {

void set(Profile &P, const std::string &Path, double Value,
         const std::string &Unit = "clk") {
  profile::Quantity Q;
  Q.Value = Value;
  Q.Unit = Unit;
  Q.State = profile::Status::Measured;
  Q.Method = "made up";
  P.Quantities[Path] = Q;
}

void setDegrees(Profile &P, const std::string &Memory,
                std::array<double, 6> ByDegree) {
  for (size_t I = 0; I != ByDegree.size(); ++I)
    set(P,
        fmt::format("warp.{}.broadcast.degree_{}", Memory, BroadcastDegrees[I]),
        ByDegree[I]);
}

/// The K20c as Fang describes it. Tables 1, 3 and 4 and the figures' numbers
/// where the text has them; else a shape that the text describes.
Profile k20c() {
  Profile P;
  P.Architecture = "sm_35";
  set(P, paths::levels_register_latency, 0.03);
  set(P, paths::levels_constant_latency, 110.13);
  set(P, paths::levels_shared_latency, 47.69);
  set(P, paths::levels_local_latency, 203.75);
  set(P, paths::levels_l2_latency, 218.86);
  set(P, paths::levels_texture_latency, 115.6);
  P.Curves[paths::levels_constant_latency_by_step].Points = {
      {1, 48}, {2, 60}, {4, 78}, {8, 96}, {16, 110}, {32, 110}, {1024, 110}};
  setDegrees(P, "shared", {48, 48, 48, 48, 48, 48});
  setDegrees(P, "constant", {590, 350, 230, 170, 140, 110});
  setDegrees(P, "global", {224, 221, 219, 217, 216, 214});
  setDegrees(P, "texture", {110, 110, 110, 110, 110, 110});
  for (const std::string Of : {"shared", "global", "texture"}) {
    const double Base = Of == "shared" ? 48 : Of == "global" ? 218 : 110;
    set(P, "warp." + Of + ".constraint.aligned", Base);
    set(P, "warp." + Of + ".constraint.misaligned", Base);
    set(P, "warp." + Of + ".constraint.nonconsecutive",
        Of == "shared"   ? Base
        : Of == "global" ? 2 * Base
                         : Base + 12);
    set(P, "warp." + Of + ".threads.aligned_32", Base);
    set(P, "warp." + Of + ".threads.aligned_1024",
        Of == "shared" ? 24 : 1.02 * Base);
    set(P, "warp." + Of + ".blocks.aligned_1", Base);
    set(P, "warp." + Of + ".blocks.aligned_full",
        Of == "texture" ? 127 : 1.02 * Base);
  }
  set(P, paths::warp_global_threads_nonconsecutive_32, 436);
  set(P, paths::warp_global_threads_nonconsecutive_1024, 900);
  set(P, paths::warp_global_blocks_nonconsecutive_1, 700);
  set(P, paths::warp_global_blocks_nonconsecutive_full, 872);
  set(P, paths::warp_texture_blocks_nonconsecutive_full, 320);
  set(P, paths::warp_constant_threads_broadcast_32, 110);
  set(P, paths::warp_constant_threads_broadcast_1024, 180);
  set(P, paths::warp_constant_blocks_broadcast_1, 130);
  set(P, paths::warp_constant_blocks_broadcast_full, 150);
  set(P, paths::warp_shared_conflict_degree_1, 48);
  set(P, paths::warp_shared_conflict_degree_32, 1070);
  set(P, paths::levels_shared_staging_overhead, 400);
  set(P, paths::warp_shared_reuse_breakeven, 3, "1");
  set(P, paths::bandwidth_char, 63.02, "GB/s");
  set(P, paths::bandwidth_char4, 148.599, "GB/s");
  set(P, paths::bandwidth_float, 151.492, "GB/s");
  set(P, paths::bandwidth_double, 157.146, "GB/s");
  set(P, paths::bandwidth_memcpy, 159.757, "GB/s");
  set(P, paths::local_arrays_vector_addition, 73, "1");
  set(P, paths::local_arrays_matrix_multiplication, 36, "1");
  set(P, paths::local_arrays_sorting, 0, "1");
  set(P, "local_arrays.by_architecture.sm_10.vector_addition", 29, "1");
  set(P, "local_arrays.by_architecture.sm_35.vector_addition", 73, "1");
  set(P, "local_arrays.by_architecture.sm_35.sorting", 0, "1");
  return P;
}

Guideline test(const Profile &P, const std::string &Id) {
  for (const Statement &S : statements())
    if (S.Id == Id)
      return testStatement(S, P);
  ADD_FAILURE() << Id << " is no statement";
  return {};
}

TEST(Guidelines, AreThe23) {
  const auto Ids = profile::guidelineIds();
  ASSERT_EQ(statements().size(), Ids.size());
  for (size_t I = 0; I != Ids.size(); ++I) {
    EXPECT_EQ(statements()[I].Id, Ids[I]);
    EXPECT_FALSE(statements()[I].Text.empty());
    EXPECT_FALSE(statements()[I].Needs.empty());
  }
}

TEST(Guidelines, AllHoldOnTheK20c) {
  Profile P = k20c();
  P.Guidelines["S_1"].Evidence = "from before";
  deriveGuidelines(P);
  ASSERT_EQ(P.Guidelines.size(), 23u);
  for (const auto &[Id, G] : P.Guidelines) {
    EXPECT_EQ(G.Says, Verdict::Holds) << Id << ": " << G.Evidence;
    EXPECT_FALSE(G.Evidence.empty()) << Id;
    EXPECT_EQ(G.Evidence.find('\n'), std::string::npos) << Id;
    if (G.Effect) {
      EXPECT_GT(*G.Effect, 0) << Id;
    }
  }
  EXPECT_EQ(P.find("warp.global.consecutive_impact"sv)->Word, "large");
}

TEST(Guidelines, SayHowMuchAndWhy) {
  const Profile P = k20c();
  const Guideline S1 = test(P, "S_1");
  EXPECT_NEAR(S1.Effect.value(), 1070 / 48.0, 1e-9);
  EXPECT_EQ(S1.Evidence, "32-way conflicts raise the latency from 48 clk "
                         "(warp.shared.conflict.degree_1) to 1070 clk "
                         "(warp.shared.conflict.degree_32)");
  EXPECT_NEAR(test(P, "G_2").Effect.value(), 2.36, 0.01);
  EXPECT_NEAR(test(P, "G_3").Effect.value(), 4, 0.1) << "on a full GPU";
  EXPECT_NEAR(test(P, "T_3").Effect.value(), 1.11, 0.01);
  EXPECT_NEAR(test(P, "T_4").Effect.value(), 872 / 320.0, 1e-9);
  EXPECT_NEAR(test(P, "S_5").Effect.value(), 4.59, 0.01);
  EXPECT_NEAR(test(P, "L_4").Effect.value(), 2.5, 0.02);
  EXPECT_NEAR(test(P, "C_3").Effect.value(), 590 / 110.0, 1e-9);
}

/// One number that refutes one statement.
struct Bend {
  std::string Id, Path;
  double Value;
};

TEST(Guidelines, FallWithTheirNumbers) {
  const Bend Bends[] = {
      {"C_4", paths::warp_constant_threads_broadcast_1024, 112},
      {"C_5", paths::warp_constant_blocks_broadcast_full, 400},
      {"G_2", paths::bandwidth_char, 148},
      {"G_4", paths::warp_global_threads_nonconsecutive_1024, 440},
      {"G_4", paths::warp_global_blocks_nonconsecutive_full, 1400},
      {"L_1", paths::local_arrays_vector_addition, 0},
      {"L_1", paths::levels_local_latency, 1},
      {"L_2", paths::local_arrays_matrix_multiplication, 73},
      {"L_3", paths::local_arrays_sorting, 9},
      {"L_4", "local_arrays.by_architecture.sm_10.vector_addition", 73},
      {"S_1", paths::warp_shared_conflict_degree_32, 49},
      {"S_3", paths::warp_shared_constraint_misaligned, 96},
      {"S_3", paths::warp_shared_constraint_nonconsecutive, 96},
      {"S_4", paths::warp_shared_threads_aligned_1024, 60},
      {"S_5", paths::levels_l2_latency, 48},
      {"S_6", paths::warp_shared_reuse_breakeven, 1},
      {"T_2", paths::warp_texture_constraint_misaligned, 220},
      {"T_3", paths::warp_texture_constraint_nonconsecutive, 111},
      {"T_4", paths::warp_texture_constraint_nonconsecutive, 436},
      {"T_4", paths::warp_texture_blocks_nonconsecutive_full, 872},
  };
  for (const Bend &B : Bends) {
    Profile P = k20c();
    ASSERT_NE(P.find(B.Path), nullptr) << B.Path;
    P.Quantities[B.Path].Value = B.Value;
    const Guideline G = test(P, B.Id);
    EXPECT_EQ(G.Says, Verdict::DoesNotHold)
        << B.Id << " with " << B.Path << ": " << G.Evidence;
  }
}

TEST(Guidelines, CapabilitiesFallWithTheDegrees) {
  for (const auto &[Id, Memory] :
       {std::pair("S_2", "shared"), {"G_1", "global"}, {"T_1", "texture"}}) {
    Profile P = k20c();
    setDegrees(P, Memory, {500, 400, 300, 260, 240, 220});
    EXPECT_EQ(test(P, Id).Says, Verdict::DoesNotHold) << Id;
    setDegrees(P, Memory, {40, 90, 40, 90, 40, 90});
    EXPECT_EQ(test(P, Id).Says, Verdict::NotTested) << Id;
  }
  Profile P = k20c();
  setDegrees(P, "constant", {110, 140, 170, 230, 350, 590});
  EXPECT_EQ(test(P, "C_2").Says, Verdict::DoesNotHold);
  setDegrees(P, "constant", {110, 110, 110, 110, 110, 110});
  EXPECT_EQ(test(P, "C_2").Says, Verdict::Holds);
  EXPECT_EQ(test(P, "C_3").Says, Verdict::DoesNotHold);
}

TEST(Guidelines, G3IsAboutTheAdvice) {
  // Consecutive access matters, and alignment as well: the advice stands.
  Profile P = k20c();
  set(P, paths::warp_global_constraint_misaligned, 400);
  Guideline G = test(P, "G_3");
  EXPECT_EQ(G.Says, Verdict::Holds);
  EXPECT_NE(G.Evidence.find("alignment is necessary as well"),
            std::string::npos)
      << G.Evidence;
  // It falls only where scattered access costs nothing, busy or not.
  set(P, paths::warp_global_constraint_nonconsecutive, 220);
  EXPECT_EQ(test(P, "G_3").Says, Verdict::Holds) << "four times on a full GPU";
  set(P, paths::warp_global_blocks_nonconsecutive_full, 225);
  EXPECT_EQ(test(P, "G_3").Says, Verdict::DoesNotHold);
}

TEST(Guidelines, C1FollowsTheCurve) {
  Profile P = k20c();
  auto &Points = P.Curves[paths::levels_constant_latency_by_step].Points;
  Points = {{1, 48}, {16, 48}, {1024, 49}};
  EXPECT_EQ(test(P, "C_1").Says, Verdict::DoesNotHold);
  // An H200: two words are left of the array at the longest step.
  Points = {{1, 32.4}, {8, 63}, {16, 98}, {256, 98}, {1024, 28}};
  EXPECT_EQ(test(P, "C_1").Says, Verdict::Holds);
  Points = {{1, 48}};
  EXPECT_EQ(test(P, "C_1").Says, Verdict::NotTested);
}

TEST(Guidelines, S5ComparesWithTheL1WhereItServesGlobalLoads) {
  Profile P = k20c();
  set(P, paths::levels_l1_latency, 48);
  EXPECT_EQ(test(P, "S_5").Says, Verdict::DoesNotHold);
  EXPECT_NEAR(*test(P, "S_5").Effect, 48 / 47.69, 1e-9);
}

TEST(Guidelines, L4NeedsTwoArchitectures) {
  Profile P = k20c();
  P.Quantities.erase("local_arrays.by_architecture.sm_10.vector_addition");
  const Guideline G = test(P, "L_4");
  EXPECT_EQ(G.Says, Verdict::NotTested);
  EXPECT_EQ(G.Evidence, "local_arrays.by_architecture.sm_*.vector_addition is "
                        "there for one architecture only");
}

TEST(Guidelines, L4OrdersArchitecturesByNumber) {
  Profile P = k20c();
  // "sm_120" comes before "sm_35" in the alphabet.
  set(P, "local_arrays.by_architecture.sm_120.vector_addition", 29, "1");
  EXPECT_EQ(test(P, "L_4").Says, Verdict::DoesNotHold);
  set(P, "local_arrays.by_architecture.sm_120.vector_addition", 58, "1");
  EXPECT_NEAR(test(P, "L_4").Effect.value(), 2, 1e-9);
}

TEST(Guidelines, NameWhatIsMissing) {
  for (const Statement &S : statements()) {
    const Guideline Empty = testStatement(S, Profile{});
    EXPECT_EQ(Empty.Says, Verdict::NotTested) << S.Id;
    EXPECT_NE(Empty.Evidence.find(" is missing"), std::string::npos) << S.Id;
    EXPECT_FALSE(Empty.Effect) << S.Id;
  }
  // Any single thing that a test needs, named when it is gone.
  for (const Statement &S : statements())
    for (std::string_view Need : S.Needs) {
      Profile P = k20c();
      std::string_view Named = Need;
      if (Need.find("sm_*") != Need.npos) {
        std::erase_if(P.Quantities, [&](const auto &Each) {
          return Each.first.ends_with("vector_addition");
        });
      } else if (Need.ends_with("degree_*")) {
        Named.remove_suffix(1);
        P.Quantities.erase(std::string(Named) + "8");
      } else if (Need.starts_with("curves.")) {
        P.Curves.erase(std::string(Need.substr(7)));
      } else {
        P.Quantities.erase(std::string(Need));
      }
      const Guideline G = testStatement(S, P);
      EXPECT_EQ(G.Says, Verdict::NotTested) << S.Id << " without " << Need;
      EXPECT_NE(G.Evidence.find(Named), std::string::npos) << G.Evidence;
    }
}

TEST(Guidelines, SayWhyANumberIsNotMeasurable) {
  Profile P = k20c();
  profile::Quantity &Q = P.Quantities[paths::warp_shared_reuse_breakeven];
  Q = {};
  Q.Unit = "1";
  Q.State = profile::Status::NotMeasurable;
  Q.Method = "staging never pays";
  const Guideline G = test(P, "S_6");
  EXPECT_EQ(G.Says, Verdict::NotTested);
  EXPECT_EQ(G.Evidence,
            "warp.shared.reuse_breakeven is not measurable: staging "
            "never pays");
}

TEST(Guidelines, DoNotDivideByZero) {
  Profile P = k20c();
  set(P, paths::warp_shared_conflict_degree_1, 0);
  EXPECT_EQ(test(P, "S_1").Says, Verdict::NotTested);
  set(P, paths::levels_register_latency, 0);
  EXPECT_NEAR(test(P, "L_1").Effect.value(), 203.75, 1e-9);
}

} // namespace
