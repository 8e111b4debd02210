//===- ConstantNonuniformTest.cpp -----------------------------------------===//

#include "Literals.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Space;

namespace {

constexpr std::string_view ConstantNonuniform =
    "cuda-memory-constant-nonuniform";

access::Kernel constantKernel(double Words, unsigned Bytes = 4) {
  auto C = sharedCost(0, Bytes);
  C.IdealWavefronts.reset();
  C.Words = Words;
  return kernelWith({accessTo(Space::Constant, Bytes, {C})});
}

TEST(ConstantNonuniform, EveryLaneItsOwnWord) {
  const auto Found = run(ConstantNonuniform, constantKernel(32));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message,
            "constant load differs between lanes: 32 words per request (ideal "
            "1), one pass each");
  EXPECT_EQ(Found[0].ExtraCycles, 93);
  EXPECT_EQ(Found[0].Guidelines, (std::vector<std::string>{"C_1", "C_3"}));
  EXPECT_TRUE(hasNote(Found[0], "index 'tile' by the block or the loop"));
}

TEST(ConstantNonuniform, SilentForABroadcast) {
  EXPECT_TRUE(run(ConstantNonuniform, constantKernel(1)).empty());
}

TEST(ConstantNonuniform, WordsAreAsWideAsTheLoad) {
  EXPECT_TRUE(run(ConstantNonuniform, constantKernel(1, 8)).empty());
  EXPECT_EQ(run(ConstantNonuniform, constantKernel(2, 8)).size(), 1u);
  EXPECT_TRUE(run(ConstantNonuniform, constantKernel(2, 16)).empty())
      << "nothing wider";
}

TEST(ConstantNonuniform, Bounded) {
  auto K = constantKernel(8);
  auto &C = K.Accesses[0].PerLaunch[0];
  C = bounded(C, 2, 8);
  const auto Found = run(ConstantNonuniform, K);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("at least 2 words"), std::string::npos);
  C = bounded(C, 1, 8);
  EXPECT_TRUE(run(ConstantNonuniform, K).empty());
}

TEST(ConstantNonuniform, AssumedShapesHaveToAgree) {
  auto K = constantKernel(8);
  K.Launches = {assumed({32, 8, 1}), assumed({256, 1, 1})};
  auto Clean = K.Accesses[0].PerLaunch[0];
  Clean.Words = 1;
  K.Accesses[0].PerLaunch.push_back(under(1, Clean));
  EXPECT_TRUE(run(ConstantNonuniform, K).empty());
}

TEST(ConstantNonuniform, SilentWhereC_3DoesNotHold) {
  auto Device = device();
  refute(Device, "C_3");
  EXPECT_TRUE(run(ConstantNonuniform, constantKernel(32), Device).empty());
}

TEST(ConstantNonuniform, ARefutedC_1IsNotQuoted) {
  auto Device = device();
  refute(Device, "C_1");
  const auto Found = run(ConstantNonuniform, constantKernel(32), Device);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Guidelines, std::vector<std::string>{"C_3"});
}

} // namespace
