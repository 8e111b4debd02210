//===- RewriteLinesTest.cpp - Rewrites as lines ---------------------------===//

#include "analyzer/output/findings/html/RewriteLines.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::output;

namespace {

const std::string Text = "int a[32];\nint b;\nf(a,\n  b);\nlast";

advice::Replacement change(const std::string &Was, const std::string &Now) {
  advice::Replacement Change;
  Change.Old.File = "a.cu";
  Change.Old.Offset = Text.find(Was);
  Change.Old.Length = Was.size();
  Change.Was = Was;
  Change.Text = Now;
  return Change;
}

std::vector<ChangedLines> linesOf(std::vector<advice::Replacement> Changes) {
  const advice::SourceText Read =
      [](const std::string &File) -> std::optional<std::string> {
    return File == "a.cu" ? std::optional(Text) : std::nullopt;
  };
  ReportSources Sources(Read);
  advice::Rewrite Rewrite;
  Rewrite.Changes = std::move(Changes);
  return changedLines(Rewrite, Sources);
}

TEST(RewriteLines, WholeLinesBeforeAndAfter) {
  const auto Lines = linesOf({change("32", "33")});
  ASSERT_EQ(Lines.size(), 1u);
  EXPECT_EQ(Lines[0].Line, 1u);
  EXPECT_EQ(Lines[0].Before, "int a[32];");
  EXPECT_EQ(Lines[0].After, "int a[33];");
}

TEST(RewriteLines, ChangesOfOneLineAreOneAndOthersStandApart) {
  const auto Lines = linesOf(
      {change("last", "end"), change("32", "33"), change("int", "long")});
  ASSERT_EQ(Lines.size(), 2u);
  EXPECT_EQ(Lines[0].After, "long a[33];");
  EXPECT_EQ(Lines[1].Line, 5u);
  EXPECT_EQ(Lines[1].After, "end");
}

TEST(RewriteLines, AChangeOverSeveralLines) {
  const auto Lines = linesOf({change("a,\n  b", "c"), change("f(", "g(")});
  ASSERT_EQ(Lines.size(), 1u);
  EXPECT_EQ(Lines[0].Before, "f(a,\n  b);");
  EXPECT_EQ(Lines[0].After, "g(c);");
}

TEST(RewriteLines, WhatDoesNotFitTheFileIsLeftOut) {
  advice::Replacement Elsewhere = change("32", "33");
  Elsewhere.Old.File = "b.cu";
  advice::Replacement Moved = change("32", "33");
  ++Moved.Old.Offset;
  advice::Replacement Beyond = change("last", "end");
  Beyond.Old.Offset += 1000;
  EXPECT_TRUE(linesOf({Elsewhere, Moved, Beyond}).empty());
}

} // namespace
