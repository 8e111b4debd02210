//===- NarrowAccessTest.cpp -----------------------------------------------===//

#include "Literals.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Access;
using access::Element;
using access::Space;

namespace {

constexpr std::string_view NarrowAccess = "cuda-memory-narrow-access";

Access stream(unsigned Bytes, std::string Type,
              Element::Kind Holds = Element::Kind::Signed) {
  Access A = accessTo(Space::Global, Bytes, {globalCost(Bytes, Bytes, Bytes)});
  A.Of = {std::move(Type), Bytes, Holds};
  return A;
}

TEST(NarrowAccess, BytesPerLane) {
  const auto Found =
      run(NarrowAccess,
          kernelWith({stream(1, "uint8_t", Element::Kind::Unsigned)}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message,
            "global load moves 1 byte per lane: 4 requests where one of "
            "uchar4 would do, 3 times less bandwidth");
  EXPECT_EQ(Found[0].Guidelines, std::vector<std::string>{"G_2"});
  EXPECT_TRUE(hasNote(Found[0], "bandwidth.char is 100"));
  EXPECT_TRUE(hasNote(Found[0], "bandwidth.char4 is 300"));
}

TEST(NarrowAccess, TwoBytesPerLane) {
  const auto Found = run(NarrowAccess, kernelWith({stream(2, "__half")}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("2 bytes per lane: 2 requests where one of "
                                  "half2 would do, 1.5 times"),
            std::string::npos);
}

TEST(NarrowAccess, WhatANameOfTheProjectStandsForIsNotGuessed) {
  const auto Found = run(NarrowAccess, kernelWith({stream(2, "my_half_t")}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("2 requests where one of a vector of 2"),
            std::string::npos);
}

TEST(NarrowAccess, SilentWhenWideEnough) {
  EXPECT_TRUE(run(NarrowAccess, kernelWith({stream(4, "float")})).empty());
}

TEST(NarrowAccess, SilentWhenItIsNoStream) {
  auto Strided = stream(1, "char");
  Strided.PerLaunch[0].Worst = strided(3);
  EXPECT_TRUE(run(NarrowAccess, kernelWith({Strided})).empty());
  auto FewLanes = stream(1, "char");
  FewLanes.PerLaunch[0].Worst = strided(1, 8);
  EXPECT_TRUE(run(NarrowAccess, kernelWith({FewLanes})).empty());
  auto Uniform = stream(1, "char");
  Uniform.PerLaunch[0].Worst = strided(0);
  EXPECT_TRUE(run(NarrowAccess, kernelWith({Uniform})).empty());
}

TEST(NarrowAccess, SilentForSiblings) {
  auto A = stream(1, "char");
  A.Group = 3;
  auto B = A;
  B.Where.Column = 30;
  EXPECT_TRUE(run(NarrowAccess, kernelWith({A, B})).empty());
  EXPECT_EQ(run(NarrowAccess, kernelWith({A})).size(), 1u);
}

TEST(NarrowAccess, NamesNoTypeBehindAProjectsOwnName) {
  const auto Found = run(NarrowAccess, kernelWith({stream(2, "floatX")}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("2 requests where one of a vector of 2"),
            std::string::npos);
}

TEST(NarrowAccess, SilentForVolatileAndAtomics) {
  auto Volatile = stream(1, "char");
  Volatile.Sort = Access::Kind::Volatile;
  EXPECT_TRUE(run(NarrowAccess, kernelWith({Volatile})).empty());
  auto Atomic = stream(2, "__half");
  Atomic.Op = access::Operation::Atomic;
  EXPECT_TRUE(run(NarrowAccess, kernelWith({Atomic})).empty());
}

/// Where a stream of its own is as fast, only the kernel's time tells, for
/// which these kernels have too little.
TEST(NarrowAccess, SilentWhereTheProfileShowsNoGain) {
  auto Device = device();
  setValue(Device, paths::bandwidth_char, 290);
  setValue(Device, paths::bandwidth_short, 295);
  EXPECT_TRUE(
      run(NarrowAccess, kernelWith({stream(1, "char")}), Device).empty());
  EXPECT_TRUE(
      rules::quietRules(Device, advice::CheckGlobs("-*,*narrow*")).empty());
}

TEST(NarrowAccess, EachWidthHasItsOwnGain) {
  auto Device = device();
  setValue(Device, paths::bandwidth_short, 295);
  EXPECT_TRUE(
      run(NarrowAccess, kernelWith({stream(2, "short")}), Device).empty());
  EXPECT_EQ(run(NarrowAccess, kernelWith({stream(1, "char")}), Device).size(),
            1u);
}

TEST(NarrowAccess, SilentWithoutABandwidth) {
  auto Device = device();
  Device.Quantities.erase(paths::bandwidth_char);
  EXPECT_TRUE(
      run(NarrowAccess, kernelWith({stream(1, "char")}), Device).empty());
}

TEST(NarrowAccess, AssumedShapesHaveToAgree) {
  auto A = stream(1, "char");
  auto Rows = under(1, A.PerLaunch[0]);
  Rows.Worst->Stride.reset();
  A.PerLaunch.push_back(Rows);
  EXPECT_TRUE(run(NarrowAccess,
                  kernelWith({A}, {assumed({32, 8, 1}), assumed({16, 16, 1})}))
                  .empty());
}

TEST(NarrowAccess, SilentWhereG_2DoesNotHold) {
  auto Device = device();
  refute(Device, "G_2");
  EXPECT_TRUE(
      run(NarrowAccess, kernelWith({stream(1, "char")}), Device).empty());
}

} // namespace
