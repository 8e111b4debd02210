//===- PlotCharts.cpp - From a profile to charts --------------------------===//

#include "profiler/tool/reports/PlotCharts.h"

#include "profiler/charts/Axis.h"
#include "profiler/tool/reports/PlotNames.h"
#include "profiler/tool/reports/ReportText.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace warpwise;
using namespace warpwise::charts;
using namespace warpwise::reports;
using profile::Curve;
using profile::Profile;
using profile::Quantity;

struct ChartBuilder::Line {
  std::string Path;
  const Curve *Of;
};

struct ChartBuilder::Counted {
  double N;
  std::string Path;
  const Quantity *Q;
};

namespace {

/// More lines than this in one chart are a tangle.
constexpr size_t MostLines = 8;
/// Fewer counted quantities than this are no curve.
constexpr size_t LeastCounted = 3;

using Names = std::vector<std::string>;

bool canBeDrawn(const std::array<double, 2> &Point) {
  return plottable(Point[0]) && plottable(Point[1]);
}

Series seriesOf(const Curve &C, std::string Name) {
  Series S;
  S.Name = std::move(Name);
  std::copy_if(C.Points.begin(), C.Points.end(), std::back_inserter(S.Points),
               canBeDrawn);
  std::sort(S.Points.begin(), S.Points.end());
  return S;
}

/// Numbers that name a thing ("SM", "other SM"; not "warps per SM") have no
/// order that a line could follow; and several points above one place are a
/// cloud.
bool isCloud(const Chart &C) {
  constexpr std::string_view Things[] = {"sm",    "smid", "gpc",
                                         "block", "id",   "index"};
  const Names X = wordsOf(C.X.Name);
  if (!X.empty() && !hasWord(C.X.Name, "per") &&
      std::find(std::begin(Things), std::end(Things), X.back()) !=
          std::end(Things))
    return true;
  for (const Series &S : C.Lines) {
    size_t Same = 0;
    for (size_t I = 1; I < S.Points.size(); ++I)
      Same += S.Points[I][0] == S.Points[I - 1][0];
    if (Same * 4 > S.Points.size())
      return true;
  }
  return false;
}

/// Lines that count something stand in that order.
void order(Chart &C) {
  C.Ordered = C.Lines.size() > 2 &&
              std::all_of(C.Lines.begin(), C.Lines.end(),
                          [](const Series &S) { return countIn(S.Name); });
  if (C.Ordered)
    std::sort(C.Lines.begin(), C.Lines.end(),
              [](const Series &A, const Series &B) {
                return std::pair(*countIn(A.Name), A.Name) <
                       std::pair(*countIn(B.Name), B.Name);
              });
}

bool hasInterval(const Quantity &Q) {
  return Q.Ci95 && plottable((*Q.Ci95)[0]) && plottable((*Q.Ci95)[1]);
}

/// 8 for "warp.shared.broadcast.degree_8".
std::optional<double> countAtEnd(std::string_view Path) {
  const size_t Line = Path.rfind('_');
  if (Line == Path.npos || Line < Path.size() - leafOf(Path).size())
    return std::nullopt;
  return digits(Path.substr(Line + 1));
}

} // namespace

ChartBuilder::ChartBuilder(const Profile &P,
                           const std::vector<Profile> &Literature)
    : P(P) {
  for (const Profile &L : Literature)
    if (L.Name != P.Name)
      Sources.push_back(&L);
}

std::vector<Chart> ChartBuilder::curves() const {
  // By path of the parent and by what the axes show.
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Line>>
      Groups;
  for (const auto &[Path, C] : P.Curves)
    if (std::any_of(C.Points.begin(), C.Points.end(), canBeDrawn))
      Groups[{std::string(parentOf(Path)), C.X, C.Y}].push_back({Path, &C});
  std::vector<Chart> Out;
  for (const auto &[Key, Lines] : Groups)
    for (const std::vector<Line> &Part : split(Lines))
      Out.push_back(chartOf(std::get<0>(Key), Part));
  return Out;
}

