//===- SuppressionTest.cpp - NOLINT in all its forms ----------------------===//

#include "analyzer/advice/Suppression.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::advice;

namespace {

const char *const Bank = "cuda-memory-bank-conflict";

bool covered(std::string_view Text, unsigned Line, unsigned Column = 1,
             std::string_view Rule = Bank) {
  return NoLintComments("a.cu", Text).cover({"a.cu", Line, Column}, Rule);
}

TEST(NoLint, OwnLine) {
  EXPECT_TRUE(covered("x\ny // NOLINT\nz\n", 2));
  EXPECT_FALSE(covered("x\ny // NOLINT\nz\n", 1));
  EXPECT_FALSE(covered("x\ny // NOLINT\nz\n", 3));
}

TEST(NoLint, NextLine) {
  EXPECT_TRUE(covered("// NOLINTNEXTLINE\ny\n", 2));
  EXPECT_FALSE(covered("// NOLINTNEXTLINE\ny\n", 1));
  EXPECT_FALSE(covered("// NOLINTNEXTLINE\n\nz\n", 3));
}

TEST(NoLint, Globs) {
  EXPECT_TRUE(covered("y // NOLINT(cuda-memory-bank-conflict): known", 1));
  EXPECT_TRUE(covered("y // NOLINT(bugprone-x, cuda-memory-*)", 1));
  EXPECT_FALSE(covered("y // NOLINT(cuda-memory-local-array)", 1));
  EXPECT_FALSE(covered("y // NOLINT()", 1)); // an empty list lists nothing
  EXPECT_FALSE(covered("y // NOLINT(-cuda-memory-local-array)", 1));
  EXPECT_TRUE(covered("y // NOLINT(*, -cuda-memory-bank-conflict)", 1));
}

TEST(NoLint, ParenthesesHaveToBeRightBehindAndClosed) {
  EXPECT_TRUE(covered("y // NOLINT (see the wiki)", 1)); // no list: all
  EXPECT_TRUE(covered("y // NOLINT(see\nthe wiki)", 1));
}

TEST(NoLint, OtherWordsAreNotIt) {
  EXPECT_FALSE(covered("y // NOLINTS", 1));
  EXPECT_FALSE(covered("y // nolint", 1));
}

TEST(NoLint, Block) {
  const char *const Text = "a\n// NOLINTBEGIN\nb\n// NOLINTEND\nc\n";
  EXPECT_FALSE(covered(Text, 1));
  EXPECT_TRUE(covered(Text, 3));
  EXPECT_FALSE(covered(Text, 5));
}

TEST(NoLint, BlockWithinALine) {
  const char *const Text = "a /*NOLINTBEGIN*/ b /*NOLINTEND*/ c";
  EXPECT_FALSE(covered(Text, 1, 1));
  EXPECT_TRUE(covered(Text, 1, 19));
  EXPECT_FALSE(covered(Text, 1, 36));
}

TEST(NoLint, NestedBlocksEachHaveTheirRules) {
  const char *const Text = "// NOLINTBEGIN(cuda-memory-*)\n"
                           "// NOLINTBEGIN(bugprone-*)\n"
                           "b\n"
                           "// NOLINTEND(bugprone-*)\n"
                           "c\n"
                           "// NOLINTEND(cuda-memory-*)\n";
  EXPECT_TRUE(covered(Text, 3));
  EXPECT_TRUE(covered(Text, 3, 1, "bugprone-x"));
  EXPECT_TRUE(covered(Text, 5));
  EXPECT_FALSE(covered(Text, 5, 1, "bugprone-x"));
}

TEST(NoLint, UnmatchedEndsAreToldAndSuppressNothing) {
  const NoLintComments C("a.cu", "// NOLINTBEGIN(cuda-memory-*)\n"
                                 "b\n"
                                 "// NOLINTEND\n");
  EXPECT_FALSE(C.cover({"a.cu", 2, 1}, Bank));
  ASSERT_EQ(C.unmatched().size(), 2u);
  EXPECT_EQ(C.unmatched()[0].Where, (access::Place{"a.cu", 3, 4}));
  EXPECT_EQ(C.unmatched()[1].Message,
            "unmatched 'NOLINTBEGIN' comment without a subsequent 'NOLINTEND' "
            "comment");
}

TEST(Suppressions, ReadEachFileOnce) {
  unsigned Reads = 0;
  Suppressions S([&Reads](const std::string &) {
    ++Reads;
    return std::optional<std::string>("x // NOLINT\ny\n");
  });
  std::vector<Finding> Findings(3);
  for (unsigned I = 0; I != 3; ++I) {
    Findings[I].Where = {"a.cu", I == 0 ? 1u : 2u, I};
    Findings[I].Rule = Bank;
  }
  EXPECT_EQ(S.removeFrom(Findings), 1u);
  EXPECT_EQ(Findings.size(), 2u);
  EXPECT_EQ(Reads, 1u);
}

TEST(Suppressions, CallsCountWhenEveryWayHasOne) {
  Suppressions S([](const std::string &File) {
    return std::optional<std::string>(
        File == "a.cu" ? "known(); // NOLINT\nplain();\n" : "x\n");
  });
  const access::Place Known{"a.cu", 1, 1}, Plain{"a.cu", 2, 1};
  Finding F;
  F.Where = {"a.cuh", 1, 1};
  F.Rule = Bank;
  EXPECT_FALSE(S.cover(F)) << "there is no call";
  F.CalledFrom = {{}};
  EXPECT_FALSE(S.cover(F)) << "the kernel's own body";
  F.CalledFrom = {{Known}};
  EXPECT_TRUE(S.cover(F));
  F.CalledFrom = {{Plain, Known}};
  EXPECT_TRUE(S.cover(F)) << "any call on the way";
  F.CalledFrom = {{Known}, {Plain}};
  EXPECT_FALSE(S.cover(F)) << "another way leads there";
}

TEST(Suppressions, AnUnreadableFileSuppressesNothing) {
  Suppressions S([](const std::string &) { return std::nullopt; });
  Finding F;
  F.Where = {"gone.cu", 1, 1};
  F.Rule = Bank;
  EXPECT_FALSE(S.cover(F));
}

} // namespace
