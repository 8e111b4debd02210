//===- LaneDrawingTest.cpp - Lanes as pictures ----------------------------===//

#include "analyzer/output/findings/html/LaneDrawing.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::output;
using access::Operation;
using access::Space;

namespace {

advice::Request request(Space Memory, unsigned Bytes, int64_t Stride,
                        uint32_t Active = ~0u, Operation Op = Operation::Load) {
  advice::Request R;
  R.Memory = Memory;
  R.Op = Op;
  R.Bytes = Bytes;
  R.Lanes.ActiveMask = Active;
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane)
    R.Lanes.Offsets[Lane] = Lane * Stride;
  return R;
}

size_t count(const std::string &Text, std::string_view What) {
  size_t Count = 0;
  for (size_t At = Text.find(What); At != Text.npos;
       At = Text.find(What, At + What.size()))
    ++Count;
  return Count;
}

const profile::RequestLaw Law;

TEST(LaneDrawing, SectorsAndWhatOfThemIsUsed) {
  const std::string Dense = drawRequest(request(Space::Global, 4, 4), Law);
  EXPECT_EQ(count(Dense, "class=\"moved\""), 4u);
  EXPECT_NE(Dense.find("4 sectors of 32 bytes move 128 bytes for 128 bytes "
                       "that the lanes use: 100 %"),
            Dense.npos);
  const std::string Wide = drawRequest(request(Space::Global, 4, 4096), Law);
  EXPECT_EQ(count(Wide, "class=\"moved\""), 32u);
  EXPECT_EQ(count(Wide, "class=\"used\""), 32u);
  EXPECT_NE(Wide.find("12.5 %"), Wide.npos);
}

TEST(LaneDrawing, OneAddressIsUsedOnce) {
  const std::string Drawn = drawRequest(request(Space::Global, 4, 0), Law);
  EXPECT_EQ(count(Drawn, "class=\"moved\""), 1u);
  EXPECT_EQ(count(Drawn, "class=\"used\""), 1u);
  EXPECT_NE(Drawn.find("1 sector of 32 bytes move 32 bytes for 4 bytes"),
            Drawn.npos);
}

TEST(LaneDrawing, LanesThatTakeNoPartAreEmpty) {
  const std::string Drawn =
      drawRequest(request(Space::Global, 4, 4, 0x0000FFFF), Law);
  EXPECT_EQ(count(Drawn, "class=\"lane\""), 16u);
  EXPECT_EQ(count(Drawn, "class=\"idle\""), 16u);
  EXPECT_EQ(drawRequest(request(Space::Global, 4, 4, 0), Law), "");
}

TEST(LaneDrawing, WordsOfABankStandBelowEachOther) {
  const std::string Free = drawRequest(request(Space::Shared, 4, 4), Law);
  EXPECT_EQ(count(Free, "class=\"used\""), 32u);
  EXPECT_EQ(count(Free, "class=\"again\""), 0u);
  const std::string Worst = drawRequest(request(Space::Shared, 4, 128), Law);
  EXPECT_EQ(count(Worst, "class=\"used\""), 1u);
  EXPECT_EQ(count(Worst, "class=\"again\""), 31u);
  EXPECT_NE(Worst.find("1 of 32 banks in use, and one has to deliver 32 words"),
            Worst.npos);
}

TEST(LaneDrawing, LanesThatShareAWordShareItUnlessItIsAnAtomic) {
  const std::string Load = drawRequest(request(Space::Shared, 4, 0), Law);
  EXPECT_EQ(count(Load, "class=\"again\""), 0u);
  const std::string Atomic =
      drawRequest(request(Space::Shared, 4, 0, ~0u, Operation::Atomic), Law);
  EXPECT_EQ(count(Atomic, "class=\"again\""), 31u);
}

TEST(LaneDrawing, WideAccessesAreServedByPartsOfTheWarp) {
  const std::string Drawn = drawRequest(request(Space::Shared, 8, 8), Law);
  EXPECT_EQ(count(Drawn, "class=\"used\""), 64u);
  EXPECT_NE(Drawn.find("16 lanes are served at a time"), Drawn.npos);
}

TEST(LaneDrawing, HugeElementsStayBounded) {
  const std::string Drawn =
      drawRequest(request(Space::Global, 1u << 30, 1l << 40), Law);
  EXPECT_EQ(count(Drawn, "class=\"moved\""), 64u);
  EXPECT_NE(Drawn.find("Only 64 are drawn"), Drawn.npos);
}

TEST(LaneDrawing, DistancesThatAreMadeUpAreCalledThat) {
  advice::Request R = request(Space::Global, 4, 4096);
  R.Lanes.IsMadeUp = true;
  EXPECT_NE(drawRequest(R, Law).find("are made up"), std::string::npos);
}

} // namespace