std::vector<Chart> ChartBuilder::counted() const {
  std::map<std::pair<std::string, std::string>, std::vector<Counted>> Groups;
  for (const auto &[Path, Q] : P.Quantities)
    if (const std::optional<double> N = countAtEnd(Path);
        N && Q.Value && plottable(*Q.Value) && sectionOf(Path) != "validation")
      Groups[{Path.substr(0, Path.rfind('_')), Q.Unit}].push_back(
          {*N, Path, &Q});
  std::vector<Chart> Out;
  for (auto &[Key, Members] : Groups)
    if (Members.size() >= LeastCounted)
      Out.push_back(countedChart(Key.first, Key.second, Members));
  return Out;
}

BarChart ChartBuilder::bars(
    std::string Title, std::string Path, std::string Unit,
    const std::function<std::string(const std::string &)> &NameOf) const {
  BarChart Out;
  Out.Title = std::move(Title);
  Out.Path = std::move(Path);
  Out.Unit = std::move(Unit);
  for (const auto &[At, Q] : P.Quantities) {
    if (!Q.Value || !plottable(*Q.Value) || Q.Unit != Out.Unit)
      continue;
    const std::string Name = NameOf(At);
    if (Name.empty())
      continue;
    Bar B;
    B.Name = Name;
    B.Value = *Q.Value;
    if (hasInterval(Q))
      B.Interval = Q.Ci95;
    B.Tooltip =
        fmt::format("{}: {}; {}", At, withUnit(*Q.Value, Q.Unit), Q.Method);
    B.Marks = marksFor(At, Q.Unit);
    Out.Bars.push_back(std::move(B));
  }
  return Out;
}

/// Splits a crowded group by the first word in which its lines differ, as long
/// as that gathers lines.
std::vector<std::vector<ChartBuilder::Line>>
ChartBuilder::split(const std::vector<Line> &Lines) {
  if (Lines.size() <= MostLines)
    return {Lines};
  size_t Longest = 0;
  for (const Line &L : Lines)
    Longest = std::max(Longest, wordsOf(leafOf(L.Path)).size());
  for (size_t At = 0; At != Longest; ++At) {
    std::map<std::string, std::vector<Line>> Parts;
    for (const Line &L : Lines) {
      const Names Words = wordsOf(leafOf(L.Path));
      Parts[At < Words.size() ? Words[At] : ""].push_back(L);
    }
    if (Parts.size() == 1 || Parts.size() * 2 > Lines.size())
      continue;
    std::vector<std::vector<Line>> Out;
    for (const auto &[Word, Part] : Parts)
      for (std::vector<Line> &Smaller : split(Part))
        Out.push_back(std::move(Smaller));
    return Out;
  }
  return {Lines};
}

/// The literature's values for a quantity.
std::vector<LevelMark> ChartBuilder::marksFor(const std::string &Path,
                                              const std::string &Unit) const {
  std::vector<LevelMark> Out;
  for (size_t I = 0; I != Sources.size(); ++I) {
    const Quantity *Q = Sources[I]->find(Path);
    if (Q && Q->Value && plottable(*Q->Value) && Q->Unit == Unit)
      Out.push_back({*Q->Value,
                     {I, Sources[I]->Gpu},
                     fmt::format("{}, {}: {}", Sources[I]->Gpu, Path,
                                 withUnit(*Q->Value, Unit))});
  }
  return Out;
}

void ChartBuilder::addPublishedCurves(Chart &C, const std::string &Path) const {
  for (size_t I = 0; I != Sources.size(); ++I) {
    const auto At = Sources[I]->Curves.find(Path);
    if (At == Sources[I]->Curves.end() ||
        axisLabel(At->second.X).Unit != C.X.Unit ||
        axisLabel(At->second.Y).Unit != C.Y.Unit)
      continue;
    Series S = seriesOf(At->second, Sources[I]->Gpu);
    S.From = Published{I, Sources[I]->Gpu};
    if (!S.Points.empty())
      C.Lines.push_back(std::move(S));
  }
}

