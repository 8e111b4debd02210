//===- DiffTest.cpp - When two profiles differ ----------------------------===//

#include "Support.h"

#include "profiler/profile/Paths.h"
#include "profiler/tool/reports/Diff.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::reports;
using profile::Guideline;
using profile::Profile;
using profile::Quantity;
using profile::Status;

namespace {

using Interval = std::optional<std::array<double, 2>>;

/// The two profiles with just one quantity each.
Difference diffOf(Quantity A, Quantity B,
                  const std::string &Path = paths::levels_l1_latency) {
  Profile P = named("a", "GPU A"), Q = named("b", "GPU B");
  P.Quantities[Path] = std::move(A);
  Q.Quantities[Path] = std::move(B);
  return diff(P, Q);
}

bool differ(double A, Interval CiA, double B, Interval CiB,
            const std::string &Unit = "clk") {
  return diffOf(quantity(A, Unit, CiA), quantity(B, Unit, CiB)).Significant;
}

std::string lastLine(const std::string &Text) {
  const size_t Before = Text.rfind('\n', Text.size() - 2);
  return Text.substr(Before + 1);
}

Guideline guideline(Guideline::Verdict Says) { return {Says, 2.0, "made up"}; }

TEST(Diff, EmptyProfilesAreEqual) {
  const Difference D = diff({}, {});
  EXPECT_FALSE(D.Significant);
  EXPECT_EQ(lastLine(D.Text),
            "no significant difference: 0 of 0 quantities that both have\n");
}

TEST(Diff, TheSameProfileIsEqual) {
  Profile P = named("a", "GPU");
  P.Quantities[paths::levels_l1_latency] = quantity(33, "clk", {{32.9, 33.1}});
  P.Quantities[paths::levels_l1_replacement] = word("LRU");
  P.Quantities[paths::levels_tlb_page] = notMeasurable("B", "why");
  P.Guidelines["S_1"] = guideline(Guideline::Verdict::Holds);
  EXPECT_FALSE(diff(P, P).Significant);
}

TEST(Diff, IntervalsDecide) {
  EXPECT_TRUE(differ(33, {{32.9, 33.1}}, 34, {{33.9, 34.1}}));
  // Each outside of the other's interval, though the intervals overlap.
  EXPECT_TRUE(differ(33, {{32, 33.5}}, 34, {{33.4, 35}}));
  EXPECT_FALSE(differ(33, {{32.9, 34.2}}, 34, {{33.9, 34.1}}));
  EXPECT_FALSE(differ(33, {{32.9, 33.1}}, 34, {{32.5, 34.1}}));
}

TEST(Diff, PointIntervalsNeedAPercent) {
  EXPECT_FALSE(differ(1000, {{1000, 1000}}, 1009, {{1009, 1009}}));
  EXPECT_TRUE(differ(1000, {{1000, 1000}}, 1011, {{1011, 1011}}));
}

TEST(Diff, LeavesOutWhatIsOfTheRun) {
  for (const char *Path :
       {"validation.latency.probe_1.measured", "run.seconds.l1-geometry"})
    EXPECT_FALSE(
        diffOf(quantity(1, "s", {}), quantity(2, "s", {}), Path).Significant);
}

TEST(Diff, WithoutIntervalsOnePercentDecides) {
  EXPECT_FALSE(differ(1000, {}, 1010, {}));
  EXPECT_TRUE(differ(1000, {}, 1011, {}));
  EXPECT_TRUE(differ(0, {}, 1, {}));
  EXPECT_FALSE(differ(0, {}, 0, {}));
}

TEST(Diff, OneIntervalNeedsBoth) {
  EXPECT_FALSE(differ(1000, {{999, 1001}}, 1005, {}));
  EXPECT_FALSE(differ(1000, {{900, 1100}}, 1050, {}));
  EXPECT_TRUE(differ(1000, {{999, 1001}}, 1050, {}));
}

TEST(Diff, SizesAreExact) {
  const Difference D =
      diffOf(quantity(249856, "B", {{0, 1e9}}),
             quantity(249984, "B", {{0, 1e9}}), paths::levels_l1_capacity);
  EXPECT_TRUE(D.Significant);
  EXPECT_TRUE(holds(D.Text, "249,856 B")) << D.Text;
  EXPECT_TRUE(holds(D.Text, "249,984 B")) << D.Text;
  EXPECT_TRUE(holds(D.Text, "+0.1 %")) << D.Text;
}

TEST(Diff, ASmallChangeOfASizeShowsAsOne) {
  const Difference D =
      diffOf(quantity(143771 * 1048576.0, "B"),
             quantity(143770 * 1048576.0, "B"), paths::levels_dram_capacity);
  EXPECT_TRUE(D.Significant);
  EXPECT_TRUE(holds(D.Text, "-0.0007 %")) << D.Text;
}

TEST(Diff, WordsUnitsAndStatuses) {
  EXPECT_TRUE(diffOf(word("LRU"), word("random")).Significant);
  EXPECT_FALSE(diffOf(word("LRU"), word("LRU")).Significant);
  EXPECT_TRUE(diffOf(quantity(1, "clk"), quantity(1, "ns")).Significant);
  const Difference Lost =
      diffOf(quantity(33, "clk"), notMeasurable("clk", "no"));
  EXPECT_TRUE(Lost.Significant);
  EXPECT_TRUE(holds(Lost.Text, "measured, now not-measurable")) << Lost.Text;
  EXPECT_TRUE(diffOf(quantity(33, "clk"),
                     quantity(33, "clk", std::nullopt, Status::NotConverged))
                  .Significant);
  // Where a value comes from is no difference of the GPUs.
  EXPECT_FALSE(diffOf(quantity(33, "clk"),
                      quantity(33, "clk", std::nullopt, Status::Literature))
                   .Significant);
  // Nor is a value that was stable in neither.
  EXPECT_FALSE(diffOf(quantity(33, "clk", std::nullopt, Status::NotConverged),
                      quantity(44, "clk", std::nullopt, Status::NotConverged))
                   .Significant);
}

TEST(Diff, PathsOfOneAreListed) {
  Profile A = named("a", "GPU"), B = named("b", "GPU");
  A.Quantities["warp.shared.degree_16"] = quantity(1, "clk");
  A.Quantities["warp.shared.degree_2"] = quantity(1, "clk");
  B.Quantities[paths::levels_tlb_page] = quantity(1, "B");
  const Difference D = diff(A, B);
  EXPECT_FALSE(D.Significant);
  EXPECT_TRUE(
      holds(D.Text,
            "only in a (2):\n  warp.shared.degree_2, warp.shared.degree_16\n"))
      << D.Text;
  EXPECT_TRUE(holds(D.Text, "only in b (1):\n  levels.tlb.page\n")) << D.Text;
  EXPECT_TRUE(holds(lastLine(D.Text), "2 only in A, 1 only in B")) << D.Text;
}

TEST(Diff, LongListsBreak) {
  Profile A = named("a", "GPU");
  for (int I = 0; I != 40; ++I)
    A.Quantities["warp.shared.degree_" + std::to_string(I)] =
        quantity(1, "clk");
  const std::string Text = diff(A, {}).Text;
  for (size_t From = 0; From < Text.size();) {
    const size_t End = Text.find('\n', From);
    EXPECT_LE(End - From, 100u);
    From = End + 1;
  }
}

TEST(Diff, Guidelines) {
  using enum Guideline::Verdict;
  Profile A = named("a", "GPU"), B = named("b", "GPU");
  A.Guidelines["S_1"] = guideline(Holds);
  B.Guidelines["S_1"] = guideline(NotTested);
  B.Guidelines["S_2"] = guideline(Holds);
  const Difference Untested = diff(A, B);
  EXPECT_FALSE(Untested.Significant);
  EXPECT_TRUE(holds(Untested.Text, "only in a (1):\n  guideline S_1\n"));
  EXPECT_TRUE(holds(Untested.Text, "only in b (1):\n  guideline S_2\n"));
  B.Guidelines["S_1"] = guideline(DoesNotHold);
  const Difference D = diff(A, B);
  EXPECT_TRUE(D.Significant);
  EXPECT_TRUE(holds(lastLine(D.Text),
                    "they differ: 0 of 0 quantities that both have, 1 "
                    "guideline"))
      << D.Text;
}

TEST(Diff, SortedBySectionThenSize) {
  Profile A = named("a", "GPU"), B = named("b", "GPU");
  for (const auto &[Path, Is, Was] : {std::tuple("warp.x.y", 100.0, 150.0),
                                      {"levels.a.b", 100.0, 105.0},
                                      {"levels.c.d", 100.0, 80.0},
                                      {"levels.e.f", 100.0, 110.0}}) {
    A.Quantities[Path] = quantity(Is, "clk");
    B.Quantities[Path] = quantity(Was, "clk");
  }
  A.Quantities["levels.z.z"] = word("LRU");
  B.Quantities["levels.z.z"] = word("FIFO");
  const std::string Text = diff(A, B).Text;
  size_t Last = 0;
  for (const char *Path :
       {"levels.z.z", "levels.c.d", "levels.e.f", "levels.a.b", "warp.x.y"}) {
    const size_t At = Text.find(Path);
    ASSERT_NE(At, Text.npos) << Path;
    EXPECT_GT(At, Last) << Path;
    Last = At;
  }
  EXPECT_TRUE(holds(Text, "-20.0 %"));
}

TEST(Diff, SaysWhatWasOther) {
  Profile A = named("same", "GPU"), B = A;
  A.Environment = {{"driver", "13.0"}, {"gone", "x"}, {"mode", "full"}};
  B.Environment = {{"driver", "13.1"}, {"new", "y"}, {"mode", "full"}};
  const Difference D = diff(A, B);
  EXPECT_FALSE(D.Significant);
  EXPECT_TRUE(holds(D.Text, "measured under\n  driver: 13.0, 13.1\n"
                            "  gone: x, -\n  new: -, y\n"))
      << D.Text;
  EXPECT_FALSE(holds(D.Text, "mode"));
  // Two of one name have to be told apart.
  EXPECT_TRUE(holds(D.Text, "same (A)"));
}

TEST(Diff, ControlCharactersAreReplaced) {
  Profile A = named("\x1b[31mred", "G\nPU"), B = named("b\r", "GPU");
  A.Origin = "\a";
  A.Quantities["x\x1b.y"] = word("\x1b]0;title\x07");
  B.Quantities["x\x1b.y"] = word("w\n\nthey differ: nothing");
  A.Quantities["only\x1b.a"] = quantity(1, "\x1b");
  A.Environment["k\x1b"] = "v\x1b";
  A.Guidelines["\x1b"] = guideline(Guideline::Verdict::Holds);
  const std::string Text = diff(A, B).Text;
  for (char C : Text)
    EXPECT_TRUE(static_cast<unsigned char>(C) >= 0x20 || C == '\n');
  EXPECT_FALSE(holds(Text, "\nthey differ: nothing"));
}

} // namespace
