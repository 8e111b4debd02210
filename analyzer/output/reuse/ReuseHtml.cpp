//===- ReuseHtml.cpp - The cache model's results as one page --------------===//

#include "analyzer/output/reuse/ReuseHtml.h"

#include "analyzer/output/Paths.h"
#include "analyzer/output/reuse/ReuseCharts.h"
#include "analyzer/output/reuse/ReuseHtmlLaunch.h"
#include "analyzer/output/reuse/ReuseHtmlWords.h"
#include "analyzer/output/reuse/ReuseStyle.h"
#include "analyzer/reuse/CacheOptions.h"
#include "profiler/charts/Page.h"
#include "profiler/charts/Text.h"

#include <fmt/format.h>

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using namespace warpwise::charts;

namespace warpwise::output {

/// More launches than this are reached from the table of launches only.
static constexpr size_t MostInNavigation = 10;

static std::string launchTable(const Array &Launches) {
  std::string Rows;
  size_t Number = 0;
  for (const Value &Each : Launches) {
    const Object *L = Each.getAsObject();
    ++Number;
    if (!L)
      continue;
    append(Rows, R"(<tr><th scope="row"><a href="#launch-{}">{}</a></th>)",
           Number, html(textIn(*L, "kernel")));
    std::string Shape = shape(*L, "grid") + " of " + shape(*L, "block");
    if (const std::optional<int64_t> N = L->getInteger("invocation"))
      append(Shape, ", invocation {}", *N);
    addCell(Rows, "num", "blocks", Shape);
    addCell(Rows, "", "status", badge(*L));
    const bool Has = isModelled(*L);
    const auto cell = [&](const char *Column, const std::string &Text) {
      addCell(Rows, "num", Column, Has ? Text : "");
    };
    cell("L1 loads hit",
         percent(percentIn(*L, "l1_read_hit_rate", "l1_load_sectors")));
    cell("L2 reads hit",
         percent(percentIn(*L, "l2_read_hit_rate", "l2_read_sectors")));
    cell("L2 traffic", traffic(bytesOf(l2Sectors(*L))));
    cell("DRAM traffic", traffic(bytesOf(dramSectors(*L))));
    Rows += "</tr>\n";
  }
  return table("launches",
               {"kernel", "blocks", "status", "L1 loads hit", "L2 reads hit",
                "L2 traffic", "DRAM traffic"},
               "<tbody>" + Rows + "</tbody>");
}

static std::string optionTable(const Object &Document) {
  const Array *All = Document.getArray("options");
  if (!All)
    return "";
  std::map<llvm::StringRef, std::string_view> Help;
  for (const reuse::OptionInfo &Info : reuse::optionInfos())
    Help[llvm::StringRef(Info.Name)] = Info.Help;
  std::string Rows;
  for (const Value &Each : *All)
    if (const Object *O = Each.getAsObject()) {
      const llvm::StringRef Name = textIn(*O, "name");
      append(Rows, R"(<tr><th scope="row">{}</th>)", html(Name));
      addCell(Rows, "text", "value", html(textIn(*O, "value")));
      addCell(Rows, "", "origin",
              fmt::format(R"(<span class="badge">{}</span>)",
                          html(textIn(*O, "origin"))));
      addCell(Rows, "text", "meaning", escape(Help[Name]));
      Rows += "</tr>\n";
    }
  return "<details><summary>All parameters</summary>" +
         table("options", {"parameter", "value", "origin", "meaning"},
               "<tbody>" + Rows + "</tbody>") +
         "</details>\n";
}

std::string reuseHtml(const Object &Document, const advice::SourceText &Source,
                      const std::string &WorkingDirectory) {
  const std::string File =
      shortenPath(textIn(Document, "file").str(), WorkingDirectory);
  Page P;
  P.Title = fmt::format("{} - Warpwise cache model", File);
  P.Heading =
      html(File) + R"( <span class="dim">L1, L2 and DRAM traffic</span>)";
  P.Header = fmt::format(
      R"(<p class="origin">Predicted from the source with the caches of )"
      "profile {}; nothing ran on a GPU.</p>",
      html(textIn(Document, "profile")));
  P.ExtraStyle = ReuseStyle;
  const Array *Launches = Document.getArray("launches");
  if (Launches && Launches->size() > 1)
    P.Sections.push_back(
        {"launches", "Launches", "Launches", "", launchTable(*Launches)});
  LaunchSections Sections(Document, Source, WorkingDirectory);
  size_t Number = 0;
  if (Launches)
    for (const Value &Each : *Launches)
      if (++Number; const Object *L = Each.getAsObject())
        P.Sections.push_back(
            Sections.draw(*L, Number, Launches->size() <= MostInNavigation));
  P.Sections.push_back({"caches", "The caches", "Caches",
                        "Measured: by <code>warpwise profile</code>. Set: on "
                        "the command line.",
                        optionTable(Document)});
  P.Footer =
      "<p>A sector is 32 bytes. L2 reads are those that come from L1. Rates "
      "of stores count the sectors that were already in L1. KiB, MiB: powers "
      "of 1024. Point at any mark for its numbers.</p>";
  return charts::draw(P);
}

} // namespace warpwise::output
