//===- PositionsTest.cpp - Offsets as editors count them ------------------===//

#include "analyzer/lsp/Positions.h"
#include "analyzer/lsp/Uri.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::lsp;
using mlir::lsp::Position;
using mlir::lsp::Range;
using mlir::lsp::TextDocumentContentChangeEvent;

TEST(PositionsTest, CountsUtf16Units) {
  // One byte, two (one unit), three (one unit), four (two units).
  const std::string Text = "a\n\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z\n";
  const Lines Its(Text);
  EXPECT_EQ(Its.positionOf(2), Position(1, 0));
  EXPECT_EQ(Its.positionOf(4), Position(1, 1));
  EXPECT_EQ(Its.positionOf(7), Position(1, 2));
  EXPECT_EQ(Its.positionOf(11), Position(1, 4));
  for (size_t Offset : {0, 1, 2, 4, 7, 11, 12, 13})
    EXPECT_EQ(Its.offsetOf(Its.positionOf(Offset)), Offset);
  // What is no UTF-8 counts as what is shown in its place.
  const std::string Noise = "\xFF\xC3z\xF0\x9F";
  EXPECT_EQ(Lines(Noise).positionOf(5), Position(0, 4));
}

TEST(PositionsTest, TakesTheNearestThatThereIs) {
  const std::string Text = "ab\r\nc";
  const Lines Its(Text);
  EXPECT_EQ(Its.offsetOf(Position(0, 99)), 2u);
  EXPECT_EQ(Its.offsetOf(Position(99, 0)), 5u);
  EXPECT_EQ(Its.offsetOf(Position(-1, 0)), 0u);
  EXPECT_EQ(Its.offsetOf(Place{"", 9, 9}), 5u);
  EXPECT_EQ(Its.offsetOf(Place{"", 1, 9}), 2u);
}

static Range expression(const std::string &Text, unsigned Column) {
  return Lines(Text).expressionAt({"", 1, Column});
}

TEST(PositionsTest, FindsExpressions) {
  EXPECT_EQ(expression("x = Tile[i][f(j)] + 1;", 5),
            Range(Position(0, 4), Position(0, 17)));
  EXPECT_EQ(expression("p->q.r[1] = 2", 1),
            Range(Position(0, 0), Position(0, 9)));
  EXPECT_EQ(expression("a[i] += 2;", 6), Range(Position(0, 5), Position(0, 7)));
  EXPECT_EQ(expression("a[i", 1), Range(Position(0, 0), Position(0, 1)));
  EXPECT_EQ(expression("a", 9), Range(Position(0, 1), Position(0, 1)));
}

static TextDocumentContentChangeEvent change(Range Where, std::string Text) {
  TextDocumentContentChangeEvent E;
  E.range = Where;
  E.text = std::move(Text);
  return E;
}

TEST(PositionsTest, AppliesChanges) {
  std::string Text = "one\ntw\xC3\xB6 three\n";
  applyChanges(Text, {change({Position(1, 3), Position(1, 9)}, "!"),
                      change({Position(0, 0), Position(1, 0)}, "")});
  EXPECT_EQ(Text, "tw\xC3\xB6!\n");
  applyChanges(Text, {change({Position(9, 9), Position(0, 0)}, "end")});
  EXPECT_EQ(Text, "tw\xC3\xB6!\nend");
  TextDocumentContentChangeEvent Whole;
  Whole.text = "new";
  applyChanges(Text, {Whole});
  EXPECT_EQ(Text, "new");
}

TEST(UriTest, EscapesWhatHasAMeaning) {
  EXPECT_EQ(fileUri("/a b/\xC3\xA4#1.cu"), "file:///a%20b/%C3%A4%231.cu");
}
