//===- PlotTest.cpp - The page with charts --------------------------------===//

#include "Support.h"

#include "profiler/profile/Paths.h"
#include "profiler/tool/reports/Plot.h"
#include "profiler/tool/reports/PlotNames.h"
#include "profiler/tool/reports/PlotSections.h"
#include "profiler/tool/reports/ReportText.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace warpwise;
using namespace warpwise::reports;
using charts::Chart;
using profile::Guideline;
using profile::Profile;
using profile::Quantity;
using profile::Status;

namespace {

/// The page must be well-formed: every element is closed in its order.
std::string unbalanced(const std::string &Html) {
  std::vector<std::string> Open;
  for (size_t At = Html.find('<'); At != Html.npos;
       At = Html.find('<', At + 1)) {
    const size_t End = Html.find('>', At);
    if (End == Html.npos)
      return "'<' without '>'";
    const std::string Tag = Html.substr(At + 1, End - At - 1);
    const std::string Name = Tag.substr(0, Tag.find_first_of(" \n"));
    if (Name == "!doctype" || Name == "meta" || Tag.ends_with("/"))
      continue;
    if (!Name.starts_with("/")) {
      Open.push_back(Name);
      continue;
    }
    if (Open.empty() || Open.back() != Name.substr(1))
      return "unexpected " + Tag;
    Open.pop_back();
  }
  return Open.empty() ? "" : "open " + Open.back();
}

std::string page(const Profile &P, const std::vector<Profile> &L = {}) {
  std::string Html = plotPage(P, L);
  EXPECT_EQ(unbalanced(Html), "");
  EXPECT_FALSE(holds(Html, "<script"));
  EXPECT_FALSE(holds(Html, "http://"));
  EXPECT_FALSE(holds(Html, "https://"));
  EXPECT_FALSE(holds(Html, "nan"));
  return Html;
}

TEST(Plot, EmptyProfile) {
  const std::string Html = page({});
  EXPECT_TRUE(holds(Html, "holds no quantities and no curves"));
  EXPECT_FALSE(holds(Html, "<figure>"));
}

TEST(Plot, ChartHasTitleAxesAndTooltips) {
  Profile P = named("p", "GPU");
  P.Curves[paths::levels_l1_latency_by_footprint] = curve(
      "footprint [B]", "latency [clk]",
      {{4096, 33}, {65536, 33.25}, {262144, 120}, {1048576, 263.5}}, "a chase");
  P.Quantities[paths::levels_l1_capacity] = quantity(249856, "B");
  const std::string Html = page(P);
  EXPECT_TRUE(holds(Html, "<h3>L1: latency by footprint</h3>"));
  EXPECT_TRUE(holds(Html, "latency [clk]</li>"));
  EXPECT_TRUE(holds(Html, ">footprint (log scale)</text>"));
  EXPECT_TRUE(holds(Html, ">64 KiB</text>"));
  EXPECT_TRUE(holds(Html, ">1 MiB</text>"));
  EXPECT_TRUE(holds(Html, "<title>footprint 64 KiB: 33.25 clk</title>"));
  EXPECT_TRUE(holds(Html, ">capacity 244 KiB</text>"));
  EXPECT_TRUE(holds(Html, "<p class=\"method\">a chase</p>"));
  EXPECT_EQ(count(Html, "<circle"), 4u);
  // And the table has it, with the exact number at hand.
  EXPECT_TRUE(holds(Html, "<span title=\"249,856 B\">244 KiB</span>"));
}

TEST(Plot, EveryCurveIsInOneChart) {
  Profile P = named("p", "GPU");
  const std::vector<std::array<double, 2>> Points{{1, 2}, {2, 3}};
  for (const char *Path :
       {"a.b", "levels.l1.x", "levels.l2.misses", "topology.y", "warp.z.q",
        "concurrency.u", "bandwidth.v", "one"})
    P.Curves[Path] = curve(std::string("x of ") + Path, "y", Points);
  size_t Lines = 0, Charts = 0;
  for (const ChartSection &S : chartSections(P, {}))
    for (const Chart &C : S.Charts) {
      ++Charts;
      Lines += C.Lines.size();
    }
  EXPECT_EQ(Lines, P.Curves.size());
  EXPECT_EQ(Charts, P.Curves.size());
}

TEST(Plot, RelatedCurvesShareAChart) {
  Profile P = named("p", "GPU");
  for (int Loads : {1, 2, 10})
    P.Curves["concurrency.latency_loads_" + std::to_string(Loads)] =
        curve("threads", "latency [clk]",
              {{32, 100.0}, {1024, 100.0 + 500.0 * Loads}});
  P.Curves["concurrency.variance"] =
      curve("threads", "variance [clk^2]", {{32, 1}, {1024, 2}});
  const std::vector<ChartSection> S = chartSections(P, {});
  ASSERT_EQ(S.size(), 1u);
  EXPECT_EQ(S[0].Title, "Loads in flight");
  ASSERT_EQ(S[0].Charts.size(), 2u);
  const Chart &C = S[0].Charts[0];
  EXPECT_EQ(C.Title, "Concurrency: latency");
  ASSERT_EQ(C.Lines.size(), 3u);
  EXPECT_TRUE(C.Ordered);
  EXPECT_EQ(C.Lines[0].Name, "loads 1");
  EXPECT_EQ(C.Lines[2].Name, "loads 10");
  const std::string Html = page(P);
  EXPECT_TRUE(holds(Html, ">loads 10</text>")); // beside its line
}

TEST(Plot, CrowdedChartsAreSplit) {
  Profile P = named("p", "GPU");
  for (const char *Pattern : {"unique", "merger2", "merger4"})
    for (int Loads : {1, 2, 3, 4})
      P.Curves[std::string("concurrency.") + Pattern + "_loads_" +
               std::to_string(Loads)] =
          curve("threads", "latency [clk]", {{1, 1}, {2, 2}});
  const std::vector<ChartSection> S = chartSections(P, {});
  ASSERT_EQ(S.size(), 1u);
  ASSERT_EQ(S[0].Charts.size(), 3u);
  for (const Chart &C : S[0].Charts)
    EXPECT_EQ(C.Lines.size(), 4u);
}

TEST(Plot, CountedQuantitiesAreACurve) {
  Profile P = named("p", "GPU");
  for (int Degree : {32, 1, 4})
    P.Quantities["warp.shared.conflict.degree_" + std::to_string(Degree)] =
        quantity(28.0 + Degree, "clk", {{27.0 + Degree, 29.0 + Degree}});
  Profile L = named("k20c", "Tesla K20c");
  L.Quantities[paths::warp_shared_conflict_degree_4] = quantity(50, "clk");
  const std::vector<ChartSection> S = chartSections(P, {L});
  ASSERT_EQ(S.size(), 1u);
  EXPECT_EQ(S[0].Title, "Conflicts and broadcasts");
  const Chart &C = S[0].Charts.at(0);
  EXPECT_EQ(C.Title, "Shared conflict by degree");
  ASSERT_EQ(C.Lines.size(), 2u);
  EXPECT_EQ(C.Lines[0].Points.front()[0], 1);
  EXPECT_EQ(C.Lines[0].Points.back()[0], 32);
  ASSERT_TRUE(C.Lines[1].From);
  EXPECT_TRUE(holds(page(P, {L}), "class=\"whisker\""));
}

TEST(Plot, LiteratureBesideOurs) {
  Profile P = named("p", "GPU");
  const auto Points = [](double Y) {
    return curve("stride [float]", "latency [clk]", {{1, Y}, {2, Y + 1}});
  };
  P.Curves["levels.shared.latency_by_stride"] = Points(30);
  P.Quantities[paths::bandwidth_char] = quantity(1000, "GB/s");
  Profile L = named("k20c", "Tesla K20c");
  L.Origin = "Fang et al.";
  L.Curves["levels.shared.latency_by_stride"] = Points(45);
  L.Quantities[paths::levels_shared_latency] = quantity(47.69, "clk");
  L.Quantities[paths::bandwidth_char] = quantity(63.02, "GB/s");
  const std::string Html = page(P, {L});
  EXPECT_TRUE(holds(Html, "Tesla K20c, stride 2 float: 46 clk</title>"));
  EXPECT_TRUE(holds(Html, "Tesla K20c, levels.shared.latency: 47.69 clk"));
  EXPECT_TRUE(holds(Html, "Tesla K20c, bandwidth.char: 63.02 GB/s</title>"));
  EXPECT_TRUE(holds(Html, "Tesla K20c: Fang et al."));
  // A profile is not beside itself.
  L.Name = "p";
  EXPECT_FALSE(holds(page(P, {L}), "Tesla K20c"));
}

TEST(Plot, AValueOffTheScaleIsNamed) {
  Profile P = named("p", "GPU");
  P.Curves["levels.l1.latency_by_step"] =
      curve("step", "latency [clk]", {{1, 30}, {2, 33}});
  Profile L = named("k20c", "Tesla K20c");
  L.Quantities[paths::levels_l1_latency] = quantity(900, "clk");
  EXPECT_TRUE(
      holds(page(P, {L}),
            "off the scale: Tesla K20c, levels.l1.latency: 900 clk</p>"));
}

TEST(Plot, TablesShowDoubt) {
  Profile P = named("p", "GPU");
  P.Quantities[paths::levels_l1_latency] =
      quantity(33, "clk", {{32.5, 33.5}}, Status::Measured, "a chase");
  P.Quantities[paths::levels_l1_latency].Second = {"a trace", 38, false};
  P.Quantities[paths::levels_tlb_page] = notMeasurable("B", "no such pages");
  P.Quantities[paths::levels_l1_replacement] = word("LRU");
  P.Guidelines["S_1"] = {Guideline::Verdict::DoesNotHold, 1.5, "a number"};
  for (const char *Leaf : {"predicted", "measured"})
    P.Quantities[std::string("validation.probe.") + Leaf] =
        quantity(100, "clk");
  P.Quantities["validation.probe.error"] = quantity(0.07, "1");
  P.Environment["driver"] = "580.82";
  const std::string Html = page(P);
  EXPECT_TRUE(holds(Html, "<b>disagrees: 38 clk</b> a trace"));
  EXPECT_TRUE(holds(Html, "32.5 &ndash; 33.5"));
  EXPECT_TRUE(holds(Html, "badge warn\">not-measurable"));
  EXPECT_TRUE(holds(Html, "no such pages"));
  EXPECT_TRUE(holds(Html, ">LRU</td>"));
  EXPECT_TRUE(holds(Html, "badge bad\">does not hold"));
  EXPECT_TRUE(holds(Html, "1.5&times;"));
  EXPECT_TRUE(holds(Html, "class=\"over\" style=\"width:70%\""));
  EXPECT_TRUE(holds(Html, "7.00 %"));
  EXPECT_TRUE(holds(Html, "580.82"));
  // A probe is in one table only.
  EXPECT_FALSE(holds(Html, "probe.predicted"));
}

TEST(Plot, HostileTextsAreEscaped) {
  const std::string Bad = "<script>alert(1)</script>\"'&\x01</svg></style>";
  Profile P = named(Bad, Bad);
  P.Architecture = P.Origin = Bad;
  P.Environment[Bad] = Bad;
  P.Guidelines[Bad] = {Guideline::Verdict::Holds, 1.0, Bad};
  Quantity Q = quantity(1, Bad, {{0, 2}}, Status::Measured, Bad);
  Q.Second = {Bad, 2, false};
  P.Quantities["levels." + Bad] = Q;
  P.Quantities["bandwidth." + Bad] =
      quantity(1, "GB/s", std::nullopt, Status::Measured, Bad);
  P.Quantities["levels.x.word"] = word(Bad);
  P.Quantities["validation." + Bad + ".predicted"] = Q;
  P.Quantities["validation." + Bad + ".error"] = Q;
  for (const char *N : {"_1", "_2", "_4"})
    P.Quantities["warp." + Bad + ".degree" + N] = Q;
  P.Curves["levels." + Bad] =
      curve(Bad + " [" + Bad + "]", Bad, {{1, 2}, {3, 4}}, Bad);
  P.Curves["levels.b"] = curve(Bad + " [" + Bad + "]", Bad, {{1, 2}, {3, 9}});
  Profile L = P;
  L.Name = "other";
  const std::string Html = page(P, {L});
  EXPECT_FALSE(holds(Html, "alert(1)</script"));
  EXPECT_FALSE(holds(Html, "\x01"));
  EXPECT_EQ(count(Html, "</style>"), 1u);
  EXPECT_TRUE(holds(Html, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;"
                          "&amp;\uFFFD"));
}

TEST(Plot, OddNumbersAreDrawnOrLeftOut) {
  const double Infinity = std::numeric_limits<double>::infinity();
  const double Nan = std::nan("");
  Profile P = named("p", "GPU");
  P.Curves["a.nothing"] = curve("x", "y", {{Nan, 1}, {1, Infinity}});
  P.Curves["b.some"] = curve("x", "y", {{Nan, 1}, {1, 5}, {2, 1e308}});
  P.Curves["c.one"] = curve("x [B]", "y", {{0, 0}});
  P.Curves["d.flat"] = curve("x", "y", {{-5, 1e15}, {5, 1e15}});
  P.Curves["e.near"] = curve("x", "y", {{1e15, 1}, {1e15 + 0.25, 2}});
  P.Curves["f.wide"] = curve("x [B]", "y", {{1e-90, 1e-90}, {1e90, 1e90}});
  P.Curves["g.below"] = curve("x", "y", {{1, -5}, {2, -1000}});
  const std::string Html = page(P);
  EXPECT_EQ(count(Html, "<figure>"), 6u);
  EXPECT_FALSE(holds(Html, "inf"));
}

TEST(Plot, DenseCurvesAreThinned) {
  Profile P = named("p", "GPU");
  std::vector<std::array<double, 2>> Points;
  for (int I = 0; I != 100000; ++I)
    Points.push_back({double(I), I == 50000 ? 900.0 : double(I % 7)});
  P.Curves["a.dense"] = curve("time", "latency [clk]", Points);
  const std::string Html = page(P);
  EXPECT_LT(Html.size(), 200000u);
  // The outlier is what a reader looks for.
  EXPECT_TRUE(holds(Html, "50,000: 900 clk"));
}

TEST(Plot, NamesOfThingsAreDots) {
  Profile P = named("p", "GPU");
  P.Curves[paths::levels_l2_latency_by_sm] =
      curve("SM [%smid]", "latency [clk]", {{0, 260}, {1, 280}});
  P.Curves["bandwidth.by_occupancy"] =
      curve("resident warps per SM", "bandwidth [GB/s]", {{1, 10}, {2, 20}});
  const std::vector<ChartSection> S = chartSections(P, {});
  ASSERT_EQ(S.size(), 2u);
  EXPECT_EQ(S[0].Title, "Bandwidth");
  EXPECT_FALSE(S[0].Charts.at(0).Dots);
  EXPECT_EQ(S[1].Title, "Across the SMs");
  EXPECT_TRUE(S[1].Charts.at(0).Dots);
}

TEST(Text, NaturalOrder) {
  EXPECT_TRUE(naturallyLess("degree_2", "degree_16"));
  EXPECT_FALSE(naturallyLess("degree_16", "degree_2"));
  EXPECT_TRUE(naturallyLess("a", "ab"));
  EXPECT_TRUE(naturallyLess("l1.z", "l2.a"));
  EXPECT_FALSE(naturallyLess("same_1", "same_1"));
  EXPECT_NE(naturallyLess("x_01", "x_1"), naturallyLess("x_1", "x_01"));
}

TEST(Names, CommonWordsAreTheTitle) {
  const Naming N = nameLines({"latency_near_by_sm", "latency_far_by_sm"});
  EXPECT_EQ(N.Common, "latency by SM");
  EXPECT_EQ(N.Own, (std::vector<std::string>{"near", "far"}));
  const Naming Plain = nameLines({"latency", "latency_far"});
  EXPECT_EQ(Plain.Own, (std::vector<std::string>{"plain", "far"}));
}

} // namespace
