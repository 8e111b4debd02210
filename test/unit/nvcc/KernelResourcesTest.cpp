//===- KernelResourcesTest.cpp - Reading what nvcc says of kernels --------===//

#include "analyzer/nvcc/KernelResources.h"

#include <gtest/gtest.h>

using namespace warpwise::nvcc;

namespace {

TEST(KernelResourcesTest, ResourcesOfEachKernel) {
  const auto Found = parseResourceUsage(
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

TEST(KernelResourcesTest, AFunctionThatIsCalledIsNotTheKernel) {
  const auto Found = parseResourceUsage(
      "ptxas info    : Compiling entry function 'kernel' for 'sm_90'\n"
      "ptxas info    : Function properties for kernel\n"
      "    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 20 registers\n"
      "ptxas info    : Function properties for helper\n"
      "    99 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found.at("kernel").StackBytes, 16u);
}

TEST(KernelResourcesTest, NothingInNothingOut) {
  EXPECT_TRUE(parseResourceUsage("").empty());
  EXPECT_TRUE(
      parseResourceUsage("ptxas fatal   : Unresolved extern\n").empty());
}

TEST(KernelResourcesTest, NamesOfInternalLinkage) {
  const ResourceTable Table = {
      {"_Z5plainPf", {1, 0, 0, 0}},
      {"_Z2stPf", {2, 0, 0, 0}},
      {"_ZN38_GLOBAL__N__1238b3f6_6_two_cu_18f5cf2a2anEPf", {3, 0, 0, 0}},
      {"_ZN38_GLOBAL__N__1238b3f6_6_two_cu_18f5cf2a2tpILi16EEEvPf",
       {4, 0, 0, 0}}};
  const auto registersOf = [&](const char *Name) {
    const KernelResources *Found = findKernel(Table, Name);
    return Found ? Found->Registers : 0;
  };
  EXPECT_EQ(registersOf("_Z5plainPf"), 1u);
  EXPECT_EQ(registersOf("_ZL2stPf"), 2u);
  EXPECT_EQ(registersOf("_ZL2stPf__static__1234"), 2u);
  EXPECT_EQ(registersOf("_ZN12_GLOBAL__N_12anEPf"), 3u);
  EXPECT_EQ(registersOf("_ZN12_GLOBAL__N_12tpILi16EEEvPf"), 4u);
  EXPECT_EQ(registersOf("_ZN12_GLOBAL__N_12tpILi8EEEvPf"), 0u);
}

} // namespace
