//===- LocalArrayTest.cpp -------------------------------------------------===//

#include "Literals.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Space;

namespace {

constexpr std::string_view LocalArray = "cuda-memory-local-array";

access::Kernel kernelWithWindow() {
  access::PrivateArray Window;
  Window.Name = "window";
  Window.Declared = {"k.cu", 14, 9};
  Window.Bytes = 36;
  Window.DynamicIndex = access::Place{"k.cu", 20, 16};
  Window.IndexText = "m";
  Window.Confirmed = true;
  auto K = kernelWith({});
  K.PrivateArrays = {Window};
  return K;
}

TEST(LocalArray, NamesTheArrayAndTheIndex) {
  const auto Found = run(LocalArray, kernelWithWindow());
  ASSERT_EQ(Found.size(), 1u);
  const auto &F = Found[0];
  EXPECT_EQ(F.Message, "private array 'window' stays in local memory, "
                       "because index 'm' is not a constant");
  EXPECT_EQ(F.Where.Line, 14u);
  EXPECT_EQ(F.Notes[0].Where.Line, 20u);
  EXPECT_TRUE(hasNote(F, "nvcc gives this kernel a stack frame"));
  EXPECT_EQ(F.State, access::Proof::Exact);
  EXPECT_EQ(F.Guidelines, (std::vector<std::string>{"L_1", "L_2", "L_3"}));
}

TEST(LocalArray, NamesWhereTheAddressGoes) {
  auto K = kernelWithWindow();
  K.PrivateArrays[0].DynamicIndex.reset();
  K.PrivateArrays[0].IndexText.clear();
  K.PrivateArrays[0].EscapesTo = "sort";
  const auto Found = run(LocalArray, K);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("because its address is passed to 'sort'"),
            std::string::npos);
}

TEST(LocalArray, SaysWhenOnlyClangWasAsked) {
  auto K = kernelWithWindow();
  K.PrivateArrays[0].Confirmed.reset();
  const auto Found = run(LocalArray, K);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message,
            "private array 'window' stays in local memory in Clang's view, "
            "because index 'm' is not a constant");
  EXPECT_EQ(Found[0].State, access::Proof::Bounded);
  EXPECT_TRUE(hasNote(Found[0], "nvcc was not asked or does not compile"));
}

TEST(LocalArray, NvccHasTheLastWord) {
  auto K = kernelWithWindow();
  K.PrivateArrays[0].Confirmed = false;
  EXPECT_TRUE(run(LocalArray, K).empty());
}

TEST(LocalArray, WeighsByTheAccessesToIt) {
  auto K = kernelWithWindow();
  auto Load = accessTo(Space::Local, 4, {});
  Load.Object = "window";
  Load.Trips = 36;
  auto Other = Load;
  Other.Object = "other";
  K.Accesses = {Load, Load, Other};
  const auto Found = run(LocalArray, K);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Weight, 72);
  EXPECT_EQ(Found[0].ExtraBytes, 128);
}

TEST(LocalArray, OtherInstantiationsCountAsClean) {
  access::Model Model;
  auto Small = kernelWithWindow(), Large = kernelWithWindow();
  Small.Name = "median<3>(float*)";
  Small.PrivateArrays.clear();
  Large.Name = "median<9>(float*)";
  Model.Kernels = {Small, Large};
  const auto Found =
      rules::judgeModel(Model, device(), advice::CheckGlobs("*local-array"))
          .Findings;
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Instances, 1u);
  EXPECT_EQ(Found[0].Judged, 2u);
}

TEST(LocalArray, SilentWhereNoneOfItsGuidelinesHolds) {
  auto Device = device();
  refute(Device, "L_3");
  ASSERT_EQ(run(LocalArray, kernelWithWindow(), Device).size(), 1u);
  EXPECT_EQ(run(LocalArray, kernelWithWindow(), Device)[0].Guidelines,
            (std::vector<std::string>{"L_1", "L_2"}));
  refute(Device, "L_1");
  refute(Device, "L_2");
  EXPECT_TRUE(run(LocalArray, kernelWithWindow(), Device).empty());
}

} // namespace
