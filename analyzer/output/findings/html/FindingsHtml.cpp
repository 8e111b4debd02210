//===- FindingsHtml.cpp - Findings as one page ----------------------------===//

#include "analyzer/output/findings/html/FindingsHtml.h"

#include "analyzer/advice/Merge.h"
#include "analyzer/advice/Wording.h"
#include "analyzer/output/Html.h"
#include "analyzer/output/Paths.h"
#include "analyzer/output/accesses/AccessJson.h"
#include "analyzer/output/findings/SourcePositions.h"
#include "analyzer/output/findings/Summary.h"
#include "analyzer/output/findings/html/FindingsStyle.h"
#include "analyzer/output/findings/html/LaneDrawing.h"
#include "analyzer/output/findings/html/RewriteLines.h"
#include "profiler/charts/Page.h"
#include "profiler/charts/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace warpwise::charts;

namespace warpwise::output {

using advice::Finding;
using advice::KernelSummary;
using advice::LaunchSummary;

/// Lines of the source before and after the one that is meant.
static constexpr unsigned ContextLines = 3;
/// More shapes of a kernel are only counted.
static constexpr size_t MostShapes = 8;
/// More kernels are reached from the table only.
static constexpr size_t MostInNavigation = 10;

namespace {

/// A kernel and the findings that are told there: a finding of several kernels
/// is told where it wastes most.
struct Chapter {
  std::string Kernel;
  const KernelSummary *Summary = nullptr; ///< null: its file is left out
  std::vector<size_t> Findings;           ///< indices into the report's
};

class FindingsPage {
public:
  explicit FindingsPage(const FindingsReport &Report)
      : Report(Report), Sources(Report.Source) {}

  std::string draw();

private:
  std::vector<Chapter> chapters() const;
  std::string header() const;
  std::string kernelTable(const std::vector<Chapter> &Chapters) const;
  Section chapter(const Chapter &Its, size_t Number, bool InNavigation);
  std::string shapes(const KernelSummary &K) const;
  std::string shapeOrigin(const launch::Shape &S) const;
  std::string finding(const Finding &F, size_t Number);
  std::string source(const access::Place &Where);
  std::string prices(const Finding &F) const;
  std::string notes(const Finding &F) const;
  std::string rewrite(const Finding &F);
  std::string rules() const;
  std::string placeOf(const access::Place &Where) const;

