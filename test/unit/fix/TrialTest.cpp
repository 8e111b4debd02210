//===- TrialTest.cpp - Whether rewritten code is better -------------------===//

#include "analyzer/fix/Trial.h"

#include <gtest/gtest.h>

using namespace warpwise;
using advice::Finding;
using fix::Analysed;

namespace {

Finding finding(const char *Object, unsigned Line, uint64_t Offset) {
  Finding F;
  F.Rule = "rule";
  F.Object = Object;
  F.Message = "it is bad";
  F.Where = {"/a.cu", Line, 1};
  F.Kernel = "void k(int)";
  F.FoundIn = {F.Kernel};
  F.Faster = price::Gain{2, 1.5, 2.5, "L2", 10};
  F.Fix = advice::Rewrite{"do it", {{{"/a.cu", Offset, 1}, "x", "y"}}};
  return F;
}

advice::KernelSummary kernel(double Nanoseconds) {
  advice::KernelSummary K;
  K.Name = "void k(int)";
  K.BoundBy = "L2";
  K.Nanoseconds = Nanoseconds;
  K.IsWhole = true;
  return K;
}

std::optional<std::string> readThree(const std::string &) { return "xxx"; }

TEST(Trial, WhatHoldsIsOfferedWithItsTimes) {
  Analysed Before{{finding("A", 1, 0)}, {kernel(20000)}, {}};
  auto Edited = fix::tryRewrites(
      Before, readThree,
      [](const fix::Texts &Now) {
        EXPECT_EQ(Now.at("/a.cu"), "yxx");
        return Analysed{{}, {kernel(10000)}, {}};
      },
      false);
  ASSERT_TRUE(bool(Edited));
  EXPECT_EQ(Edited->size(), 1u);
  EXPECT_EQ(Before.Findings[0].Fix->Verified,
            "'k' takes about 20 us before and 10 us after, 2.00x faster");
}

TEST(Trial, ReasonsToWithhold) {
  const Finding F = finding("A", 1, 0);
  const Analysed Before{{F}, {kernel(20000)}, {}};
  EXPECT_EQ(fix::whyWithheld(F, Before, {{F}, {kernel(10000)}, {}}),
            "with it there still is: it is bad");
  EXPECT_EQ(
      fix::whyWithheld(F, Before, {{finding("B", 1, 0)}, {kernel(30000)}, {}}),
      "with it 'k' takes 1.50 times as long");
  EXPECT_EQ(fix::whyWithheld(F, Before, {}), "with it 'k' is not analysed");
  EXPECT_EQ(fix::whyWithheld(F, Before, {{}, {}, {"no member 'x'"}}),
            "with it the code does not compile: no member 'x'");
  EXPECT_EQ(fix::whyWithheld(F, Before, {{}, {kernel(20000)}, {}}), "");
}

/// A rewrite reaches kernels that its finding is not about.
TEST(Trial, NoOtherKernelLosesByIt) {
  const Finding F = finding("A", 1, 0);
  advice::KernelSummary Other = kernel(5000), Unpriced = kernel(0);
  Other.Name = "void other(int)";
  Unpriced.Name = "void unpriced(int)";
  Unpriced.BoundBy = "";
  const Analysed Before{{F}, {kernel(20000), Other, Unpriced}, {}};
  EXPECT_EQ(
      fix::whyWithheld(F, Before, {{}, {kernel(10000), Other, Unpriced}, {}}),
      "");
  EXPECT_EQ(fix::whyWithheld(F, Before, {{}, {kernel(10000), Unpriced}, {}}),
            "with it 'other' is not analysed");
  Other.Nanoseconds = 6000;
  EXPECT_EQ(
      fix::whyWithheld(F, Before, {{}, {kernel(10000), Other, Unpriced}, {}}),
      "with it 'other' takes 1.20 times as long");
}

/// Which of two rewrites makes a third kernel slower is found out one by one.
TEST(Trial, TheOneAtFaultIsWithheld) {
  advice::KernelSummary Other = kernel(5000);
  Other.Name = "void other(int)";
  Analysed Before{
      {finding("A", 1, 0), finding("B", 2, 1)}, {kernel(20000), Other}, {}};
  auto Edited = fix::tryRewrites(
      Before, readThree,
      [&](const fix::Texts &Now) {
        advice::KernelSummary After = Other;
        if (Now.at("/a.cu")[1] == 'y') // B's
          After.Nanoseconds = 6000;
        return Analysed{{}, {kernel(10000), After}, {}};
      },
      false);
  ASSERT_TRUE(bool(Edited));
  EXPECT_EQ(Edited->at("/a.cu"), "yxx");
  EXPECT_EQ(Before.Findings[1].Fix->Withheld,
            "with it 'other' takes 1.20 times as long");
}

TEST(Trial, WhatDoesNotHoldLeavesTheOthers) {
  Analysed Before{
      {finding("A", 1, 0), finding("B", 2, 1)}, {kernel(20000)}, {}};
  unsigned Runs = 0;
  auto Edited = fix::tryRewrites(
      Before, readThree,
      [&](const fix::Texts &) {
        ++Runs;
        return Analysed{{finding("B", 2, 1)}, {kernel(10000)}, {}};
      },
      false);
  ASSERT_TRUE(bool(Edited));
  EXPECT_EQ(Edited->at("/a.cu"), "yxx");
  EXPECT_EQ(Runs, 2u);
  EXPECT_FALSE(Before.Findings[1].Fix->isOffered());
}

TEST(Trial, OfSeveralTheOneThatBreaksTheCodeIsFound) {
  Analysed Before{
      {finding("A", 1, 0), finding("B", 2, 1)}, {kernel(20000)}, {}};
  auto Edited = fix::tryRewrites(
      Before, readThree,
      [&](const fix::Texts &Now) {
        Analysed After{{}, {kernel(10000)}, {}};
        if (Now.at("/a.cu")[0] == 'y')
          After.Errors = {"no"};
        return After;
      },
      false);
  ASSERT_TRUE(bool(Edited));
  EXPECT_EQ(Edited->at("/a.cu"), "xyx");
  EXPECT_EQ(Before.Findings[0].Fix->Withheld,
            "with it the code does not compile: no");
}

TEST(Trial, WithoutAKnownGainOnlyWhereTheUserWants) {
  for (const bool MayNotGain : {false, true}) {
    Analysed Before{{finding("A", 1, 0)}, {kernel(20000)}, {}};
    Before.Findings[0].Faster.reset();
    auto Edited = fix::tryRewrites(
        Before, readThree,
        [](const fix::Texts &) { return Analysed{{}, {kernel(20000)}, {}}; },
        MayNotGain);
    ASSERT_TRUE(bool(Edited));
    EXPECT_EQ(Edited->empty(), !MayNotGain);
  }
}

} // namespace
