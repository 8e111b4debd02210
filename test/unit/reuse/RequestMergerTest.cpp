//===- RequestMergerTest.cpp ----------------------------------------------===//
//
// Against what the counters of an H200 said: see RequestMerger.h.
//
//===----------------------------------------------------------------------===//

#include "analyzer/reuse/RequestMerger.h"

#include <gtest/gtest.h>

#include <optional>

using namespace warpwise::reuse;

namespace {

L2Request loadAt(Cycle When, uint64_t FirstSector = 64, uint32_t Sectors = 15) {
  return {FirstSector, When, Sectors, 0, 0, 0, 0, LineAccess::Kind::Load};
}

CacheOptions options() {
  CacheOptions O;
  O.Sm.Count = 8;
  O.SmToGroup = {0, 0, 0, 0, 0, 0, 1, 1};
  O.L2.LatencyCycles = 275;
  O.MergeCycles = 60;
  return O;
}

class Merging : public testing::Test {
protected:
  CacheOptions O = options();
  RequestMerger Merger{O, O.SmToGroup};

  /// When the answer is there, if the load joins a read.
  std::optional<Cycle> join(unsigned Sm, const L2Request &R) {
    const RequestMerger::Answer Goes =
        Merger.join(Merger.readOf(Sm, R.FirstSector), R);
    return Goes.Joins ? std::optional(Goes.ReadyAt) : std::nullopt;
  }
  void sent(unsigned Sm, const L2Request &R, Cycle ReadyAt, Cycle Longer) {
    Merger.sent(Merger.readOf(Sm, R.FirstSector), R, ReadyAt, Longer);
  }
};

TEST_F(Merging, AHitOfL2IsJoinedForTheWindow) {
  EXPECT_FALSE(join(0, loadAt(1000)));
  sent(0, loadAt(1000), 1275, 10);
  EXPECT_EQ(join(1, loadAt(1000)), 1285u);
  EXPECT_EQ(join(2, loadAt(1060)), 1285u);
  EXPECT_FALSE(join(3, loadAt(1061)));
}

TEST_F(Merging, AMissOfL2IsJoinedUntilItIsAnswered) {
  sent(0, loadAt(1000), 1655, 0);
  EXPECT_EQ(join(1, loadAt(1440)), 1655u);
  EXPECT_FALSE(join(2, loadAt(1441)));
}

TEST_F(Merging, OnlyTheSameSectorsAreShared) {
  sent(0, loadAt(1000, 64, 3), 1275, 0);
  EXPECT_FALSE(join(1, loadAt(1000, 68, 3)));
  EXPECT_TRUE(join(1, loadAt(1000, 64, 3)));
  EXPECT_FALSE(join(1, loadAt(1000, 64, 1)));
}

/// How often L2 is read when SMs ask for these sectors of one line, one after
/// the other.
unsigned readsFor(const std::vector<uint32_t> &Asked) {
  CacheOptions O = options();
  O.Sm.Count = unsigned(Asked.size());
  RequestMerger Merger(O, std::vector<unsigned>(Asked.size(), 0));
  unsigned Reads = 0;
  for (unsigned Sm = 0; Sm != Asked.size(); ++Sm) {
    const L2Request R = loadAt(1000 + Sm, 64, Asked[Sm]);
    RequestMerger::Read &Known = Merger.readOf(Sm, R.FirstSector);
    const RequestMerger::Answer Goes = Merger.join(Known, R);
    Reads += !Goes.Joins;
    if (!Goes.Joins && Goes.MayBeJoined)
      Merger.sent(Known, R, 1655, 0);
  }
  return Reads;
}

// As counted on an H200, with lines that DRAM had.
TEST(MergingOfOneLine, OtherSectorsEndTheSharing) {
  EXPECT_EQ(readsFor({1, 1, 1, 1, 1, 1}), 2u);
  EXPECT_EQ(readsFor({1, 2}), 2u);
  EXPECT_EQ(readsFor({1, 2, 1}), 3u);
  EXPECT_EQ(readsFor({1, 2, 2}), 3u);
  EXPECT_EQ(readsFor({1, 2, 1, 1}), 3u);
  EXPECT_EQ(readsFor({1, 1, 2, 1}), 3u);
  EXPECT_EQ(readsFor({1, 2, 1, 2, 1, 2, 1, 2}), 8u);
  EXPECT_EQ(readsFor({1, 1, 2, 2, 1, 1, 2, 2}), 7u);
  EXPECT_EQ(readsFor({1, 2, 4, 1, 2, 4}), 6u);
  EXPECT_EQ(readsFor({3, 12, 3, 12}), 4u);
  EXPECT_EQ(readsFor({1, 15, 1, 15}), 4u);
}

TEST(MergingOfOneLine, AReadOfFourRequestsIsForgotten) {
  EXPECT_EQ(readsFor({1, 1, 1, 1, 2, 2}), 2u);
  EXPECT_EQ(readsFor({1, 1, 1, 1, 2, 1}), 3u);
  EXPECT_EQ(readsFor({1, 1, 1, 1, 1, 2, 1}), 4u);
}

TEST_F(Merging, AReadAnswersFourRequests) {
  sent(0, loadAt(1000), 1275, 0);
  for (unsigned Sm : {1u, 2u, 3u})
    EXPECT_TRUE(join(Sm, loadAt(1000)));
  EXPECT_FALSE(join(4, loadAt(1000)));
  sent(4, loadAt(1000), 1280, 0);
  EXPECT_EQ(join(5, loadAt(1000)), 1280u);
}

TEST_F(Merging, AStoreEndsTheSharingOfItsLine) {
  sent(0, loadAt(1000), 1275, 0);
  Merger.stored(Merger.readOf(1, 68), 68);
  EXPECT_TRUE(join(1, loadAt(1000)));
  Merger.stored(Merger.readOf(1, 64), 64);
  EXPECT_FALSE(join(2, loadAt(1000)));
  sent(2, loadAt(1000), 1275, 0);
  EXPECT_TRUE(join(3, loadAt(1000)));
}

TEST_F(Merging, GroupsShareNothing) {
  sent(0, loadAt(1000), 1275, 0);
  EXPECT_FALSE(join(6, loadAt(1000)));
}

TEST_F(Merging, NeverWithoutAWindow) {
  EXPECT_TRUE(Merger.merges());
  O.MergeCycles = 0;
  EXPECT_FALSE(RequestMerger(O, O.SmToGroup).merges());
}

TEST(MergeGroups, StraysBelongToTheSmallestGpcOfTheirSide) {
  CacheOptions O;
  O.Sm.Count = 18;
  //             GPC 0         GPC 1            GPC 2, other side  strays
  O.SmToGroup = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4};
  O.SmToPartition = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1};
  EXPECT_EQ(mergeGroups(O), (std::vector<unsigned>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1,
                                                   2, 2, 2, 2, 0, 0, 2, 2}));
}

TEST(MergeGroups, TpcsAloneStayAlone) {
  CacheOptions O;
  O.Sm.Count = 4;
  O.SmToGroup = {0, 0, 1, 1};
  EXPECT_EQ(mergeGroups(O), O.SmToGroup);
}

TEST(MergeGroups, EightWhereNoneAreKnown) {
  CacheOptions O;
  O.Sm.Count = 10;
  EXPECT_EQ(mergeGroups(O),
            (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1}));
}

} // namespace
