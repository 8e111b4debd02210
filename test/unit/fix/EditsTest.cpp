//===- EditsTest.cpp - Rewrites as texts of files -------------------------===//

#include "analyzer/fix/Edits.h"
#include "analyzer/fix/FixesYaml.h"

#include <gtest/gtest.h>

using namespace warpwise;
using advice::Finding;
using advice::Replacement;

namespace {

Replacement change(uint64_t Offset, std::string Was, std::string Text) {
  return {{"/a.cu", Offset, Was.size()}, Was, Text};
}

Finding withFix(std::vector<Replacement> Changes) {
  Finding F;
  F.Rule = "rule";
  F.Where = {"/a.cu", 2, 3};
  F.Fix = advice::Rewrite{"do it", std::move(Changes)};
  return F;
}

std::optional<std::string> readText(const std::string &File) {
  if (File != "/a.cu")
    return std::nullopt;
  return "int a[32];\nint b[32];\n";
}

TEST(Edits, EachChangeIsMadeOnce) {
  std::vector<Finding> Findings = {withFix({change(17, "32", "33")}),
                                   withFix({change(6, "32", "3300")}),
                                   withFix({change(6, "32", "3300")})};
  const auto Changes = fix::collectChanges(Findings);
  ASSERT_EQ(Changes.size(), 2u);
  auto Edited = fix::applyChanges(Changes, readText);
  ASSERT_TRUE(bool(Edited)) << llvm::toString(Edited.takeError());
  EXPECT_EQ(Edited->at("/a.cu"), "int a[3300];\nint b[33];\n");
}

TEST(Edits, WhatOverlapsIsWithheld) {
  std::vector<Finding> Findings = {withFix({change(6, "32", "33")}),
                                   withFix({change(6, "32", "34")}),
                                   withFix({change(4, "a[3", "b[4")})};
  EXPECT_EQ(fix::collectChanges(Findings).size(), 1u);
  EXPECT_TRUE(Findings[0].Fix->isOffered());
  EXPECT_EQ(Findings[1].Fix->Withheld, "another fix changes the same words");
  EXPECT_EQ(Findings[2].Fix->Withheld, "another fix changes the same words");
}

TEST(Edits, AFileThatHasChangedIsLeftAlone) {
  auto Edited = fix::applyChanges({change(6, "64", "65")}, readText);
  ASSERT_FALSE(bool(Edited));
  EXPECT_EQ(llvm::toString(Edited.takeError()),
            "'/a.cu' is not what was analysed; it is left alone");
  auto Beyond = fix::applyChanges({change(600, "64", "65")}, readText);
  ASSERT_FALSE(bool(Beyond));
  llvm::consumeError(Beyond.takeError());
}

TEST(FixesYaml, IsWhatClangTidyWrites) {
  Finding Silent = withFix({change(6, "32", "33")});
  Silent.Fix->Withheld = "not safe";
  const std::string Text = fix::writeFixes(
      {Silent, withFix({change(17, "32", "33")})}, "/", readText);
  EXPECT_NE(Text.find("MainSourceFile:  '/a.cu'"), std::string::npos) << Text;
  EXPECT_NE(Text.find("DiagnosticName:  rule"), std::string::npos) << Text;
  EXPECT_NE(Text.find("FileOffset:      13"), std::string::npos) << Text;
  EXPECT_NE(Text.find("Offset:          17"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("Offset:          6\n"), std::string::npos) << Text;
}

/// Changes of a text after others, as changes of the text before them: both
/// orders lead to the same text.
TEST(Edits, LaterChangesMoveBeforeTheFirst) {
  const std::vector<Replacement> Made = {change(6, "32", "3300"),
                                         change(17, "32", "3")};
  const std::string Was = *readText("/a.cu");
  auto After = fix::applyChanges(Made, readText);
  ASSERT_TRUE(bool(After));
  const std::string Now = After->at("/a.cu");
  size_t Moved = 0, Touching = 0;
  for (size_t Begin = 0; Begin <= Now.size(); ++Begin)
    for (size_t Length = 0; Length <= 3 && Begin + Length <= Now.size();
         ++Length) {
      const Replacement Later = change(Begin, Now.substr(Begin, Length), "XYZ");
      const auto Original = fix::changesOfOriginal({Later}, Made);
      if (!Original) {
        ++Touching;
        continue;
      }
      ++Moved;
      std::vector<Replacement> All = Made;
      All.push_back(Original->front());
      auto Together = fix::applyChanges(All, readText);
      ASSERT_TRUE(bool(Together)) << Begin << " " << Length;
      std::string InOrder = Now;
      InOrder.replace(Begin, Length, "XYZ");
      EXPECT_EQ(Together->at("/a.cu"), InOrder);
    }
  // "3300" from 6 on and "3" from 19 on, and what ends or begins at them.
  EXPECT_EQ(Touching, 5u + 6 + 7 + 8 + 2 + 3 + 4 + 5);
  EXPECT_GT(Moved, 40u);
}

TEST(Edits, ChangesOfOtherFilesDoNotMove) {
  const Replacement Other = {{"/b.cu", 6, 2}, "32", "33"};
  const auto Original =
      fix::changesOfOriginal({Other}, {change(6, "32", "3300")});
  ASSERT_TRUE(Original.has_value());
  EXPECT_EQ(Original->front(), Other);
}

} // namespace
