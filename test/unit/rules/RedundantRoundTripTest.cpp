//===- RedundantRoundTripTest.cpp -----------------------------------------===//

#include "Literals.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view RedundantRoundTrip =
    "cuda-memory-redundant-round-trip";

/// Out[I] += In[J * N + I] over 32 rounds: the load of In, that of Out and the
/// store.
access::Kernel sums() {
  auto C = globalCost(4, 4, 4);
  C.PerWarp = 32;
  C.Weight = 32;
  auto In = accessTo(Space::Global, 4, {C});
  In.Object = "In";
  In.LoopDepth = 1;
  In.Trips = 32;
  auto Back = In;
  Back.Object = "Out";
  Back.Repeats = 1;
  auto Store = Back;
  Store.Op = Operation::Store;
  auto K = kernelWith({In, Back, Store});
  K.Works = {{.Blocks = 1000, .IsWholeGrid = true, .BlockThreads = 256}};
  return K;
}

TEST(RedundantRoundTrip, OneStoreWouldDo) {
  const auto Found = run(RedundantRoundTrip, sums());
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("'Out' is stored in each round of a loop: 32 "
                                  "stores"),
            std::string::npos);
  EXPECT_TRUE(hasNote(Found[0], "loaded from 'In' may be the same memory"));
}

// The compiler keeps in a register what no load of that loop can be.
TEST(RedundantRoundTrip, LoadsOfOtherLoopsDoNotMatter) {
  auto K = sums();
  K.Accesses[0].Loop = 1;
  K.Accesses[1].Loop = K.Accesses[2].Loop = 2;
  EXPECT_TRUE(run(RedundantRoundTrip, K).empty());
}

TEST(RedundantRoundTrip, RoundsMayBeUnknown) {
  auto K = sums();
  K.Works[0].TripsKnown = false;
  const auto Found = run(RedundantRoundTrip, K);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("as many stores"), std::string::npos);
}

TEST(RedundantRoundTrip, CompilersLeaveOutWhatTheyMay) {
  auto K = sums();
  K.Accesses[2].IsRestricted = true;
  EXPECT_TRUE(run(RedundantRoundTrip, K).empty());
  K = sums();
  K.Accesses[0].IsRestricted = true;
  EXPECT_TRUE(run(RedundantRoundTrip, K).empty());
}

TEST(RedundantRoundTrip, OthersMayLook) {
  auto K = sums();
  K.HasBarriers = true;
  EXPECT_TRUE(run(RedundantRoundTrip, K).empty());
  K = sums();
  K.Accesses[1].Sort = access::Access::Kind::Volatile;
  EXPECT_TRUE(run(RedundantRoundTrip, K).empty());
}

TEST(RedundantRoundTrip, EveryRoundHasItsOwn) {
  auto K = sums();
  K.Accesses[2].Repeats = 0;
  EXPECT_TRUE(run(RedundantRoundTrip, K).empty());
}

/// Sums[T] = Sums[T] + In[...], Sums volatile in shared memory.
access::Kernel sumsInShared() {
  auto C = globalCost(4, 4, 4);
  C.PerWarp = 32;
  C.Weight = 32;
  auto In = accessTo(Space::Global, 4, {C});
  In.Object = "In";
  In.LoopDepth = 1;
  In.Trips = 32;
  In.Waits = 1;
  In.WaitsIfInRegister = 0.25;
  auto Own = sharedCost(1, 4);
  Own.PerWarp = 32;
  Own.Weight = 32;
  Own.KeptIfInRegister = 1 / 32.0;
  auto Back = In;
  Back.Memory = Space::Shared;
  Back.Object = "Sums";
  Back.Sort = access::Access::Kind::Volatile;
  Back.PerLaunch = {Own};
  auto Store = Back;
  Store.Op = Operation::Store;
  access::Kernel K = kernelWith({In, Back, Store});
  K.Works.emplace_back();
  return K;
}

TEST(RedundantRoundTrip, ARegisterWouldHoldWordsOfSharedMemory) {
  const auto Found = run(RedundantRoundTrip, sumsInShared());
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("'Sums' is loaded and stored in each round "
                                  "of a loop: 32 stores"),
            std::string::npos);
  // 31 stores and as many loads, of one wavefront at 2 clk each.
  EXPECT_DOUBLE_EQ(Found[0].ExtraCycles, 31 * 2 * 2);
}

TEST(RedundantRoundTrip, RoundsThatNobodyKnowsAreLikely) {
  auto K = sumsInShared();
  K.Works[0].TripsKnown = false;
  const auto Found = run(RedundantRoundTrip, K);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("as many stores"), std::string::npos);
}

TEST(RedundantRoundTrip, OthersMayLookAtWordsOfSharedMemory) {
  auto K = sumsInShared();
  for (access::Access &A : K.Accesses)
    A.PerLaunch[0].KeptIfInRegister.reset();
  EXPECT_TRUE(run(RedundantRoundTrip, K).empty());
}

} // namespace