  const FindingsReport &Report;
  ReportSources Sources;
};

} // namespace

std::string FindingsPage::placeOf(const access::Place &Where) const {
  std::string Text = html(shortenPath(Where.File, Report.WorkingDirectory));
  if (Where.Line)
    append(Text, ":{}", Where.Line);
  return Text;
}

std::vector<Chapter> FindingsPage::chapters() const {
  std::vector<Chapter> All;
  std::map<std::string, size_t> ByName;
  for (const KernelSummary *K : rankKernels(Report))
    if (ByName.try_emplace(K->Name, All.size()).second)
      All.push_back({K->Name, K, {}});
  // Those that gain most are told first, whatever the order of the others.
  std::vector<size_t> Order(Report.Findings.size());
  for (size_t N = 0; N != Order.size(); ++N)
    Order[N] = N;
  const auto Rank = [&](size_t N) {
    const Finding &F = Report.Findings[N];
    return std::tuple(-(F.Faster ? F.Faster->Factor : 1),
                      -advice::totalExtraCycles(F), N);
  };
  llvm::sort(Order, [&](size_t A, size_t B) { return Rank(A) < Rank(B); });
  for (const size_t N : Order) {
    const Finding &F = Report.Findings[N];
    size_t At = All.size();
    for (const std::string &Name : F.FoundIn)
      if (const auto Known = ByName.find(Name); Known != ByName.end())
        At = std::min(At, Known->second);
    if (At == All.size()) {
      const auto [Known, IsNew] = ByName.try_emplace(F.Kernel, All.size());
      if (IsNew)
        All.push_back({F.Kernel, nullptr, {}});
      At = Known->second;
    }
    All[At].Findings.push_back(N);
  }
  return All;
}

std::string FindingsPage::header() const {
  std::string Out = fmt::format(
      R"(<p class="origin">Predicted from the source for {}, with the profile )"
      "{}: {}. Nothing ran on a GPU. Warpwise {}.</p>",
      html(Report.Gpu), html(Report.Profile), html(Report.Origin),
      html(Report.Version));
  std::string Figures;
  const auto Add = [&](std::string_view Name, const std::string &Value,
                       const std::string &More) {
    append(Figures, "<div><dt>{}</dt><dd>{}{}</dd></div>", Name, Value,
           More.empty() ? "" : "<i>" + More + "</i>");
  };
  const auto Ranked = rankKernels(Report);
  Add("findings", number(double(Report.Findings.size())),
      Report.Suppressed
          ? fmt::format("{} more silenced by NOLINT", Report.Suppressed)
          : "");
  Add("kernels with findings", number(double(Ranked.size())),
      fmt::format("of {} that were judged", Report.Kernels.size()));
  if (!Ranked.empty() && !Ranked.front()->BoundBy.empty())
    Add("most wasted in one kernel",
        fmt::format("{:.0f} <small>% of its time</small>",
                    100 * Ranked.front()->Wasted),
        html(shortName(Ranked.front()->Name)));
  const size_t Fixes =
      size_t(llvm::count_if(Report.Findings, [](const Finding &F) {
        return F.Fix && F.Fix->isOffered();
      }));
  Add("rewrites that were verified", number(double(Fixes)),
      "<code>warpwise check --fix</code>");
  if (!Report.Errors.empty())
    Add("not analysed", number(double(Report.Errors.size())),
        R"(<a href="#missing">what and why</a>)");
  return Out + fmt::format(R"(<dl class="facts">{}</dl>)", Figures);
}

static std::string gauge(double Share) {
  return fmt::format(
      R"(<span class="gauge" aria-hidden="true"><i class="over" )"
      R"(style="width:{:.1f}%"></i></span>{:.0f} %)",
      100 * std::clamp(Share, 0.0, 1.0), 100 * Share);
}

std::string
FindingsPage::kernelTable(const std::vector<Chapter> &Chapters) const {
  // Where a kernel's findings are told: in its own chapter, or in that of
  // another instance of the template.
  std::map<std::string, size_t> Told;
  for (size_t N = 0; N != Chapters.size(); ++N)
    for (const size_t F : Chapters[N].Findings)
      for (const std::string &Name : Report.Findings[F].FoundIn)
        Told.try_emplace(Name, N + 1);
  std::string Rows;
  for (const Chapter &Its : Chapters) {
    const auto Link = Told.find(Its.Kernel);
    append(Rows, R"(<tr><th scope="row"><a href="#kernel-{}">{}</a></th>)",
           Link == Told.end() ? size_t(&Its - Chapters.data()) + 1
                              : Link->second,
           html(kernelName(Its.Kernel)));
    const KernelSummary *K = Its.Summary;
    const bool HasPrice = K && !K->BoundBy.empty();
    addCell(Rows, "num", "time",
            HasPrice && K->IsWhole ? timeText(K->Nanoseconds) : "");
    addCell(Rows, "", "bound by", HasPrice ? html(K->BoundBy) : "");
    addCell(Rows, "num", "wasted", HasPrice ? gauge(K->Wasted) : "");
    addCell(Rows, "num", "findings",
            std::to_string(K ? findingsIn(*K, Report) : Its.Findings.size()));
    Rows += "</tr>\n";
  }
  return table("kernels", {"kernel", "time", "bound by", "wasted", "findings"},
               "<tbody>" + Rows + "</tbody>");
}

static std::string dimText(const launch::Dim3 &Dim) {
  return fmt::format("{}&times;{}&times;{}", Dim[0], Dim[1], Dim[2]);
}

std::string FindingsPage::shapeOrigin(const launch::Shape &S) const {
  switch (S.Source) {
  case launch::ShapeSource::Launch:
    return (S.At.isKnown() ? placeOf(S.At) : std::string("a launch")) +
           (S.When.empty()    ? ""
            : S.isOtherwise() ? std::string(", otherwise")
                              : ", when <code>" + html(S.When) + "</code>");
  case launch::ShapeSource::Bounds:
    return "<code>__launch_bounds__</code>";
  case launch::ShapeSource::Option:
    return "<code>--block</code>";
  case launch::ShapeSource::Assumed:
    return "assumed: no launch is known";
  }
  return "";
}

/// The launches, those first in which most time is wasted.
std::string FindingsPage::shapes(const KernelSummary &K) const {
  std::vector<const LaunchSummary *> Sorted;
  for (const LaunchSummary &L : K.Shapes)
    Sorted.push_back(&L);
  const auto Rank = [](const LaunchSummary *L) {
    return std::pair(-L->Wasted * L->Nanoseconds, L);
  };
  llvm::sort(Sorted,
             [&](const auto *A, const auto *B) { return Rank(A) < Rank(B); });
  std::string Rows;
  for (const LaunchSummary *L : llvm::ArrayRef(Sorted).take_front(MostShapes)) {
    append(Rows, R"(<tr><th scope="row">{}</th>)", dimText(L->Shape.Block));
    addCell(Rows, "num", "grid",
            L->Shape.Grid ? dimText(*L->Shape.Grid) : "not known");
    addCell(Rows, "num", "dynamic shared",
            L->Shape.DynamicSharedBytes
                ? charts::bytes(double(L->Shape.DynamicSharedBytes))
                : "");
    addCell(Rows, "", "from", shapeOrigin(L->Shape));
    const bool HasPrice = !L->BoundBy.empty();
    addCell(Rows, "num", "time",
            HasPrice && L->IsWhole ? timeText(L->Nanoseconds) : "");
    addCell(Rows, "num", "wasted", HasPrice ? gauge(L->Wasted) : "");
    Rows += "</tr>\n";
  }
  if (Rows.empty())
    return "";
  std::string Out = table(
      "shapes", {"block", "grid", "dynamic shared", "from", "time", "wasted"},
      "<tbody>" + Rows + "</tbody>");
  if (Sorted.size() > MostShapes)
    append(Out, R"(<p class="dim">and {} more shapes</p>)",
           Sorted.size() - MostShapes);
  return Out;
}

static bool isWordByte(char C) { return llvm::isAlnum(C) || C == '_'; }

/// A line as it can be shown, with the word at \p Column marked, if there is
/// one.
static std::string codeLine(llvm::StringRef Line, unsigned Column) {
  const LineExcerpt Part = excerptOf(Line, Column);
  const std::string Before = Part.IsCutBefore ? "&hellip; " : "";
  const std::string After = Part.IsCutAfter ? " &hellip;" : "";
  llvm::StringRef Word = Part.Text.substr(Part.At).take_while(isWordByte);
  if (Word.empty())
    Word = Part.Text.substr(Part.At, 1);
  // No part of a character.
  if (Column == 0 || Word.empty() || !llvm::isPrint(Word.front()))
    return Before + html(Part.Text) + After;
  return fmt::format("{}{}<b>{}</b>{}{}", Before,
                     html(Part.Text.take_front(Part.At)), html(Word),
                     html(Part.Text.substr(Part.At + Word.size())), After);
}

static void addLine(std::string &Out, std::string_view Class, unsigned Number,
                    const std::string &Html) {
  append(Out, R"(<span class="{}" data-line="{}">{}</span>)", Class, Number,
         Html.empty() ? "&nbsp;" : Html);
}

std::string FindingsPage::source(const access::Place &Where) {
  const SourcePositions &In = Sources.of(Where.File);
  if (Where.Line == 0 || Where.Line > In.lines())
    return "";
  std::string Lines;
  const unsigned First =
      Where.Line > ContextLines ? Where.Line - ContextLines : 1;
  const unsigned Last = std::min(In.lines(), Where.Line + ContextLines);
  for (unsigned N = First; N <= Last; ++N)
    addLine(Lines, N == Where.Line ? "found" : "", N,
            codeLine(In.line(N), N == Where.Line ? Where.Column : 0));
  return "<pre>" + Lines + "</pre>\n";
}

/// A bar with its name and value.
static void addBar(std::string &Out, std::string_view Name,
                   std::string_view Class, double Share,
                   const std::string &Value) {
  append(Out,
         R"(<dt>{}</dt><dd><i class="{}" style="width:{:.2f}%"></i></dd>)"
         "<dd>{}</dd>",
         Name, Class, 100 * std::clamp(Share, 0.0, 1.0), Value);
}

static std::string interval(double Low, double High, std::string_view Unit) {
  if (fmt::format("{:.3g}", Low) == fmt::format("{:.3g}", High))
    return fmt::format("{:.3g}{}", Low, Unit);
  return fmt::format("{:.3g}&ndash;{:.3g}{}", Low, High, Unit);
}

std::string FindingsPage::prices(const Finding &F) const {
  std::string Out;
  if (F.PerRequest && F.PerRequest->Actual > 0) {
    const advice::Need &N = *F.PerRequest;
    const double Most = std::max({N.Actual, N.Ideal, N.High});
    std::string Bars;
    addBar(Bars, "as it is", "now", N.Actual / Most,
           fmt::format("{:.3g}{}", N.Actual,
                       N.Low == N.High
                           ? ""
                           : " [" + interval(N.Low, N.High, "") + "]"));
    addBar(Bars, "at best", "after", N.Ideal / Most,
           fmt::format("{:.3g}", N.Ideal));
    append(Out,
           R"(<div><h4>{} per request of a warp</h4><dl class="flow">)"
           "{}</dl></div>",
           html(N.Unit), Bars);
  }
  if (F.Faster) {
    const price::Gain &G = *F.Faster;
    std::string Bars;
    const auto Value = [&](double Share) {
      return G.Microseconds ? timeText(1000 * *G.Microseconds * Share)
                            : fmt::format("{:.0f} %", 100 * Share);
    };
    addBar(Bars, "as it is", "now", 1, Value(1));
    addBar(Bars, "repaired", "after", 1 / G.Factor, Value(1 / G.Factor));
    addBar(Bars, "faster", "none", 0,
           fmt::format("{:.2f}x [{:.2f}, {:.2f}]", G.Factor, G.Low, G.High));
    append(Out, R"(<div><h4>{}</h4><dl class="flow">{}</dl></div>)",
           G.FillsGpu ? "time of a launch that fills the GPU"
                      : "time of the kernel",
           Bars);
  }
  return Out.empty() ? ""
                     : fmt::format(R"(<div class="prices">{}</div>)"
                                   "\n",
                                   Out);
}

/// The reason and the evidence; the remedy has a place of its own.
std::string FindingsPage::notes(const Finding &F) const {
  Finding Facts = F;
  Facts.Remedy.clear();
  Facts.Also.clear();
  std::string Items;
  for (const advice::Note &N :
       advice::explanation(Facts, {/*Evidence=*/true, false, Report.Gpu})) {
    append(Items, "<li>{}", html(N.Message));
    if (!N.Where.File.empty() && N.Where != F.Where)
      append(Items, R"( <span class="at">{}</span>)", placeOf(N.Where));
    Items += "</li>";
  }
  for (const advice::AffectedAccess &S : F.Also)
    append(Items, R"(<li>the same at <span class="at">{}</span></li>)",
           placeOf(S.Where));
  return Items.empty() ? ""
                       : fmt::format(R"(<ul class="said">{}</ul>)"
                                     "\n",
                                     Items);
}

/// Lines of a text, numbered from \p First.
static void addLines(std::string &Out, std::string_view Class, unsigned First,
                     llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef> Lines;
  Text.split(Lines, '\n');
  for (const llvm::StringRef Line : Lines)
    addLine(Out, Class, First++, codeLine(Line.rtrim('\r'), 0));
}

std::string FindingsPage::rewrite(const Finding &F) {
  if (!F.Fix)
    return "";
  if (!F.Fix->isOffered())
    return F.Fix->Withheld.empty()
               ? ""
               : fmt::format(R"(<p class="at">No rewrite, which would {}: )"
                             "{}.</p>",
                             html(F.Fix->Title), html(F.Fix->Withheld));
  std::string Out = fmt::format(R"(<p class="at">A rewrite would {}: {}.</p>)",
                                html(F.Fix->Title), html(F.Fix->Verified));
  std::string Lines;
  for (const ChangedLines &C : changedLines(*F.Fix, Sources)) {
    addLines(Lines, "old", C.Line, C.Before);
    addLines(Lines, "new", C.Line, C.After);
  }
  if (!Lines.empty())
    append(Out, "<pre>{}</pre>\n", Lines);
  return Out;
}

std::string FindingsPage::finding(const Finding &F, size_t Number) {
  std::string Out =
      fmt::format(R"(<article id="finding-{}"><h3>{}</h3><p class="at">{}{} )"
                  "&middot; <code>{}</code> &middot; {}</p>\n",
                  Number, html(F.Message), placeOf(F.Where),
                  F.Where.Column ? fmt::format(":{}", F.Where.Column) : "",
                  html(F.Rule), nameOf(F.State).str());
  if (F.Level == advice::Severity::Remark)
    Out += R"(<p class="at">a remark: the source alone cannot settle it</p>)";
  if (F.Faster)
    append(Out, R"(<p class="at">{}</p>)", html(advice::stateGain(F)));
  Out += source(F.Where);
  if (F.Worst)
    Out += drawRequest(*F.Worst, Report.Law);
  Out += prices(F);
  Out += notes(F);
  if (!F.Remedy.empty())
    append(Out,
           R"(<p class="remedy"><b>What to do:</b> {}</p>)"
           "\n",
           html(F.Remedy));
  Out += rewrite(F);
  return Out + "</article>\n";
}

Section FindingsPage::chapter(const Chapter &Its, size_t Number,
                              bool InNavigation) {
  Section S;
  S.Id = fmt::format("kernel-{}", Number);
  S.Title = llvm::json::fixUTF8(Its.Kernel);
  if (InNavigation)
    S.Nav = shortName(S.Title);
  if (const KernelSummary *K = Its.Summary) {
    S.Lead = placeOf(K->Where);
    if (!K->BoundBy.empty()) {
      if (K->IsWhole)
        append(S.Lead, " &middot; takes about {}, of which {:.0f} % is wasted",
               timeText(K->Nanoseconds), 100 * K->Wasted);
      else
        append(S.Lead, " &middot; {:.0f} % of its time is wasted",
               100 * K->Wasted);
      append(S.Lead, " &middot; bound by {}", html(K->BoundBy));
    }
    S.Body += shapes(*K);
  }
  for (const size_t N : Its.Findings)
    S.Body += finding(Report.Findings[N], N + 1);
  return S;
}

std::string FindingsPage::rules() const {
  std::set<std::string> Used;
  for (const Finding &F : Report.Findings)
    Used.insert(F.Rule);
  std::string Out;
  for (const RuleText &R : Report.Rules)
    if (Used.count(R.Name))
      append(Out,
             "<details><summary><code>{}</code>: {}</summary>"
             R"(<pre class="page">{}</pre></details>)"
             "\n",
             html(R.Name), html(R.Summary), html(R.Page));
  return Out;
}

std::string FindingsPage::draw() {
  Page P;
  P.Title = fmt::format("{} finding{} - Warpwise", Report.Findings.size(),
                        Report.Findings.size() == 1 ? "" : "s");
  P.Heading = "Wasted memory accesses";
  P.Header = header();
  P.ExtraStyle = FindingsStyle;
  const std::vector<Chapter> Chapters = chapters();
  if (Chapters.empty())
    P.Sections.push_back(
        {"kernels", "Nothing to report", "", "",
         R"(<p>No access of the kernels wastes enough to be worth a change.</p>)"});
  else
    P.Sections.push_back(
        {"kernels", "Kernels", "Kernels",
         "Those that waste most come first. Times are of the launch in which "
         "most is lost; wasted is what following all advice would save.",
         kernelTable(Chapters)});
  for (size_t N = 0; N != Chapters.size(); ++N)
    if (!Chapters[N].Findings.empty())
      P.Sections.push_back(
          chapter(Chapters[N], N + 1, Chapters.size() <= MostInNavigation));
  if (!Report.Errors.empty()) {
    std::string Items;
    for (const std::string &Error : Report.Errors)
      append(Items, "<li>{}</li>", html(Error));
    P.Sections.push_back({"missing", "Not analysed", "Not analysed", "",
                          R"(<ul class="said missing">)" + Items + "</ul>"});
  }
  if (const std::string Rules = rules(); !Rules.empty())
    P.Sections.push_back({"rules", "The rules", "Rules",
                          "What each says, costs and asks for.",
                          R"(<div class="rules">)" + Rules + "</div>"});
  P.Footer = "<p>A request is one load, store or atomic of a warp of 32 lanes. "
             "Intervals hold what the analysis and the profile leave open. A "
             "prediction is about addresses: measure before and after.</p>";
  return charts::draw(P);
}

void writeFindingsAsHtml(const FindingsReport &Report, llvm::raw_ostream &Out) {
  Out << FindingsPage(Report).draw();
}

} // namespace warpwise::output
