//===- LaunchRulesTest.cpp - Small blocks, idle lanes, scalar streams -----===//

#include "Literals.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Space;

namespace {

constexpr std::string_view SmallBlock = "cuda-memory-small-block";
constexpr std::string_view IdleLanes = "cuda-memory-idle-lanes";
constexpr std::string_view ScalarStream = "cuda-memory-scalar-stream";

profile::Profile timedDevice() {
  auto Device = device();
  setValue(Device, std::string(paths::device_launch_block_interval), 80);
  return Device;
}

/// A kernel that loads four bytes in each lane of \p Lanes of \p Warps a block.
access::Kernel loads(unsigned Threads, unsigned Lanes = 32, double Warps = 1) {
  auto C = globalCost(4, 4, 4);
  C.Worst = strided(4, Lanes);
  C.ActiveLanes = Lanes;
  C.PerWarp = 1;
  C.Weight = 1000 * Warps;
  auto K = kernelWith({accessTo(Space::Global, 4, {C})},
                      {launched({Threads, 1, 1})});
  access::Work W;
  W.Blocks = 1000;
  W.IsWholeGrid = true;
  W.BlockThreads = Threads;
  K.Works = {W};
  return K;
}

TEST(SmallBlock, SpeaksOfBlocksOfAWarp) {
  const auto Found = run(SmallBlock, loads(32), timedDevice());
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Remedy,
            "let a block of 256 threads do what 8 of these blocks do");
  EXPECT_TRUE(run(SmallBlock, loads(128), timedDevice()).empty());
  EXPECT_TRUE(run(SmallBlock, loads(32)).empty()) << "nothing was measured";
}

TEST(SmallBlock, WhatABlockSharesGrowsWithIt) {
  auto K = loads(32);
  K.HasBarriers = true;
  K.Works[0].SharedBytes = 128;
  const auto Found = run(SmallBlock, K, timedDevice());
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Remedy,
            "let a block of 256 threads do what 8 of these blocks do, with "
            "1024 bytes of shared memory");
}

TEST(SmallBlock, LeavesAloneWhatIsLaunchedWithLargeOnes) {
  auto K = loads(32);
  K.Launches.push_back(launched({256, 1, 1}));
  K.Works.push_back(K.Works[0]);
  EXPECT_TRUE(run(SmallBlock, K, timedDevice()).empty());
}

TEST(IdleLanes, CountsLanesAndWarps) {
  auto Found = run(IdleLanes, loads(32, 4));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message, "28 of 32 lanes of each warp have nothing to do");
  Found = run(IdleLanes, loads(256, 32, 2));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message, "6 of 8 warps of each block have nothing to do");
  EXPECT_TRUE(run(IdleLanes, loads(256, 32, 8)).empty());
}

TEST(IdleLanes, OneAccessOfAllIsEnough) {
  auto K = loads(32, 4);
  auto All = loads(32).Accesses[0];
  All.Where.Line = 50;
  K.Accesses.push_back(All);
  EXPECT_TRUE(run(IdleLanes, K).empty());
}

TEST(IdleLanes, SaysNothingOfWhatDataDecides) {
  auto K = loads(32, 4);
  access::Cost &Its = K.Accesses[0].PerLaunch[0];
  Its.State = access::Proof::Estimated;
  Its.DataDecides = true;
  EXPECT_TRUE(run(IdleLanes, K).empty());
  Its.DataDecides = false;
  Its.Low = Its.High = 4; // of what else it may be
  EXPECT_TRUE(run(IdleLanes, K).empty());
}

TEST(IdleLanes, SpeaksOfWhatWasSampled) {
  auto K = loads(256, 16, 0.5);
  K.Accesses[0].PerLaunch[0].State = access::Proof::Estimated;
  K.Works[0].Blocks = 125; // of eight warps, of which 500 load
  const auto Found = run(IdleLanes, K);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message, "16 of 32 lanes of each warp and 4 of 8 warps of "
                              "each block have nothing to do");
  EXPECT_EQ(Found[0].State, access::Proof::Estimated);
}

TEST(ScalarStream, WantsFourElementsInAThread) {
  const auto Found = run(ScalarStream, loads(256), timedDevice());
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("requests of float4"), std::string::npos);
  EXPECT_TRUE(run(ScalarStream, loads(256)).empty()) << "nothing was measured";
}

/// Four threads' arrays would be four times as much to select among.
TEST(ScalarStream, LeavesAloneWhatSelectsAmongRegisters) {
  auto K = loads(256);
  K.SelectedBytes = 32;
  EXPECT_TRUE(run(ScalarStream, K, timedDevice()).empty());
}

TEST(ScalarStream, LeavesAloneWhatIsNoStream) {
  auto K = loads(256);
  K.Accesses[0].LoopDepth = 2; // one loop is a stream, too
  EXPECT_TRUE(run(ScalarStream, K, timedDevice()).empty());
  K = loads(256);
  K.Accesses[0].Group = 0; // a stencil
  EXPECT_TRUE(run(ScalarStream, K, timedDevice()).empty());
  K = loads(256);
  K.Accesses[0].Bytes = 16;
  EXPECT_TRUE(run(ScalarStream, K, timedDevice()).empty());
}

} // namespace
