//===- CoalescerTest.cpp - From lanes' addresses to lines and sectors -----===//

#include "analyzer/reuse/trace/Coalescer.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warpwise::reuse {
namespace {

/// The request as the header of Trace.h states it, slowly.
WarpTrace slowly(const std::vector<LaneRow> &Rows, unsigned Bytes,
                 const LineAccess &Like) {
  std::map<uint64_t, uint8_t> Lines;
  for (const LaneRow &Row : Rows)
    for (unsigned N = 0; N != Row.Lanes; ++N)
      for (unsigned B = 0; B != Bytes; ++B) {
        uint64_t Byte = Row.First + uint64_t(Row.Stride) * N + B;
        if (Like.Local)
          Byte = LocalMemoryBase + (Byte / 4 * 32 + Row.FirstLane + N) * 4 +
                 Byte % 4;
        Lines[Byte / LineBytes] |= uint8_t(1 << Byte % LineBytes / SectorBytes);
      }
  WarpTrace Made;
  for (const auto &[Line, Sectors] : Lines) {
    Made.push_back(Like);
    Made.back().Line = Line;
    Made.back().Sectors = Sectors;
    Made.back().Last = false;
  }
  Made.back().Last = true;
  return Made;
}

TEST(CoalescerTest, AgreesWithTheSlowWay) {
  std::mt19937 Random(1);
  const int64_t Strides[] = {0, 1, 2, 4, 8, 12, 16, 32, 36, 128, 516, 4096};
  for (unsigned Round = 0; Round != 20000; ++Round) {
    LineAccess Like;
    Like.Local = Random() % 4 == 0;
    Like.What = Random() % 2 ? LineAccess::Kind::Load : LineAccess::Kind::Store;
    const unsigned Bytes = 1u << Random() % 5;
    std::vector<LaneRow> Rows;
    unsigned Lane = 0;
    for (unsigned Count = 1 + Random() % 3; Rows.size() != Count;) {
      const unsigned Lanes = 1 + Random() % 10;
      int64_t Stride = Strides[Random() % std::size(Strides)];
      if (Random() % 2)
        Stride = -Stride;
      Rows.push_back(
          {Lane, Lanes, (1 << 16) + Random() % 1000 * Bytes, Stride});
      Lane += Lanes;
    }
    WarpTrace Out;
    Coalescer Requests(Out);
    Requests.add(Rows.data(), Rows.size(), Bytes, Like);
    ASSERT_TRUE(Out == slowly(Rows, Bytes, Like)) << Round;
  }
}

TEST(CoalescerTest, LanesJoinARow) {
  std::vector<LaneRow> Rows;
  for (unsigned L = 0; L != 8; ++L)
    appendLane(Rows, L, 1000 + 4 * L);
  appendLane(Rows, 8, 5000);
  appendLane(Rows, 20, 4000);
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows[0].Lanes, 8u);
  EXPECT_EQ(Rows[0].Stride, 4);
  EXPECT_EQ(Rows[2].FirstLane, 20u);
}

TEST(CoalescerTest, RequestsStayApart) {
  WarpTrace Out;
  Coalescer Requests(Out);
  const LaneRow Row{0, 32, 4096, 4};
  Requests.add(&Row, 1, 4, {});
  Requests.addBarrier(3);
  Requests.add(&Row, 1, 4, {});
  Requests.add(&Row, 1, 4, {});
  ASSERT_EQ(Out.size(), 4u);
  EXPECT_EQ(Out[1].What, LineAccess::Kind::Barrier);
  EXPECT_EQ(Out[1].Site, 3u);
  EXPECT_TRUE(Out[0].Last && Out[2].Last && Out[3].Last);
}

} // namespace
} // namespace warpwise::reuse
