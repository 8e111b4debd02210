//===- CheckGlobsTest.cpp - --checks, read as clang-tidy reads it ---------===//

#include "analyzer/advice/CheckGlobs.h"

#include <gtest/gtest.h>

using namespace warpwise::advice;

namespace {

const std::vector<std::string_view> Known = {"cuda-memory-bank-conflict",
                                             "cuda-memory-local-array",
                                             "cuda-memory-narrow-access"};

struct GlobCase {
  const char *Globs, *Name;
  bool Contains;
};

class GlobTest : public testing::TestWithParam<GlobCase> {};

TEST_P(GlobTest, LastMatchDecides) {
  const auto &[Globs, Name, Contains] = GetParam();
  EXPECT_EQ(CheckGlobs(Globs).contains(Name), Contains) << Globs;
}

INSTANTIATE_TEST_SUITE_P(
    Table, GlobTest,
    testing::Values(
        GlobCase{"", "a", false},         // nothing is switched on
        GlobCase{"*", "a", true},         //
        GlobCase{"a", "a", true},         //
        GlobCase{"a", "ab", false},       // a name is a whole name
        GlobCase{"*,-a", "a", false},     //
        GlobCase{"-a,*", "a", true},      // order matters
        GlobCase{"-*,a*", "abc", true},   //
        GlobCase{"a*c", "abbc", true},    //
        GlobCase{"a*c", "abcb", false},   //
        GlobCase{"*b*b*", "xbxb", true},  // backtracks over several stars
        GlobCase{"*b*b*", "xb", false},   //
        GlobCase{" a ,\n b ", "b", true}, // white space and newlines
        GlobCase{"- a", "a", false},      //
        GlobCase{",,a,", "a", true},      // empty items are nothing
        GlobCase{"a.c", "abc", false}));  // '.' is only a dot

TEST(ParseChecks, IsAppendedToTheDefault) {
  const auto Checks = parseChecks("-cuda-memory-local-array", Known);
  ASSERT_TRUE(Checks) << Checks.Error;
  EXPECT_TRUE(Checks.Value->contains("cuda-memory-bank-conflict"));
  EXPECT_FALSE(Checks.Value->contains("cuda-memory-local-array"));
}

TEST(ParseChecks, LeavesOne) {
  const auto Checks = parseChecks("-*,cuda-memory-bank-conflict", Known);
  ASSERT_TRUE(Checks) << Checks.Error;
  EXPECT_TRUE(Checks.Value->contains("cuda-memory-bank-conflict"));
  EXPECT_FALSE(Checks.Value->contains("cuda-memory-local-array"));
}

TEST(ParseChecks, NamesAnUnknownRuleAndListsTheKnownOnes) {
  const auto Checks = parseChecks("-*,cuda-memory-bank-conflicts", Known);
  EXPECT_FALSE(Checks);
  EXPECT_EQ(Checks.Error,
            "unknown rule 'cuda-memory-bank-conflicts' in --checks; the rules "
            "are cuda-memory-bank-conflict, cuda-memory-local-array, "
            "cuda-memory-narrow-access");
}

TEST(ParseChecks, AForeignGlobIsNoError) {
  EXPECT_TRUE(parseChecks("bugprone-*", Known));
  EXPECT_EQ(unmatchedGlobs("*,-bugprone-*", Known),
            std::vector<std::string>{"bugprone-*"});
}

TEST(ParseChecks, NothingEnabledIsAnError) {
  const auto Checks = parseChecks("-*,bugprone-*", Known);
  EXPECT_FALSE(Checks);
  EXPECT_NE(Checks.Error.find("leaves no rule enabled"), std::string::npos);
}

} // namespace
