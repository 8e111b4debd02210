//===- Plot.cpp - A profile as one page with charts -----------------------===//
//
// What the page of a profile consists of.
//
//===----------------------------------------------------------------------===//

#include "profiler/tool/reports/Plot.h"

#include "profiler/charts/Page.h"
#include "profiler/charts/Text.h"
#include "profiler/profile/Paths.h"
#include "profiler/tool/reports/PlotSections.h"
#include "profiler/tool/reports/PlotTables.h"

#include <fmt/format.h>

using namespace warpwise;
using namespace warpwise::charts;
using namespace warpwise::reports;
using profile::Profile;
using profile::Quantity;

namespace {

struct KeyFigure {
  std::string_view Name;
  std::string_view Path, OrElse; ///< the first that the profile has
};

constexpr KeyFigure KeyFigures[] = {
    {"SMs", paths::device_sm_count, ""},
    {"SM clock", paths::device_clock, ""},
    {"L1 latency", paths::levels_l1_latency, ""},
    {"Shared latency", paths::levels_shared_latency, ""},
    {"L2 latency", paths::levels_l2_latency, ""},
    {"DRAM latency", paths::levels_dram_latency, ""},
    {"L1 capacity", paths::levels_l1_capacity, ""},
    {"L2 capacity", paths::levels_l2_capacity, ""},
    {"L2 bandwidth", paths::levels_l2_bandwidth, ""},
    {"DRAM read", paths::levels_dram_bandwidth_read, paths::bandwidth_float4},
};

void addKeyFigures(std::string &Out, const Profile &P) {
  std::string Figures;
  for (const KeyFigure &Each : KeyFigures) {
    const Quantity *Q = P.find(Each.Path);
    if (!Q || !Q->Value)
      Q = P.find(Each.OrElse);
    if (!Q || !Q->Value)
      continue;
    // "248 KiB": the number large, the unit small.
    const std::string Text = withUnit(*Q->Value, Q->Unit);
    const size_t Space = Text.find(' ');
    append(Figures, "<div><dt>{}</dt><dd>{}", Each.Name,
           escape(Text.substr(0, Space)));
    if (Space != Text.npos)
      append(Figures, " <small>{}</small>", escape(Text.substr(Space + 1)));
    if (Q->Ci95 && (*Q->Ci95)[0] < (*Q->Ci95)[1])
      append(Figures, "<i>{} &ndash; {}</i>", number((*Q->Ci95)[0]),
             number((*Q->Ci95)[1]));
    else if (Q->State != profile::Status::Measured)
      append(Figures, "<i>{}</i>", profile::statusName(Q->State));
    Figures += "</dd></div>";
  }
  if (!Figures.empty())
    append(Out, R"(<dl class="facts">{}</dl>)", Figures);
}

std::vector<Section> sectionsOf(const Profile &P,
                                const std::vector<Profile> &Literature) {
  std::vector<Section> Parts;
  const auto Add = [&](std::string_view Id, std::string_view Title,
                       std::string_view Lead, std::string Body) {
    Parts.push_back({std::string(Id), std::string(Title), std::string(Title),
                     std::string(Lead), std::move(Body)});
  };
  for (const ChartSection &S : chartSections(P, Literature)) {
    std::string Charts = R"(<div class="charts">)";
    for (const BarChart &B : S.Bars)
      Charts += drawBars(B);
    for (const Chart &C : S.Charts)
      Charts += drawChart(C);
    Add(S.Id, S.Title, S.Question, Charts + "</div>");
  }
  const auto AddTable = [&](std::string_view Id, std::string_view Title,
                            std::string_view Lead, std::string Table) {
    if (!Table.empty())
      Add(Id, Title, Lead, std::move(Table));
  };
  AddTable("validation", "Validation",
           "Probes that were not used for fitting: what the profile predicts "
           "and what was measured.",
           validationTable(P));
  AddTable("guidelines", "Guidelines",
           "The statements of Fang et al. (2017), section 7, tested on this "
           "device.",
           guidelineTable(P));
  AddTable("quantities", "All quantities",
           "Each with where it comes from and, where there is one, the second "
           "opinion of an independent method.",
           quantityTable(P, Literature));
  AddTable("environment", "Measured under", "", environmentTable(P));
  return Parts;
}

std::string legendNote(const Profile &P,
                       const std::vector<Profile> &Literature) {
  std::string Out;
  for (const Profile &L : Literature)
    if (L.Name != P.Name)
      append(Out, "<p>{}: {}</p>", escape(L.Gpu), escape(L.Origin));
  return Out;
}

} // namespace

std::string reports::plotPage(const Profile &P,
                              const std::vector<Profile> &Literature) {
  const std::string_view Title =
      P.Gpu.empty() ? std::string_view("Device profile") : P.Gpu;
  Page Made;
  Made.Title = fmt::format("{} - Warpwise profile", Title);
  Made.Heading = fmt::format(R"({} <span class="dim">{}</span>)", escape(Title),
                             escape(P.Architecture));
  append(Made.Header, R"(<p class="origin">{}{}{}</p>)", escape(P.Name),
         P.Name.empty() || P.Origin.empty() ? "" : ": ", escape(P.Origin));
  addKeyFigures(Made.Header, P);
  Made.Sections = sectionsOf(P, Literature);
  if (!Made.Sections.empty())
    Made.Footer =
        "<p>clk: cycles of the SM's clock. GB/s: 10<sup>9</sup> bytes per "
        "second. KiB, MiB: powers of 1024. Hollow marks are published "
        "values of other machines; point at any mark for its "
        "numbers.</p>";
  else
    Made.Sections.push_back(
        {"", "", "", "This profile holds no quantities and no curves.", ""});
  Made.Footer += legendNote(P, Literature);
  return draw(Made);
}
