//===- MergeTest.cpp - One finding for each place -------------------------===//

#include "analyzer/advice/Merge.h"
#include "analyzer/advice/Wording.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace warpwise::advice;

namespace {

Finding find(unsigned Line, std::string Kernel, double Cycles,
             std::vector<std::string> CleanIn = {}) {
  Finding F;
  F.Where = {"a.cu", Line, 5};
  F.Rule = "cuda-memory-bank-conflict";
  F.Message = "costs " + std::to_string(int(Cycles));
  F.Kernel = Kernel;
  F.FoundIn = {std::move(Kernel)};
  F.CleanIn = std::move(CleanIn);
  F.ExtraCycles = Cycles;
  return F;
}

TEST(MergeFindings, TheCostliestInstanceSpeaks) {
  const auto Merged =
      mergeFindings({find(7, "k<1>", 3), find(7, "k<2>", 31, {"k<3>"}),
                     find(7, "k<4>", 7, {"k<1>"})});
  ASSERT_EQ(Merged.size(), 1u);
  EXPECT_EQ(Merged[0].Message, "costs 31");
  EXPECT_EQ(Merged[0].Instances, 3u);
  EXPECT_EQ(Merged[0].Judged, 4u); // k<1> is not clean: it was found wanting
  EXPECT_EQ(describeInstances(Merged[0]),
            "in 3 of 4 instantiations, costliest in k<2>");
}

TEST(MergeFindings, PlacesAndRulesStayApart) {
  Finding OtherRule = find(7, "k", 1);
  OtherRule.Rule = "cuda-memory-local-array";
  const auto Merged =
      mergeFindings({find(8, "k", 1), OtherRule, find(7, "k", 1)});
  ASSERT_EQ(Merged.size(), 3u);
  EXPECT_EQ(Merged[0].Rule, "cuda-memory-bank-conflict");
  EXPECT_EQ(Merged[1].Rule, "cuda-memory-local-array");
  EXPECT_EQ(Merged[2].Where.Line, 8u);
  EXPECT_EQ(describeInstances(Merged[2]), "");
}

TEST(MergeFindings, AHeaderInTwoFilesCountsItsKernelsOnce) {
  const auto One = mergeFindings({find(7, "k<1>", 3), find(7, "k<2>", 3)});
  auto Both = One;
  Both.insert(Both.end(), One.begin(), One.end());
  EXPECT_EQ(mergeFindings(Both), One);
}

TEST(MergeFindings, InStepsOrAtOnceIsTheSame) {
  const std::vector<Finding> All = {
      find(7, "k<1>", 3), find(7, "k<2>", 31, {"k<5>"}), find(9, "k<1>", 2),
      find(7, "k<2>", 8), find(7, "k<5>", 31)};
  auto Steps = mergeFindings({All[0], All[1], All[3]});
  for (const Finding &F : mergeFindings({All[2], All[4]}))
    Steps.push_back(F);
  EXPECT_EQ(mergeFindings(Steps), mergeFindings(All));
}

TEST(MergeFindings, TheStoreOfAnUpdateIsNotLost) {
  const auto Merged = mergeFindings({find(7, "k", 3), find(7, "k", 31)});
  ASSERT_EQ(Merged.size(), 1u);
  ASSERT_EQ(Merged[0].Notes.size(), 1u);
  EXPECT_EQ(Merged[0].Notes[0].Message, "also: costs 3");
  EXPECT_EQ(Merged[0].Instances, 1u);
}

Finding caused(Finding F, std::string Cause) {
  F.Cause = std::move(Cause);
  return F;
}

TEST(JoinCauses, TheCostliestPlaceSpeaks) {
  const auto Joined = joinCauses({caused(find(7, "k<1>", 3, {"k<3>"}), "a"),
                                  caused(find(9, "k<2>", 31), "a"),
                                  caused(find(8, "k<1>", 5), "b"),
                                  caused(find(7, "other", 9), "a"),
                                  find(10, "k<1>", 4), find(11, "k<1>", 4)});
  ASSERT_EQ(Joined.size(), 5u);
  EXPECT_EQ(Joined[0].Kernel, "other");
  EXPECT_EQ(Joined[1].Where.Line, 8u);
  const Finding &F = Joined[2];
  EXPECT_EQ(F.Where.Line, 9u);
  ASSERT_EQ(F.Also.size(), 1u);
  EXPECT_EQ(F.Also[0].Where.Line, 7u);
  EXPECT_EQ(F.Also[0].ExtraCycles, 3);
  EXPECT_EQ(totalExtraCycles(F), 34);
  EXPECT_EQ(F.FoundIn, (std::vector<std::string>{"k<1>", "k<2>"}));
  EXPECT_EQ(F.Judged, 3u);
}

TEST(JoinCauses, KernelsOfOneNameInTwoFilesAreTwo) {
  Finding Here = find(7, "k", 3), There = find(9, "k", 31);
  Here.Cause = There.Cause = "rows";
  EXPECT_EQ(joinCauses({Here, There}).size(), 1u);
  Here.KernelFile = "a.cu";
  There.KernelFile = "b.cu";
  EXPECT_EQ(joinCauses({Here, There}).size(), 2u);
}

TEST(RankFindings, ByCyclesTimesExecutions) {
  Finding Often = find(9, "k", 2);
  Often.Weight = 100;
  std::vector<Finding> Findings = {find(8, "k", 31), find(7, "k", 31), Often};
  rankFindings(Findings);
  EXPECT_EQ(Findings[0].Where.Line, 9u);
  EXPECT_EQ(Findings[1].Where.Line, 7u); // equal cost: order of the source
  EXPECT_EQ(Findings[2].Where.Line, 8u);
}

/// Half of a long launch is more than most of a short one, and what hangs on
/// sizes that nobody knows comes last.
TEST(RankFindings, ByTheTimeThatIsSaved) {
  Finding Short = find(1, "k", 1), Long = find(2, "k", 1),
          Open = find(3, "k", 1), Wider = find(4, "k", 1);
  const auto gain = [](double Factor, std::optional<double> Microseconds = {}) {
    price::Gain Its;
    Its.Factor = Factor;
    Its.Microseconds = Microseconds;
    return Its;
  };
  Short.Faster = gain(5, 10);
  Long.Faster = gain(2, 100);
  Open.Faster = gain(20);
  Wider.Faster = gain(30);
  std::vector<Finding> Findings = {Open, Short, Wider, Long};
  rankFindings(Findings);
  EXPECT_EQ(Findings, (std::vector<Finding>{Long, Short, Wider, Open}));
}

TEST(RankFindings, DoesNotDependOnTheOrderOfArrival) {
  std::vector<Finding> Findings = {find(1, "k", 3), find(2, "k", 9),
                                   find(3, "k", 3), find(4, "k", 9)};
  auto Expected = Findings;
  rankFindings(Expected);
  std::reverse(Findings.begin(), Findings.end());
  rankFindings(Findings);
  EXPECT_EQ(Findings, Expected);
}

} // namespace
