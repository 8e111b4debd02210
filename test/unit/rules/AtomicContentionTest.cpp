//===- AtomicContentionTest.cpp - Atomics that wait for each other --------===//

#include "Literals.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Space;

namespace {

constexpr std::string_view AtomicContention = "cuda-memory-atomic-contention";

/// A kernel of 256 threads a block that add to \p Sectors sectors, of which
/// they use 4 bytes each.
access::Kernel adds(double Sectors) {
  auto C = globalCost(Sectors, Sectors, Sectors);
  C.ActiveLanes = 32;
  C.PerWarp = 1;
  C.Weight = 8000;
  C.Reach = access::Footprint{.FreshSectors = 1.0 / 8, .UsedBytes = 1.0 / 8};
  auto A = accessTo(Space::Global, 4, {C});
  A.Op = access::Operation::Atomic;
  A.Accumulates = true;
  auto K = kernelWith({A}, {launched({256, 1, 1})});
  K.Works = {{.Blocks = 1000, .IsWholeGrid = true, .BlockThreads = 256}};
  return K;
}

TEST(AtomicContention, CountsTheTurnsOfAWord) {
  const auto Found = run(AtomicContention, adds(1));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message, "each block makes 256 atomics on one word of "
                              "'tile', which take turns");
}

/// Eight words of a block: 32 for each.
TEST(AtomicContention, SharesThemAmongWords) {
  const auto Found = run(AtomicContention, adds(8));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message, "each block makes 32 atomics on each word of "
                              "'tile', which take turns");
  EXPECT_TRUE(hasNote(Found[0], "a block adds to about 8 words"));
}

TEST(AtomicContention, CountsAWarpThatNvccJoinsOnce) {
  auto K = adds(1);
  K.Accesses[0].IsJoined = true;
  const auto Found = run(AtomicContention, K);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message, "each block makes 8 atomics on one word of "
                              "'tile', which take turns");
}

TEST(AtomicContention, SilentWhereItCannotBeAddedUp) {
  auto Exchange = adds(1);
  Exchange.Accesses[0].Accumulates = false;
  EXPECT_TRUE(run(AtomicContention, Exchange).empty());
  auto Rare = adds(1);
  Rare.Accesses[0].PerLaunch[0].DataDecides = true;
  EXPECT_TRUE(run(AtomicContention, Rare).empty());
  auto Spread = adds(32);
  Spread.Accesses[0].PerLaunch[0].Reach->FreshSectors = 1;
  EXPECT_TRUE(run(AtomicContention, Spread).empty());
}

} // namespace
