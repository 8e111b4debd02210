//===- PlotSections.cpp - The charts in reading order ---------------------===//

#include "profiler/tool/reports/PlotSections.h"

#include "profiler/tool/reports/PlotCharts.h"
#include "profiler/tool/reports/ReportText.h"

#include <algorithm>
#include <tuple>

using namespace warpwise;
using namespace warpwise::charts;
using namespace warpwise::reports;
using profile::Profile;

namespace {

using Names = std::vector<std::string>;

enum SectionIndex : size_t {
  Overview,
  Footprint,
  Stride,
  Degree,
  InFlight,
  Misses,
  Bandwidth,
  AcrossSms,
  More,
};

std::vector<ChartSection> emptySections() {
  return {
      {"overview", "At a glance", "Every memory beside the others.", {}, {}},
      {"footprint",
       "Latency against footprint",
       "Flat parts are levels; a step lies where a level is full.",
       {},
       {}},
      {"stride",
       "Strides and steps",
       "What distance costs: sectors, lines and banks.",
       {},
       {}},
      {"degree",
       "Conflicts and broadcasts",
       "A slope is serialisation; a flat line is a broadcast.",
       {},
       {}},
      {"in-flight",
       "Loads in flight",
       "A spike or a bend is the end of a table of outstanding requests.",
       {},
       {}},
      {"misses", "Misses", "The first miss is the capacity.", {}, {}},
      {"bandwidth",
       "Bandwidth",
       "The plateau is the limit of the level.",
       {},
       {}},
      {"across-sms",
       "Across the SMs",
       "Groups are partitions: which SM is near to what.",
       {},
       {}},
      {"more", "More curves", "", {}, {}},
  };
}

/// The section of a chart: the first rule that fits.
SectionIndex sectionFor(const Chart &C) {
  const auto X = [&](auto... Words) {
    return (hasWord(C.X.Name, Words) || ...);
  };
  const auto Y = [&](auto... Words) {
    return (hasWord(C.Y.Name, Words) || ...);
  };
  if (Y("miss", "misses") || hasWord(C.Title, "miss"))
    return Misses;
  if (Y("bandwidth", "throughput") ||
      C.Y.Unit.find("/s") != std::string::npos || C.Y.Unit.starts_with("B/"))
    return Bandwidth;
  if (sectionOf(C.Path) == "topology" || (C.Dots && X("sm", "smid")))
    return AcrossSms;
  if (sectionOf(C.Path) == "concurrency")
    return InFlight;
  if (X("stride", "step", "offset", "distance", "shift"))
    return Stride;
  if (X("degree", "ways", "conflict", "words", "lanes", "threads", "blocks") ||
      sectionOf(C.Path) == "warp")
    return Degree;
  return C.X.Unit == "B" ? Footprint : More;
}

void addOverview(const ChartBuilder &B, ChartSection &Into) {
  BarChart Latency =
      B.bars("Latency by memory", "levels.*.latency*", "clk",
             [](const std::string &Path) -> std::string {
               const Names Leaf = wordsOf(leafOf(Path));
               // Two words at most: "latency_far", but no table of variants.
               if (sectionOf(Path) != "levels" || Leaf.empty() ||
                   Leaf[0] != "latency" || Leaf.size() > 2 ||
                   std::count(Path.begin(), Path.end(), '.') != 2)
                 return "";
               const std::string Level = titleOf(parentOf(Path));
               return Leaf.size() == 1 ? Level : Level + ", " + Leaf[1];
             });
  std::sort(Latency.Bars.begin(), Latency.Bars.end(),
            [](const Bar &A, const Bar &B) {
              return std::tie(A.Value, A.Name) < std::tie(B.Value, B.Name);
            });
  BarChart Types = B.bars("Bandwidth by data type", "bandwidth.*", "GB/s",
                          [](const std::string &Path) -> std::string {
                            return sectionOf(Path) == "bandwidth" &&
                                           parentOf(Path) == "bandwidth"
                                       ? std::string(leafOf(Path))
                                       : "";
                          });
  // Narrow types first, as in Fang's Table 4; others behind them.
  constexpr std::string_view Order[] = {"char",   "short", "half2",  "char4",
                                        "int",    "float", "float2", "double",
                                        "float4", "memcpy"};
  const auto Rank = [&](const Bar &B) {
    return std::find(std::begin(Order), std::end(Order), B.Name) -
           std::begin(Order);
  };
  std::sort(Types.Bars.begin(), Types.Bars.end(),
            [&](const Bar &A, const Bar &B) {
              return std::pair(Rank(A), A.Name) < std::pair(Rank(B), B.Name);
            });
  BarChart Levels =
      B.bars("Bandwidth by level", "levels.*.bandwidth*", "GB/s",
             [](const std::string &Path) -> std::string {
               Names Leaf = wordsOf(leafOf(Path));
               if (sectionOf(Path) != "levels" || Leaf.empty() ||
                   Leaf[0] != "bandwidth")
                 return "";
               Leaf.erase(Leaf.begin());
               const std::string Level = titleOf(parentOf(Path));
               return Leaf.empty() ? Level : Level + ", " + sentence(Leaf);
             });
  for (BarChart *Each : {&Latency, &Types, &Levels})
    if (!Each->Bars.empty())
      Into.Bars.push_back(std::move(*Each));
}

} // namespace

std::vector<ChartSection>
reports::chartSections(const Profile &P,
                       const std::vector<Profile> &Literature) {
  const ChartBuilder B(P, Literature);
  std::vector<ChartSection> Sections = emptySections();
  addOverview(B, Sections[Overview]);
  for (std::vector<Chart> Charts : {B.curves(), B.counted()})
    for (Chart &C : Charts)
      Sections[sectionFor(C)].Charts.push_back(std::move(C));
  std::erase_if(Sections, [](const ChartSection &S) {
    return S.Bars.empty() && S.Charts.empty();
  });
  return Sections;
}
