//===- LaneTraceTest.cpp - Which events make one request ------------------===//

#include "analyzer/execution/LaneTrace.h"

#include <gtest/gtest.h>

namespace warpwise::execution {
namespace {

/// Adds an event in the rounds \p Path of the loops around it: a header's
/// position and the round, from the outermost inwards.
void add(LaneTrace &Lane, uint32_t Position, std::vector<uint32_t> Path,
         uint64_t Address) {
  Lane.Starts.push_back(uint32_t(Lane.Path.size()));
  Lane.Path.insert(Lane.Path.end(), Path.begin(), Path.end());
  Lane.Events.push_back({Position, uint32_t(Lane.Starts.size()) - 1, Address});
}

std::vector<std::pair<uint32_t, uint32_t>>
requestsOf(const std::vector<LaneTrace> &Lanes, bool &Ordered) {
  std::vector<const LaneTrace *> Pointers;
  for (const LaneTrace &Lane : Lanes)
    Pointers.push_back(&Lane);
  std::vector<std::pair<uint32_t, uint32_t>> Found;
  Ordered = forEachRequest(Pointers, [&](uint32_t Position, const LaneSet &R) {
    Found.emplace_back(Position, R.Active);
  });
  return Found;
}

TEST(LaneTraceTest, LanesWaitForThoseInALoop) {
  std::vector<LaneTrace> Lanes(2);
  // Lane 0 takes two rounds of the loop at 3, lane 1 takes one.
  add(Lanes[0], 4, {3, 1}, 100);
  add(Lanes[0], 4, {3, 2}, 200);
  add(Lanes[0], 7, {}, 300);
  add(Lanes[1], 4, {3, 1}, 104);
  add(Lanes[1], 7, {}, 304);
  bool Ordered = false;
  EXPECT_EQ(
      requestsOf(Lanes, Ordered),
      (std::vector<std::pair<uint32_t, uint32_t>>{{4, 3}, {4, 1}, {7, 3}}));
  EXPECT_TRUE(Ordered);
}

TEST(LaneTraceTest, BranchesAreRequestsOfTheirOwn) {
  std::vector<LaneTrace> Lanes(3);
  add(Lanes[0], 2, {}, 0);
  add(Lanes[1], 1, {}, 0);
  add(Lanes[2], 2, {}, 0);
  bool Ordered = false;
  EXPECT_EQ(requestsOf(Lanes, Ordered),
            (std::vector<std::pair<uint32_t, uint32_t>>{{1, 2}, {2, 5}}));
}

TEST(LaneTraceTest, EventsOutOfOrderAreNoticed) {
  std::vector<LaneTrace> Lanes(1);
  add(Lanes[0], 2, {}, 0);
  add(Lanes[0], 1, {}, 0);
  bool Ordered = true;
  requestsOf(Lanes, Ordered);
  EXPECT_FALSE(Ordered);
}

} // namespace
} // namespace warpwise::execution
