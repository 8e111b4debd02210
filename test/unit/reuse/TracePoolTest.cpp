//===- TracePoolTest.cpp - Traces that share ------------------------------===//

#include "analyzer/reuse/TracePool.h"
#include "Sources.h"

#include <gtest/gtest.h>

#include <random>

using namespace warpwise::reuse;

namespace {

WarpTrace unpacked(const WarpCode &Code) {
  WarpTrace Trace;
  for (const PackedAccess &P : Code.Trace->Accesses)
    Trace.push_back({Code.Bases[P.Slot] + uint64_t(int64_t(P.Distance)),
                     Code.Trace->Sites[P.Slot], P.Sectors, P.kind(),
                     bool(P.Local), bool(P.Last)});
  return Trace;
}

TEST(TracePool, GivesBackWhatWasPutIn) {
  std::mt19937_64 Random(3);
  TracePool Pool(20);
  for (unsigned Round = 0; Round != 50; ++Round) {
    WarpTrace Trace;
    for (unsigned I = 0; I != 200; ++I)
      Trace.push_back({Random() >> (24 + Random() % 30),
                       uint32_t(Random() % 20), uint8_t(Random() % 16),
                       LineAccess::Kind(Random() % 4), Random() % 2 == 0,
                       Random() % 2 == 0});
    WarpCode Code;
    ASSERT_EQ(Pool.intern(Trace, Code), "");
    EXPECT_EQ(unpacked(Code), Trace);
  }
}

TEST(TracePool, MovesTheTracesOfModels) {
  TracePool Pool(3);
  WarpTrace Trace = {{100, 2, 1}, {7, 0, 3}, {104, 2, 15}};
  WarpCode Code, Moved;
  ASSERT_EQ(Pool.intern(Trace, Code), "");
  Likeness Like;
  Like.Model = 1;
  Like.Place = 3;
  Pool.keep(Like, Code);
  Like.IsMoved = true;
  Like.Moves = {10, ~uint64_t(0)};
  ASSERT_EQ(Pool.move(Like, Moved), "");
  EXPECT_EQ(Moved.Trace, Code.Trace);
  Trace[0].Line = 110, Trace[1].Line = 6, Trace[2].Line = 114;
  EXPECT_EQ(unpacked(Moved), Trace);
  Like.Moves = {10};
  EXPECT_NE(Pool.move(Like, Moved), "");
  Like.Place = 4;
  EXPECT_NE(Pool.move(Like, Moved), "");
}

TEST(TracePool, CountsWhatManyWarpsAskFor) {
  TracePool Pool(2);
  WarpTrace Trace = {{1, 1, 3}, {2, 0, 1, LineAccess::Kind::Store}};
  WarpCode Code;
  ASSERT_EQ(Pool.intern(Trace, Code), "");
  std::vector<Traffic> Rows(2);
  Code.Trace->countRequests(5, Rows.data());
  EXPECT_EQ(Rows[1].LoadRequests, 5);
  EXPECT_EQ(Rows[1].LoadSectors, 10);
  EXPECT_EQ(Rows[1].LoadHits, 10);
  EXPECT_EQ(Rows[0].StoreSectors, 5);
  EXPECT_EQ(Rows[0].LoadSectors, 0);
}

TEST(TracePool, WarpsThatDifferByTheirBasesShare) {
  HandSource Source = matrixProduct(128);
  TracePool Pool(3);
  std::vector<WarpCode> Codes;
  BlockTrace Trace;
  for (uint64_t Block : {0u, 1u, 5u, 40u}) {
    ASSERT_EQ(Source.block(Block, Trace), "");
    for (const WarpTrace &Warp : Trace.Warps) {
      ASSERT_EQ(Pool.intern(Warp, Codes.emplace_back()), "");
      EXPECT_EQ(unpacked(Codes.back()), Warp);
      EXPECT_EQ(Codes.back().Trace, Codes.front().Trace);
    }
  }
  EXPECT_EQ(Pool.bytes(), Codes.front().Trace->Accesses.size() * 8);
  Codes.clear();
  EXPECT_EQ(Pool.bytes(), 0u);
}

TEST(TracePool, RefusesUnknownSites) {
  TracePool Pool(2);
  WarpCode Code;
  EXPECT_EQ(Pool.intern({{0, 7, 1}}, Code), "a trace names site 7 of 2");
}

} // namespace
