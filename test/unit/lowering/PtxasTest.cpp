//===- PtxasTest.cpp - Reading what ptxas -v prints -----------------------===//

#include "analyzer/lowering/Ptxas.h"

#include <gtest/gtest.h>

using namespace warpwise::lowering;

namespace {

TEST(PtxasTest, ResourcesOfEachKernel) {
  const auto Found = parsePtxasOutput(
      "ptxas info    : 3 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z4sortPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z4sortPf\n"
      "    72 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 0 barriers, 72 bytes "
      "cumulative stack size\n"
      "ptxas info    : Compile time = 7.8 ms\n"
      "ptxas info    : Compiling entry function 'plain' for 'sm_90'\n"
      "ptxas info    : Function properties for plain\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n");
  ASSERT_EQ(Found.size(), 2u);
  const KernelResources &Sort = Found.at("_Z4sortPf");
  EXPECT_EQ(Sort.Registers, 32u);
  EXPECT_EQ(Sort.StackBytes, 72u);
  EXPECT_EQ(Sort.SpillStoreBytes, 8u);
  EXPECT_EQ(Sort.SpillLoadBytes, 12u);
  EXPECT_EQ(Found.at("plain").Registers, 8u);
  EXPECT_EQ(Found.at("plain").StackBytes, 0u);
}

TEST(PtxasTest, AFunctionThatIsCalledIsNotTheKernel) {
  const auto Found = parsePtxasOutput(
      "ptxas info    : Compiling entry function 'kernel' for 'sm_90'\n"
      "ptxas info    : Function properties for kernel\n"
      "    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 20 registers\n"
      "ptxas info    : Function properties for helper\n"
      "    99 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found.at("kernel").StackBytes, 16u);
}

TEST(PtxasTest, NothingInNothingOut) {
  EXPECT_TRUE(parsePtxasOutput("").empty());
  EXPECT_TRUE(parsePtxasOutput("ptxas fatal   : Unresolved extern\n").empty());
}

} // namespace
