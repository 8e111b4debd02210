//===- RunRulesTest.cpp - All enabled rules over a model ------------------===//

#include "Literals.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Space;

namespace {

access::Model instances(std::vector<double> Wavefronts) {
  access::Model Model;
  for (size_t I = 0; I != Wavefronts.size(); ++I) {
    auto K =
        kernelWith({accessTo(Space::Shared, 4, {sharedCost(Wavefronts[I])})});
    K.Name = "reduce<" + std::to_string(I) + ">(float*)";
    Model.Kernels.push_back(K);
  }
  return Model;
}

TEST(RunRules, MergesInstantiationsAndCountsTheCleanOnes) {
  const auto Found =
      rules::judgeModel(instances({2, 32, 1, 16}), device(), {}).Findings;
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Rule, "cuda-memory-bank-conflict");
  EXPECT_EQ(Found[0].Kernel, "reduce<1>(float*)");
  EXPECT_EQ(Found[0].Instances, 3u);
  EXPECT_EQ(Found[0].Judged, 4u);
}

TEST(RunRules, AnInstantiationThatCannotBeJudgedDoesNotCount) {
  auto Model = instances({2, 32});
  Model.Kernels[0].Accesses[0].PerLaunch[0].State = access::Proof::Unknown;
  const auto Found = rules::judgeModel(Model, device(), {}).Findings;
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Judged, 1u);
}

TEST(RunRules, SkippedKernelsAreNotJudged) {
  auto Model = instances({32});
  Model.Kernels[0].State = access::Status::Skipped;
  EXPECT_TRUE(rules::judgeModel(Model, device(), {}).Findings.empty());
}

TEST(RunRules, OnlyWhatIsEnabled) {
  EXPECT_TRUE(rules::judgeModel(instances({32}), device(),
                                advice::CheckGlobs("*,-*bank*"))
                  .Findings.empty());
}

TEST(RunRules, SaysHowTheCodeGotThere) {
  auto Model = instances({32});
  Model.Kernels[0].Accesses[0].InlinedAt = {
      {{"k.cu", 60, 3}, "reduce<0>(float*)"}};
  const auto Found = rules::judgeModel(Model, device(), {}).Findings;
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Notes[0].Where.Line, 60u);
  EXPECT_EQ(Found[0].Notes[0].Message, "called from 'reduce<0>(float*)' here");
}

} // namespace
