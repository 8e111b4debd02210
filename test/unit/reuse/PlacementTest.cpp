//===- PlacementTest.cpp - Occupancy and the SMs of blocks ----------------===//

#include "analyzer/reuse/Placement.h"
#include "Sources.h"

#include <gtest/gtest.h>

#include <set>

using namespace warpwise::reuse;

namespace {

Residency roomFor(LaunchShape Shape) {
  Residency R;
  EXPECT_EQ(residency(CacheOptions(), Shape, R), "");
  return R;
}

TEST(Residency, ThreadsBlocksRegistersAndSharedMemory) {
  EXPECT_EQ(roomFor(shapeOf(1, 256)).BlocksPerSm, 8u);
  EXPECT_EQ(roomFor(shapeOf(1, 32)).BlocksPerSm, 32u);
  EXPECT_EQ(roomFor(shapeOf(1, 33)).BlocksPerSm, 32u);
  LaunchShape Shape = shapeOf(1, 256);
  Shape.RegistersPerThread = 61; // 64 are given
  EXPECT_EQ(roomFor(Shape).BlocksPerSm, 4u);
  Shape.SharedBytesPerBlock = 100 << 10;
  EXPECT_EQ(roomFor(Shape).BlocksPerSm, 2u);
}

TEST(Residency, SharedMemoryTakesFromL1) {
  // 1 KiB for each resident block is set aside by the system.
  const Residency Plain = roomFor(shapeOf(1, 256));
  EXPECT_EQ(Plain.CarveoutBytes, 8u << 10);
  EXPECT_EQ(Plain.L1Bytes, 241u << 10);
  EXPECT_EQ(roomFor(shapeOf(1, 32)).L1Bytes, 217u << 10);
  LaunchShape Shape = shapeOf(1, 256);
  Shape.SharedBytesPerBlock = 8 << 10;
  const Residency Shared = roomFor(Shape);
  EXPECT_EQ(Shared.BlocksPerSm, 8u);
  EXPECT_EQ(Shared.CarveoutBytes, 100u << 10);
  EXPECT_EQ(Shared.L1Bytes, 149u << 10);
}

TEST(Residency, SaysWhyNoBlockFits) {
  Residency R;
  LaunchShape Shape = shapeOf(1, 1024);
  Shape.RegistersPerThread = 128;
  EXPECT_EQ(residency(CacheOptions(), Shape, R),
            "a block needs 131072 registers, and an SM has 65536");
  Shape.RegistersPerThread = 0;
  Shape.SharedBytesPerBlock = 228 << 10;
  EXPECT_EQ(residency(CacheOptions(), Shape, R),
            "a block needs 234496 bytes of shared memory, and an SM has "
            "233472");
  EXPECT_EQ(residency(CacheOptions(), shapeOf(0, 32), R),
            "the launch has no threads");
}

CacheOptions smallGpu(BlockMapping Mapping) {
  CacheOptions O;
  O.Sm.Count = 6;
  O.Blocks = Mapping;
  return O;
}

TEST(Placement, EveryBlockOnce) {
  for (BlockMapping Mapping :
       {BlockMapping::RoundRobin, BlockMapping::Partition4,
        BlockMapping::Partition8, BlockMapping::Random, BlockMapping::Measured})
    for (uint64_t Count : {1u, 5u, 6u, 7u, 50u, 97u}) {
      const CacheOptions O = smallGpu(Mapping);
      Placement P(O, 2, 100, Count);
      std::multiset<uint64_t> Seen;
      for (unsigned Sm : P.firstWave())
        if (const auto Block = P.next(Sm))
          Seen.insert(*Block);
      for (unsigned Sm = 0; Sm != 6; ++Sm)
        while (const auto Block = P.next(Sm))
          Seen.insert(*Block);
      EXPECT_EQ(Seen.size(), Count);
      EXPECT_EQ(std::set<uint64_t>(Seen.begin(), Seen.end()).size(), Count);
      EXPECT_EQ(*Seen.begin(), 100u);
      EXPECT_EQ(*Seen.rbegin(), 100 + Count - 1);
    }
}

TEST(Placement, RoundRobinAndPartitions) {
  const CacheOptions Rr = smallGpu(BlockMapping::RoundRobin);
  Placement P(Rr, 2, 0, 100);
  EXPECT_EQ(P.next(2), 2u);
  EXPECT_EQ(P.next(2), 8u);
  const CacheOptions Parts = smallGpu(BlockMapping::Partition4);
  Placement Q(Parts, 2, 0, 100);
  for (uint64_t Block : {8u, 9u, 10u, 11u, 32u})
    EXPECT_EQ(Q.next(2), Block);
}

TEST(Placement, FirstWaveAsMeasured) {
  CacheOptions O = smallGpu(BlockMapping::Measured);
  O.FirstWave[1] = {3, 0, 5, 1, 4, 2};
  EXPECT_EQ(Placement(O, 1, 0, 100).firstWave(), O.FirstWave[1]);
  EXPECT_EQ(Placement(O, 2, 0, 8).firstWave(),
            (std::vector<unsigned>{3, 0, 5, 1, 4, 2, 3, 0}));
  O.FirstWave[2] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
  EXPECT_EQ(Placement(O, 2, 0, 3).firstWave(),
            (std::vector<unsigned>{0, 0, 1}));
  // A table without some SMs still fills all.
  O.FirstWave[2] = {0, 1};
  EXPECT_EQ(Placement(O, 2, 0, 100).firstWave().size(), 12u);
}

TEST(Placement, ConsecutiveBlocksGoToDifferentGroups) {
  CacheOptions O = smallGpu(BlockMapping::Measured);
  O.SmToGroup = {0, 0, 0, 0, 1, 1};
  EXPECT_EQ(Placement(O, 1, 0, 100).firstWave(),
            (std::vector<unsigned>{0, 4, 1, 5, 2, 3}));
}

TEST(Placement, SmallGridsTakeATpcForEachBlock) {
  CacheOptions O = smallGpu(BlockMapping::Measured);
  O.Sm.Count = 12;
  // Two GPCs of two TPCs, one of one whole TPC more, and a TPC of none.
  O.SmToGroup = {0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 2, 2};
  O.FirstWave[1] = {10, 11, 0, 1, 4, 5, 2, 3, 6, 7, 8, 9};
  const auto Wave = [&](uint64_t Blocks) {
    return Placement(O, 1, 0, Blocks).firstWave();
  };
  EXPECT_EQ(Wave(1), (std::vector<unsigned>{10}));
  EXPECT_EQ(Wave(2), (std::vector<unsigned>{10, 11}));
  EXPECT_EQ(Wave(4), (std::vector<unsigned>{10, 11, 0, 2}));
  EXPECT_EQ(Wave(7), (std::vector<unsigned>{10, 11, 0, 4, 2, 6, 8}));
  EXPECT_EQ(Wave(9), (std::vector<unsigned>{10, 11, 0, 1, 4, 2, 3, 6, 8}));
  EXPECT_EQ(Wave(12), O.FirstWave[1]);
}

} // namespace
