//===- PlotTables.cpp - The tables of the page ----------------------------===//

#include "profiler/tool/reports/PlotTables.h"

#include "profiler/charts/Page.h"
#include "profiler/charts/Text.h"
#include "profiler/profile/Paths.h"
#include "profiler/tool/reports/ReportText.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

using namespace warpwise;
using namespace warpwise::charts;
using namespace warpwise::reports;
using profile::Profile;
using profile::Quantity;
using profile::Status;

namespace {

/// What the statements of a family are about, for a reader who does not know
/// the ids.
std::string_view family(std::string_view Id) {
  switch (Id.empty() ? '?' : Id.front()) {
  case 'L':
    return "local memory and registers";
  case 'S':
    return "shared memory";
  case 'C':
    return "constant memory";
  case 'G':
    return "global memory";
  case 'T':
    return "texture memory";
  default:
    return "";
  }
}

//===----------------------------------------------------------------------===//
// Quantities
//===----------------------------------------------------------------------===//

/// The value as a reader wants it; bytes keep the exact number in a tooltip.
std::string valueHtml(const Quantity &Q) {
  if (!Q.Word.empty())
    return escape(Q.Word);
  if (!Q.Value)
    return "&ndash;";
  if (Q.Unit == "B" && *Q.Value >= 1024)
    return fmt::format(R"(<span title="{} B">{}</span>)", number(*Q.Value),
                       bytes(*Q.Value));
  return escape(withUnit(*Q.Value, Q.Unit));
}

std::string intervalHtml(const Quantity &Q) {
  std::string Out;
  if (Q.Ci95) {
    const auto &[Low, High] = *Q.Ci95;
    Out = Q.Unit == "B"
              ? fmt::format("{} &ndash; {}", bytes(Low), bytes(High))
              : fmt::format("{} &ndash; {}", number(Low), number(High));
  }
  if (Q.N)
    append(Out, R"( <span class="dim">n={}</span>)", *Q.N);
  return Out;
}

std::string statusHtml(const Quantity &Q) {
  const bool Bad =
      Q.State == Status::NotConverged || Q.State == Status::NotMeasurable;
  return fmt::format(R"(<span class="badge{}">{}</span>)", Bad ? " warn" : "",
                     profile::statusName(Q.State));
}

std::string methodHtml(const Profile &P, const Quantity &Q) {
  std::string Out = escape(Q.Method);
  // The clock is worth a word where it was another one.
  const double Usual = P.value(paths::device_clock).value_or(0);
  if (Q.Mhz && std::fabs(*Q.Mhz - Usual) > 0.005 * Usual)
    append(Out, R"( <span class="dim">at {} MHz</span>)", number(*Q.Mhz));
  if (Q.Second)
    append(Out, R"(<div class="{}"><b>{} {}</b> {}</div>)",
           Q.Second->Agrees ? "second" : "second differs",
           Q.Second->Agrees ? "agrees:" : "disagrees:",
           escape(withUnit(Q.Second->Value, Q.Unit)), escape(Q.Second->Method));
  return Out;
}

/// What the literature says about the same path.
std::string publishedHtml(const std::string &Path, const Quantity &Q,
                          const Profile &P,
                          const std::vector<Profile> &Literature) {
  std::string Out;
  for (const Profile &L : Literature) {
    const Quantity *Other = L.Name == P.Name ? nullptr : L.find(Path);
    if (Other && Other->Unit == Q.Unit &&
        (Other->Value || !Other->Word.empty()))
      append(Out, R"(<div title="{}">{} <span class="dim">{}</span></div>)",
             escape(Other->Method), valueHtml(*Other), escape(L.Gpu));
  }
  return Out;
}

/// "validation.PROBE" when the path is a part of a probe.
std::string_view probeOf(const Profile &P, std::string_view Path) {
  if (sectionOf(Path) != "validation")
    return "";
  const std::string_view Parent = parentOf(Path), Leaf = leafOf(Path);
  const bool Part =
      Leaf == "predicted" || Leaf == "measured" || Leaf == "error";
  return Part && P.find(std::string(Parent) + ".predicted")
             ? Parent
             : std::string_view();
}

/// The sections of the profile: known ones first.
std::vector<std::string> sectionsOf(const Profile &P) {
  std::vector<std::string> Out = {"device",    "levels",       "warp",
                                  "bandwidth", "local_arrays", "concurrency",
                                  "topology",  "hopper"};
  for (const auto &[Path, Q] : P.Quantities)
    if (std::find(Out.begin(), Out.end(), sectionOf(Path)) == Out.end())
      Out.emplace_back(sectionOf(Path));
  return Out;
}

/// The paths of a section that are no probes, in a reader's order.
std::vector<std::string> pathsIn(const Profile &P, std::string_view Section) {
  std::vector<std::string> Out;
  for (const auto &[Path, Q] : P.Quantities)
    if (sectionOf(Path) == Section && probeOf(P, Path).empty())
      Out.push_back(Path);
  std::sort(Out.begin(), Out.end(), naturallyLess);
  return Out;
}

std::string quantityRow(const std::string &Path, std::string_view Shown,
                        const Quantity &Q, const Profile &P,
                        const std::vector<Profile> &Literature) {
  std::string Out = "<tr>";
  append(Out, R"(<th scope="row" title="{}">{}</th>)", escape(Path),
         escape(Shown));
  addCell(Out, "num", "value", valueHtml(Q));
  addCell(Out, "num", "95 % interval", intervalHtml(Q));
  addCell(Out, "", "status", statusHtml(Q));
  addCell(Out, "num lit", "literature", publishedHtml(Path, Q, P, Literature));
  addCell(Out, "text", "method", methodHtml(P, Q));
  return Out + "</tr>\n";
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

std::string validationRow(const Profile &P, std::string_view Probe) {
  const auto Part = [&](std::string_view Leaf) {
    return P.find(fmt::format("{}.{}", Probe, Leaf));
  };
  std::string Out = "<tr>";
  const std::string_view Name = Probe.substr(
      std::min<size_t>(Probe.size(), std::string_view("validation.").size()));
  append(Out, R"(<th scope="row">{}</th>)", escape(Name));
  const Quantity *Predicted = Part("predicted"), *Measured = Part("measured"),
                 *Error = Part("error");
  addCell(Out, "num", "predicted", Predicted ? valueHtml(*Predicted) : "");
  addCell(Out, "num", "measured", Measured ? valueHtml(*Measured) : "");
  std::string Bar;
  if (Error && Error->Value && std::isfinite(*Error->Value)) {
    const double Percent = std::fabs(*Error->Value) * 100;
    // 10 % fills the bar.
    Bar = fmt::format(R"(<span class="gauge" aria-hidden="true"><i )"
                      R"(class="{}" style="width:{:.0f}%"></i></span>)"
                      "{:.2f} %",
                      Percent > 5 ? "over" : "", std::min(100.0, Percent * 10),
                      Percent);
  }
  addCell(Out, "num", "error", Bar);
  addCell(Out, "text", "method", Measured ? escape(Measured->Method) : "");
  return Out + "</tr>\n";
}

} // namespace

std::string reports::quantityTable(const Profile &P,
                                   const std::vector<Profile> &Literature) {
  std::string Rows;
  for (const std::string &Section : sectionsOf(P)) {
    std::string Group;
    for (const std::string &Path : pathsIn(P, Section)) {
      const std::string_view Shown =
          Path.size() > Section.size() + 1
              ? std::string_view(Path).substr(Section.size() + 1)
              : std::string_view(Path);
      Group += quantityRow(Path, Shown, *P.find(Path), P, Literature);
    }
    if (!Group.empty())
      append(
          Rows,
          R"(<tbody><tr class="group"><th colspan="6">{}</th></tr>{}</tbody>)",
          escape(titleOf(Section)), Group);
  }
  if (Rows.empty())
    return "";
  return table("quantities",
               {"quantity", "value", "95 % interval", "status", "literature",
                "method and second opinion"},
               Rows);
}

std::string reports::guidelineTable(const Profile &P) {
  std::string Rows;
  for (const auto &[Id, G] : P.Guidelines) {
    constexpr std::string_view Marks[] = {"good", "bad", ""};
    append(Rows, R"(<tr><th scope="row">{} <span class="dim">{}</span></th>)",
           escape(Id), family(Id));
    std::string Verdict(profile::verdictName(G.Says));
    std::replace(Verdict.begin(), Verdict.end(), '-', ' ');
    addCell(Rows, "", "verdict",
            fmt::format(R"(<span class="badge {}">{}</span>)",
                        Marks[size_t(G.Says)], Verdict));
    addCell(Rows, "num", "effect",
            G.Effect ? number(*G.Effect) + "&times;" : "");
    addCell(Rows, "text", "evidence", escape(G.Evidence));
    Rows += "</tr>\n";
  }
  if (Rows.empty())
    return "";
  return table("guidelines", {"guideline", "verdict", "effect", "evidence"},
               "<tbody>" + Rows + "</tbody>");
}

std::string reports::validationTable(const Profile &P) {
  std::set<std::string_view> Probes;
  for (const auto &[Path, Q] : P.Quantities)
    if (std::string_view Probe = probeOf(P, Path); !Probe.empty())
      Probes.insert(Probe);
  std::string Rows;
  for (std::string_view Probe : Probes)
    Rows += validationRow(P, Probe);
  if (Rows.empty())
    return "";
  return table("validation",
               {"probe", "predicted", "measured", "error", "method"},
               "<tbody>" + Rows + "</tbody>");
}

std::string reports::environmentTable(const Profile &P) {
  std::string Rows;
  for (const auto &[Key, Text] : P.Environment)
    append(Rows, "<div><dt>{}</dt><dd>{}</dd></div>",
           escape(sentence(wordsOf(Key))), escape(Text));
  return Rows.empty() ? "" : "<dl class=\"environment\">" + Rows + "</dl>\n";
}
