//===- ReuseHtmlTest.cpp - The cache model's page -------------------------===//

#include "analyzer/output/reuse/ReuseHtml.h"
#include "analyzer/output/reuse/ReuseCharts.h"

#include <gtest/gtest.h>

using namespace warpwise::output;
using llvm::json::Array;
using llvm::json::Object;

namespace {

bool holds(const std::string &Text, std::string_view Part) {
  return Text.find(Part) != Text.npos;
}

size_t countOf(const std::string &Text, std::string_view Part) {
  size_t Count = 0;
  for (size_t At = Text.find(Part); At != Text.npos;
       At = Text.find(Part, At + 1))
    ++Count;
  return Count;
}

Object site(const char *File, unsigned Line, double Requests, double L2) {
  return Object{{"file", File},
                {"line", Line},
                {"column", 3},
                {"load_requests", Requests},
                {"store_requests", 0},
                {"l1_load_sectors", 4 * Requests},
                {"l1_read_hit_rate", 0.75},
                {"l2_read_sectors", L2},
                {"dram_read_sectors", L2 / 2}};
}

Object launch(const char *Kernel) {
  return Object{{"kernel", Kernel},
                {"at", "/src/a.cu:88"},
                {"grid", Array{4, 2, 1}},
                {"block", Array{32, 8, 1}},
                {"invocation", nullptr},
                {"status", "modelled"},
                {"reason", ""},
                {"assumptions", Array{"argument 'n' is 5, a default"}},
                {"l1_read_hit_rate", 0.75},
                {"l1_load_sectors", 4096},
                {"l2_read_sectors", 1024},
                {"l2_read_hit_rate", 0.5},
                {"dram_read_sectors", 512},
                {"l1_bytes", 65536},
                {"waves", 1},
                {"blocks_per_sm", 8},
                {"sites", Array{site("/src/a.cu", 2, 64, 10),
                                site("/src/a.cu", 1, 960, 1014)}}};
}

template <typename... Launch> Object document(Launch &&...Launches) {
  Array All;
  (All.push_back(std::forward<Launch>(Launches)), ...);
  return Object{{"file", "/src/a.cu"},
                {"profile", "nvidia-h200"},
                {"options", Array{Object{{"name", "l1.ways"},
                                         {"value", "4"},
                                         {"origin", "measured"}}}},
                {"launches", std::move(All)}};
}

std::string page(const Object &Document) {
  const std::string Html = reuseHtml(
      Document,
      [](const std::string &File) -> std::optional<std::string> {
        if (File != "/src/a.cu")
          return std::nullopt;
        return "  first < \"line\";\r\nsecond\xff;";
      },
      "/src");
  EXPECT_FALSE(holds(Html, "<script"));
  EXPECT_FALSE(holds(Html, "nan"));
  for (const char *Element : {"section", "table", "ul", "dl", "div", "svg",
                              "figure", "code", "details"})
    EXPECT_EQ(countOf(Html, std::string("<") + Element + ">") +
                  countOf(Html, std::string("<") + Element + " "),
              countOf(Html, std::string("</") + Element + ">"))
        << Element;
  return Html;
}

TEST(ReuseHtml, ALaunchWithItsLines) {
  const std::string Html = page(document(launch("void ns::f<int>(int*)")));
  EXPECT_TRUE(holds(Html, "<a href=\"#launch-1\">f</a>"));
  EXPECT_TRUE(holds(Html, "launched at a.cu:88"));
  EXPECT_TRUE(holds(Html, "assumed: argument &#39;n&#39; is 5, a default"));
  // The line with more traffic below L1 goes first.
  const size_t First = Html.find("first &lt; &quot;line&quot;;</code>"),
               Second = Html.find("second\xEF\xBF\xBD;</code>");
  ASSERT_NE(First, Html.npos);
  ASSERT_NE(Second, Html.npos);
  EXPECT_LT(First, Second);
  EXPECT_TRUE(holds(Html, "a.cu:1: 960 accesses of warps; 120 KiB of L1, "
                          "75.00 % of the loads hit, 31.69 KiB of L2"));
  EXPECT_TRUE(holds(Html, "<dd>128 B</dd>"));
  EXPECT_TRUE(holds(Html, "lines of a set")) << "what l1.ways means";
  EXPECT_FALSE(holds(Html, "<figure>"));
}

TEST(ReuseHtml, AtomicsAreWrittenToL2Once) {
  Object Counting = launch("f");
  Counting["sites"] = Array{Object{{"file", "/src/a.cu"},
                                   {"line", 1},
                                   {"atomic_requests", 16},
                                   {"atomic_sectors", 64},
                                   {"l2_write_sectors", 64}}};
  EXPECT_TRUE(holds(page(document(std::move(Counting))),
                    "a.cu:1: 16 accesses of warps; 2 KiB of L1, 2 KiB of L2"));
}

TEST(ReuseHtml, EveryNameIsEscaped) {
  Object Evil = launch("<script>alert(1)</script>");
  Evil["at"] = "\"><script>.cu:1";
  Evil["reason"] = "<script>";
  Evil["status"] = "partial";
  Evil["sites"] = Array{site("<script>.cu", 1, 5, 5)};
  Object NotModelled{{"kernel", "g<script>"},
                     {"status", "not-modelled"},
                     {"reason", "say --launch grid=<script>"}};
  Object Document = document(std::move(Evil), std::move(NotModelled), nullptr);
  Document["file"] = "<script>";
  Document["profile"] = "<script>";
  const std::string Html = page(Document);
  EXPECT_TRUE(holds(Html, "badge warn\">partial"));
  EXPECT_TRUE(holds(Html, "badge bad\">not modelled"));
}

TEST(ReuseHtml, CurvesHaveDistancesAndCapacities) {
  Object L = launch("f");
  L["l1_curves"] = Object{
      {"sets", 512},
      {"hit_ratio_by_ways", Array{0.25, 0.5, 0.75, 0.75}},
      {"hit_ratio_by_bytes",
       Array{Array{1024, 0}, Array{65536, 0.5}, Array{131072, 0.75}}},
      {"histogram", Array{Array{0, 10}, Array{9, 20}, Array{nullptr, 10}}}};
  const std::string Html = page(document(std::move(L)));
  EXPECT_EQ(countOf(Html, "<figure>"), 3u);
  EXPECT_TRUE(holds(Html, ">8-15</text>"));
  EXPECT_TRUE(holds(Html, "first use: 10 sectors"));
  EXPECT_TRUE(holds(Html, "it has 64 KiB"));
  EXPECT_TRUE(holds(Html, "it has 4<"));
}

Object variant(const char *Ways, const char *Index, double Rate) {
  return Object{{"options", Object{{"l1.ways", Ways}, {"l1.index", Index}}},
                {"l1_read_hit_rate", Rate},
                {"l1_load_sectors", 100},
                {"l2_read_sectors", 10},
                {"l2_read_hit_rate", 0.5}};
}

TEST(ReuseHtml, ExploredCachesAreATableAndPlots) {
  Object L = launch("f");
  L["variants"] =
      Array{variant("4", "mod", 0.25), variant("4", "xor", 0.5),
            variant("8", "mod", 0.3), variant("8", "xor", 0.6),
            Object{{"options", Object{{"l1.ways", "9"}, {"l1.index", "xor"}}},
                   {"reason", "too <b>few</b> lines"}}};
  Object Document = document(std::move(L));
  Document["explored"] =
      Array{Object{{"name", "l1.ways"}, {"values", Array{"4", "8", "9"}}},
            Object{{"name", "l1.index"}, {"values", Array{"mod", "xor"}}}};
  const std::string Html = page(Document);
  EXPECT_EQ(countOf(Html, "<td colspan=\"5\">too &lt;b&gt;few"), 1u);
  EXPECT_TRUE(holds(Html, "data-label=\"L1 loads hit\">60.00 %</td>"));
  // Numbers as lines, one for each word; words as bars with their range.
  EXPECT_TRUE(holds(Html, "hits of L1 loads by l1.ways"));
  EXPECT_TRUE(holds(Html, "l1.index=mod, l1.ways 8: 30 %"));
  EXPECT_TRUE(holds(Html, "hits of L1 loads by l1.index"));
  EXPECT_TRUE(holds(Html, "mean and range over 2 combinations"));
}

TEST(ReuseCharts, ValuesWithUnits) {
  EXPECT_EQ(valueOf("64K"), 65536);
  EXPECT_EQ(valueOf("2MiB"), 2 << 20);
  EXPECT_EQ(valueOf("17"), 17);
  EXPECT_EQ(valueOf("lru"), std::nullopt);
  EXPECT_EQ(valueOf(""), std::nullopt);
}

} // namespace
