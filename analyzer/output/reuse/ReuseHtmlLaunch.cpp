//===- ReuseHtmlLaunch.cpp - One launch on the cache model's page ---------===//

#include "analyzer/output/reuse/ReuseHtmlLaunch.h"

#include "analyzer/output/Paths.h"
#include "analyzer/output/reuse/ReuseHtmlWords.h"
#include "profiler/charts/Text.h"

#include <fmt/format.h>

#include <algorithm>

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using namespace warpwise::charts;

namespace warpwise::output {

/// As many lines of the source as are shown of a launch.
static constexpr size_t MostLines = 12;

/// What a line of the source does, all columns together.
struct LaunchSections::Line {
  std::string File;
  unsigned Line = 0;
  double Requests = 0, L1 = 0, L2 = 0, Dram = 0; ///< sectors
  double LoadSectors = 0, LoadHits = 0;
};

static std::string facts(const Object &Launch) {
  std::string Figures;
  const auto add = [&](std::string_view Name, const std::string &Value,
                       const std::string &More) {
    // "12.5 MiB": the number large, the unit small.
    const size_t Space = Value.find(' ');
    append(Figures, "<div><dt>{}</dt><dd>{}", Name, Value.substr(0, Space));
    if (Space != Value.npos)
      append(Figures, " <small>{}</small>", Value.substr(Space + 1));
    if (!More.empty())
      append(Figures, "<i>{}</i>", More);
    Figures += "</dd></div>";
  };
  const double L1 = l1Sectors(Launch);
  const auto share = [&](double Sectors) {
    return L1 > 0 ? fmt::format("{:.3g} % of what warps ask for",
                                100 * Sectors / L1)
                  : std::string();
  };
  add("L1 load hits",
      percent(percentIn(Launch, "l1_read_hit_rate", "l1_load_sectors")), "");
  add("L2 read hits",
      percent(percentIn(Launch, "l2_read_hit_rate", "l2_read_sectors")), "");
  add("asked of L1", traffic(bytesOf(L1)),
      fmt::format("{} sectors", count(L1)));
  add("asked of L2", traffic(bytesOf(l2Sectors(Launch))),
      share(l2Sectors(Launch)));
  add("DRAM", traffic(bytesOf(dramSectors(Launch))),
      share(dramSectors(Launch)));
  return fmt::format(R"(<dl class="facts">{}</dl>)", Figures);
}

static std::string levels(const Object &Launch) {
  struct Row {
    const char *Name, *Rate, *Sectors;
  };
  constexpr Row Rows[] = {
      {"L1 loads", "l1_read_hit_rate", "l1_load_sectors"},
      {"L1 stores", "l1_store_hit_rate", "l1_store_sectors"},
      {"local loads, of those", nullptr, "local_load_sectors"},
      {"local stores, of those", nullptr, "local_store_sectors"},
      {"atomics", nullptr, "atomic_sectors"},
      {"L2 reads", "l2_read_hit_rate", "l2_read_sectors"},
      {"L2 writes", nullptr, "l2_write_sectors"},
      {"DRAM reads", nullptr, "dram_read_sectors"},
      {"DRAM writes", nullptr, "dram_write_sectors"},
  };
  double Most = 0;
  for (const Row &Each : Rows)
    Most = std::max(Most, numberIn(Launch, Each.Sectors));
  std::string Body;
  for (const Row &Each : Rows) {
    const double Sectors = numberIn(Launch, Each.Sectors);
    if (Sectors == 0 && !llvm::StringRef(Each.Name).starts_with("L1 l") &&
        !llvm::StringRef(Each.Name).starts_with("DRAM"))
      continue;
    append(Body, R"(<tr><th scope="row">{}</th>)", Each.Name);
    addCell(Body, "num", "hits",
            Each.Rate ? percent(percentIn(Launch, Each.Rate, Each.Sectors))
                      : "");
    addCell(Body, "num", "sectors", count(Sectors));
    addCell(Body, "num", "bytes", traffic(bytesOf(Sectors)));
    addCell(Body, "num", "share",
            fmt::format(R"(<span class="gauge" aria-hidden="true">)"
                        R"(<i style="width:{:.1f}%"></i></span>)",
                        Most > 0 ? 100 * Sectors / Most : 0));
    Body += "</tr>\n";
  }
  return "<h4>Traffic</h4>" + table("levels",
                                    {"", "hits", "sectors", "bytes", ""},
                                    "<tbody>" + Body + "</tbody>");
}

LaunchSections::LaunchSections(const Object &Document,
                               const advice::SourceText &Source,
                               const std::string &WorkingDirectory)
    : Source(Source), Folder(WorkingDirectory) {
  if (const Array *All = Document.getArray("options"))
    for (const Value &Each : *All)
      if (const Object *O = Each.getAsObject())
        Options[textIn(*O, "name").str()] = textIn(*O, "value").str();
  if (const Array *All = Document.getArray("explored"))
    for (const Value &Each : *All)
      if (const Object *O = Each.getAsObject()) {
        ExploredAxis &A = Axes.emplace_back();
        A.Name = textIn(*O, "name").str();
        if (const Array *Values = O->getArray("values"))
          for (const Value &One : *Values)
            A.Values.push_back(One.getAsString().value_or("").str());
      }
}

std::string LaunchSections::placeOf(llvm::StringRef Path) const {
  return html(shortenPath(Path.str(), Folder));
}

llvm::StringRef LaunchSections::sourceLine(const std::string &File,
                                           unsigned Line) {
  const auto [At, New] = Texts.try_emplace(File);
  if (New && Source)
    At->second = Source(File).value_or("");
  llvm::StringRef Rest = At->second, Text;
  for (; Line != 0; --Line)
    std::tie(Text, Rest) = Rest.split('\n');
  return Text.trim();
}

std::vector<LaunchSections::Line>
LaunchSections::linesOf(const Object &Launch) {
  std::map<std::pair<std::string, unsigned>, Line> ByPlace;
  if (const Array *Sites = Launch.getArray("sites"))
    for (const Value &Each : *Sites)
      if (const Object *S = Each.getAsObject()) {
        const std::pair Place = {textIn(*S, "file").str(),
                                 unsigned(numberIn(*S, "line"))};
        Line &L = ByPlace[Place];
        std::tie(L.File, L.Line) = Place;
        L.Requests += numberIn(*S, "load_requests") +
                      numberIn(*S, "store_requests") +
                      numberIn(*S, "atomic_requests");
        L.L1 += l1Sectors(*S);
        L.L2 += l2Sectors(*S);
        L.Dram += dramSectors(*S);
        L.LoadSectors += numberIn(*S, "l1_load_sectors");
        L.LoadHits +=
            numberIn(*S, "l1_load_sectors") * numberIn(*S, "l1_read_hit_rate");
      }
  std::vector<Line> Lines;
  for (auto &[Place, L] : ByPlace)
    Lines.push_back(std::move(L));
  std::sort(Lines.begin(), Lines.end(), [](const Line &A, const Line &B) {
    return std::tie(B.L2, B.L1, A.File, A.Line) <
           std::tie(A.L2, A.L1, B.File, B.Line);
  });
  return Lines;
}

std::string LaunchSections::line(const Line &L, double Widest) {
  const double Requests = std::max(1.0, L.Requests);
  std::string Flow;
  const auto add = [&](const char *Name, const char *Class, double Sectors) {
    const double Bytes = bytesOf(Sectors) / Requests;
    append(Flow,
           R"(<dt>{}</dt><dd><i class="{}" style="width:{:.2f}%"></i></dd>)"
           "<dd>{}</dd>",
           Name, Class, Widest > 0 ? std::min(100.0, 100 * Bytes / Widest) : 0,
           traffic(Bytes));
  };
  add("L1", "l1", L.L1);
  add("L2", "l2", L.L2);
  add("DRAM", "dram", L.Dram);
  std::string Hits;
  if (L.LoadSectors > 0)
    Hits = fmt::format(", {:.2f} % of the loads hit",
                       100 * L.LoadHits / L.LoadSectors);
  const llvm::StringRef Text = sourceLine(L.File, L.Line);
  return fmt::format(
      R"(<li><div><code>{}</code><span class="at">{}:{}: {} accesses of )"
      "warps; {} of L1{}, {} of L2, {} of DRAM</span></div>"
      R"(<dl class="flow">{}</dl></li>)",
      html(Text), placeOf(L.File), L.Line, count(L.Requests),
      traffic(bytesOf(L.L1)), Hits, traffic(bytesOf(L.L2)),
      traffic(bytesOf(L.Dram)), Flow);
}

std::string LaunchSections::lines(const Object &Launch) {
  const std::vector<Line> All = linesOf(Launch);
  const size_t Shown = std::min(All.size(), MostLines);
  if (Shown == 0)
    return "";
  double Widest = 0;
  for (size_t I = 0; I != Shown; ++I)
    Widest = std::max(Widest,
                      bytesOf(std::max({All[I].L1, All[I].L2, All[I].Dram})) /
                          std::max(1.0, All[I].Requests));
  std::string Out =
      "<h4>Lines of the source with most traffic below L1</h4>"
      "<p>Bars: bytes that one access of a warp moves at each level, loads, "
      "stores and atomics together. A long L1 bar over a short DRAM bar: the "
      "sectors are "
      "used again.</p><ul class=\"lines\">";
  for (size_t I = 0; I != Shown; ++I)
    Out += line(All[I], Widest);
  Out += "</ul>\n";
  if (All.size() > Shown)
    append(Out, R"(<p class="dim">and {} more lines</p>)", All.size() - Shown);
  return Out;
}

std::string LaunchSections::explored(const Object &Launch) const {
  const Array *Variants = Launch.getArray("variants");
  if (!Variants || Axes.empty())
    return "";
  std::vector<std::string> Names;
  for (const ExploredAxis &A : Axes)
    Names.push_back(html(A.Name));
  std::vector<std::string_view> Columns(Names.begin(), Names.end());
  for (const char *Each : {"L1 loads hit", "L1 stores hit", "L2 reads hit",
                           "L2 traffic", "DRAM traffic"})
    Columns.push_back(Each);
  std::string Rows;
  for (const Value &Each : *Variants) {
    const Object *V = Each.getAsObject();
    const Object *Settings = V ? V->getObject("options") : nullptr;
    if (!Settings)
      continue;
    Rows += "<tr>";
    for (size_t I = 0; I != Axes.size(); ++I)
      addCell(Rows, "num", Names[I], html(textIn(*Settings, Axes[I].Name)));
    if (V->get("reason")) {
      append(Rows, R"(<td colspan="5">{}</td></tr>)",
             html(textIn(*V, "reason")));
      continue;
    }
    const auto rate = [&](const char *Column, const char *Rate,
                          const char *Sectors) {
      addCell(Rows, "num", Column, percent(percentIn(*V, Rate, Sectors)));
    };
    rate("L1 loads hit", "l1_read_hit_rate", "l1_load_sectors");
    rate("L1 stores hit", "l1_store_hit_rate", "l1_store_sectors");
    rate("L2 reads hit", "l2_read_hit_rate", "l2_read_sectors");
    addCell(Rows, "num", "L2 traffic", traffic(bytesOf(l2Sectors(*V))));
    addCell(Rows, "num", "DRAM traffic", traffic(bytesOf(dramSectors(*V))));
    Rows += "</tr>\n";
  }
  return "<h4>Other caches</h4>" + exploreCharts(Launch, Axes) +
         table("explored", Columns, "<tbody>" + Rows + "</tbody>");
}

Section LaunchSections::draw(const Object &Launch, size_t Number,
                             bool InNavigation) {
  Section S;
  S.Id = fmt::format("launch-{}", Number);
  S.Title = llvm::json::fixUTF8(textIn(Launch, "kernel"));
  if (InNavigation)
    S.Nav = shortName(S.Title);
  S.Lead = fmt::format("grid {}, block {}", shape(Launch, "grid"),
                       shape(Launch, "block"));
  if (const std::optional<int64_t> Invocation = Launch.getInteger("invocation"))
    append(S.Lead, ", invocation {}", *Invocation);
  if (const llvm::StringRef At = textIn(Launch, "at"); !At.empty())
    append(S.Lead, ", launched at {}", placeOf(At));
  append(S.Lead, " {}", badge(Launch));
  const auto say = [&](const std::string &Sentence) {
    if (!Sentence.empty())
      append(S.Body, R"(<p class="said">{}</p>)", Sentence);
  };
  say(html(textIn(Launch, "reason")));
  if (isModelled(Launch)) {
    const Object *Sample = Launch.getObject("sampling");
    if (Sample && textIn(Launch, "status") != "partial")
      say(html(textIn(*Sample, "error_class")));
    const double Waves = numberIn(Launch, "waves");
    say(fmt::format("An SM has room for {} blocks at once and {} of L1; the "
                    "launch is {} wave{}.",
                    count(numberIn(Launch, "blocks_per_sm")),
                    traffic(numberIn(Launch, "l1_bytes")), count(Waves),
                    Waves == 1 ? "" : "s"));
  }
  std::string Assumed;
  if (const Array *All = Launch.getArray("assumptions"))
    for (const Value &Each : *All)
      append(Assumed, "<li>assumed: {}</li>",
             html(Each.getAsString().value_or("")));
  if (!Assumed.empty())
    append(S.Body, R"(<ul class="assumed">{}</ul>)", Assumed);
  if (!isModelled(Launch))
    return S;
  S.Body += facts(Launch) + lines(Launch) + levels(Launch);
  if (const std::string Curves = curveCharts(Launch, Options); !Curves.empty())
    S.Body += "<h4>Reuse</h4>" + Curves;
  S.Body += explored(Launch);
  return S;
}

} // namespace warpwise::output
