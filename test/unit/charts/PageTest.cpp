//===- PageTest.cpp - The page and its charts -----------------------------===//

#include "profiler/charts/Page.h"
#include "profiler/charts/Svg.h"

#include <gtest/gtest.h>

using namespace warpwise::charts;

namespace {

bool holds(const std::string &Text, std::string_view Part) {
  return Text.find(Part) != Text.npos;
}

TEST(Page, SectionsWithAndWithoutNameInTheNavigation) {
  Page P;
  P.Title = "a < b";
  P.Heading = "<b>bold</b>";
  P.Sections.push_back({"one", "Kernel <x>", "One & only", "lead", "<i>1</i>"});
  P.Sections.push_back({"two", "Second", "", "", ""});
  const std::string Html = draw(P);
  EXPECT_TRUE(holds(Html, "<title>a &lt; b</title>"));
  EXPECT_TRUE(holds(Html, "<h1><b>bold</b></h1>"));
  EXPECT_TRUE(holds(Html, "<nav><a href=\"#one\">One &amp; only</a></nav>"));
  EXPECT_TRUE(holds(Html, "<section id=\"one\"><h2>Kernel &lt;x&gt;</h2>"
                          "<p>lead</p>\n<i>1</i></section>"));
  EXPECT_TRUE(holds(Html, "<section id=\"two\"><h2>Second</h2>"));
  EXPECT_TRUE(holds(Html, "default-src 'none'"));
}

TEST(Chart, ShowsAtLeastTheRangeThatWasAskedFor) {
  Chart C;
  C.Title = "hits";
  C.Y = {"hits", "%"};
  C.Lines.push_back({"L1", {{1, 12}, {2, 13}}, {}, {}});
  EXPECT_FALSE(holds(drawChart(C), ">100</text>"));
  C.YAtLeast = {0, 100};
  EXPECT_TRUE(holds(drawChart(C), ">100</text>"));
  EXPECT_FALSE(holds(drawChart(C), "<code>"));
}

} // namespace