/// "levels.l1.latency_by_footprint" shows levels.l1.latency, whose published
/// value belongs beside it, and levels.l1.capacity is on its axis.
void ChartBuilder::addKnownPlaces(Chart &C, const std::string &Parent,
                                  std::string_view Leaf) const {
  const size_t By = Leaf.find("_by_");
  if (By != Leaf.npos)
    C.Levels =
        marksFor(fmt::format("{}.{}", Parent, Leaf.substr(0, By)), C.Y.Unit);
  // Lines of several set-ups have several capacities.
  if (C.X.Unit != "B" || !hasWord(C.X.Name, "footprint") || C.Lines.size() > 1)
    return;
  if (const std::optional<double> Capacity = P.value(Parent + ".capacity"))
    C.Landmarks.push_back(
        {*Capacity, fmt::format("capacity {}", bytes(*Capacity))});
}

Chart ChartBuilder::chartOf(const std::string &Parent,
                            const std::vector<Line> &Lines) const {
  Chart C;
  C.X = axisLabel(Lines[0].Of->X);
  C.Y = axisLabel(Lines[0].Of->Y);
  C.Path = Lines.size() == 1 ? Lines[0].Path : Parent + ".*";
  std::vector<std::string_view> Leaves;
  std::set<std::string> Methods;
  for (const Line &L : Lines) {
    Leaves.push_back(leafOf(L.Path));
    Methods.insert(L.Of->Method);
    if (L.Of->State == profile::Status::NotConverged)
      C.Badge = profile::statusName(L.Of->State);
  }
  if (Methods.size() == 1)
    C.Method = *Methods.begin();
  const Naming Named = nameLines(Leaves);
  // "warp.shared.broadcast_by_threads" says what is drawn itself.
  C.Title = titleOf(Parent);
  if (!Named.Common.empty() || !hasWord(leafOf(Parent), "by"))
    append(C.Title, "{}{}", C.Title.empty() ? "" : ": ",
           Named.Common.empty() ? C.Y.Name + " by " + C.X.Name : Named.Common);
  for (size_t I = 0; I != Lines.size(); ++I)
    C.Lines.push_back(seriesOf(*Lines[I].Of, Named.Own[I]));
  order(C);
  addKnownPlaces(C, Parent, Leaves.front());
  for (const Line &L : Lines)
    addPublishedCurves(C, L.Path);
  C.Dots = isCloud(C);
  return C;
}

Chart ChartBuilder::countedChart(const std::string &Stem,
                                 const std::string &Unit,
                                 std::vector<Counted> &Members) const {
  std::sort(Members.begin(), Members.end(),
            [](const Counted &A, const Counted &B) { return A.N < B.N; });
  // "capacity_carveout_50": capacity over carveout; "broadcast.degree_8":
  // broadcast over degree.
  Names Words = wordsOf(leafOf(Stem));
  Chart C;
  C.X.Name = Words.empty() ? "number" : Words.back();
  if (!Words.empty())
    Words.pop_back();
  const std::string Parent(parentOf(Stem));
  C.Y = {Words.empty() ? sentence(wordsOf(leafOf(Parent))) : sentence(Words),
         Unit == "1" ? "" : Unit};
  C.Title = Words.empty() ? fmt::format("{} by {}", titleOf(Parent), C.X.Name)
                          : fmt::format("{}: {} by {}", titleOf(Parent),
                                        C.Y.Name, C.X.Name);
  C.Path = Stem + "_*";
  std::set<std::string> Methods;
  Series Own;
  std::map<size_t, Series> Others;
  for (const Counted &M : Members) {
    Own.Points.push_back({M.N, *M.Q->Value});
    Own.Intervals.push_back(hasInterval(*M.Q) ? M.Q->Ci95 : std::nullopt);
    Methods.insert(M.Q->Method);
    for (const LevelMark &L : marksFor(M.Path, M.Q->Unit)) {
      Series &S = Others[L.From.Source];
      S.Name = L.From.Name;
      S.From = L.From;
      S.Points.push_back({M.N, L.At});
    }
  }
  if (Methods.size() == 1)
    C.Method = *Methods.begin();
  C.Lines.push_back(std::move(Own));
  for (auto &[Source, S] : Others)
    C.Lines.push_back(std::move(S));
  return C;
}
