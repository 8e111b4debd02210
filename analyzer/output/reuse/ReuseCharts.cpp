//===- ReuseCharts.cpp - Curves and explored caches as charts -------------===//

#include "analyzer/output/reuse/ReuseCharts.h"

#include "analyzer/reuse/Trace.h"
#include "profiler/charts/Svg.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace warpwise::output {
namespace {

using charts::Bar;
using charts::BarChart;
using charts::Chart;
using charts::Series;

/// More lines than this in a chart are a tangle.
constexpr size_t MostLines = 5;

std::string inCharts(const std::string &Figures) {
  return Figures.empty() ? "" : "<div class=\"charts\">" + Figures + "</div>\n";
}

//===----------------------------------------------------------------------===//
// Reuse distances
//===----------------------------------------------------------------------===//

using Points = std::vector<std::array<double, 2>>;

/// Pairs of numbers.
Points pointsIn(const Object &Of, llvm::StringRef Key) {
  Points Result;
  if (const Array *Pairs = Of.getArray(Key))
    for (const Value &Each : *Pairs)
      if (const Array *Pair = Each.getAsArray(); Pair && Pair->size() == 2)
        Result.push_back({(*Pair)[0].getAsNumber().value_or(0),
                          (*Pair)[1].getAsNumber().value_or(0)});
  return Result;
}

/// Nothing happens on the right of where the last value is reached; \p Least
/// stays inside.
void dropFlatEnd(Points &Of, double Least) {
  while (Of.size() > 2 && Of.back()[1] == Of[Of.size() - 3][1] &&
         Of[Of.size() - 2][0] > Least)
    Of.pop_back();
}

std::string byCapacity(const char *Level, const Object &Curves, double Capacity,
                       const char *Note) {
  Chart C;
  C.Title = fmt::format("{}: hits of loads by capacity", Level);
  C.Method =
      fmt::format("a fully associative cache with LRU replacement{}", Note);
  C.X = {"capacity", "B"};
  C.Y = {"sectors that hit", "%"};
  C.YAtLeast = {0, 100};
  Points Ratios = pointsIn(Curves, "hit_ratio_by_bytes");
  dropFlatEnd(Ratios, 2 * Capacity);
  for (auto &[Bytes, Ratio] : Ratios)
    Ratio *= 100;
  C.Lines.push_back({Level, std::move(Ratios), {}, {}});
  if (Capacity > 0)
    C.Landmarks.push_back(
        {Capacity, fmt::format("it has {}", charts::bytes(Capacity))});
  return charts::drawChart(C);
}

std::string byWays(const char *Level, const Object &Curves, double Ways,
                   const char *Note) {
  Chart C;
  const double Sets = numberIn(Curves, "sets");
  C.Title = fmt::format("{}: hits of loads by ways", Level);
  C.Method = fmt::format("{} sets of tags{}", charts::number(Sets), Note);
  C.X = {"ways", ""};
  C.Y = {"sectors that hit", "%"};
  C.YAtLeast = {0, 100};
  Series S;
  S.Name = Level;
  if (const Array *Ratios = Curves.getArray("hit_ratio_by_ways"))
    for (size_t I = 0; I != Ratios->size(); ++I)
      S.Points.push_back(
          {double(I + 1), 100 * (*Ratios)[I].getAsNumber().value_or(0)});
  C.Lines.push_back(std::move(S));
  if (Ways > 0)
    C.Landmarks.push_back(
        {Ways, fmt::format("it has {}", charts::number(Ways))});
  return charts::drawChart(C);
}

/// The powers of two between which distances lie: "8-15" is number 4.
std::string rangeOf(unsigned Power) {
  if (Power < 2)
    return std::to_string(Power);
  return fmt::format("{}-{}", uint64_t(1) << (Power - 1),
                     (uint64_t(1) << Power) - 1);
}

std::string histogram(const char *Level, const Object &Curves) {
  const Array *Counts = Curves.getArray("histogram");
  if (!Counts)
    return "";
  std::map<unsigned, double> ByPower;
  double Cold = 0, All = 0;
  for (const Value &Each : *Counts) {
    const Array *Pair = Each.getAsArray();
    if (!Pair || Pair->size() != 2)
      continue;
    const double Sectors = (*Pair)[1].getAsNumber().value_or(0);
    All += Sectors;
    if (const std::optional<double> Distance = (*Pair)[0].getAsNumber())
      ByPower[unsigned(std::bit_width(uint64_t(*Distance)))] += Sectors;
    else
      Cold += Sectors;
  }
  if (All <= 0)
    return "";
  BarChart C;
  C.Title = fmt::format("{}: reuse distances", Level);
  C.Unit = "% of the sectors loaded";
  C.Method = "lines that a cache needs room for beside the sector's own, so "
             "that the load hits";
  const auto add = [&](std::string Name, double Sectors) {
    Bar B;
    B.Name = std::move(Name);
    B.Value = 100 * Sectors / All;
    B.Tooltip = fmt::format("{}: {} sectors", B.Name, charts::number(Sectors));
    C.Bars.push_back(std::move(B));
  };
  // Without gaps between the first and the last.
  if (!ByPower.empty())
    for (unsigned Power = ByPower.begin()->first;
         Power <= ByPower.rbegin()->first; ++Power)
      add(rangeOf(Power), ByPower[Power]);
  add("first use", Cold);
  return charts::drawBars(C);
}

//===----------------------------------------------------------------------===//
// Explored caches
//===----------------------------------------------------------------------===//

struct Metric {
  const char *Name, *Unit;
  double (*Of)(const Object &Variant);
};

double l1Hits(const Object &V) { return 100 * numberIn(V, "l1_read_hit_rate"); }
double storeHits(const Object &V) {
  return 100 * numberIn(V, "l1_store_hit_rate");
}
double l2Hits(const Object &V) { return 100 * numberIn(V, "l2_read_hit_rate"); }
double l2Traffic(const Object &V) {
  return bytesOf(numberIn(V, "l2_read_sectors") +
                 numberIn(V, "l2_write_sectors"));
}
double dramTraffic(const Object &V) {
  return bytesOf(numberIn(V, "dram_read_sectors") +
                 numberIn(V, "dram_write_sectors"));
}

/// What each of the others is set to, and the variants with it by the value of
/// the axis.
struct Combination {
  std::string Name;
  std::map<std::string, const Object *> ByValue;
};

/// The charts of one axis.
class AxisCharts {
public:
  AxisCharts(const Array &Variants, const std::vector<ExploredAxis> &Axes,
             const ExploredAxis &Of);

  std::string draw() const;

private:
  const ExploredAxis &Of;
  std::vector<Combination> Combinations;
  std::string Unit;
  bool Numbers = true;

  std::string lines(const std::string &What,
                    const std::vector<Metric> &Metrics) const;
  std::string bars(const Metric &M) const;
  Series seriesOf(const Metric &M, const Combination &C) const;
  Series meanOf(const Metric &M) const;
  std::optional<std::array<double, 3>> meanAt(const Metric &M,
                                              const std::string &At) const;
};

AxisCharts::AxisCharts(const Array &Variants,
                       const std::vector<ExploredAxis> &Axes,
                       const ExploredAxis &Of)
    : Of(Of) {
  for (const std::string &Each : Of.Values)
    Numbers &= valueOf(Each).has_value();
  const llvm::StringRef Name = Of.Name;
  for (const char *End : {"capacity", "unified", "line", "fill", "shared"})
    if (Name.ends_with(End))
      Unit = "B";
  for (const Value &Each : Variants) {
    const Object *V = Each.getAsObject();
    const Object *Options = V ? V->getObject("options") : nullptr;
    if (!Options || V->get("reason"))
      continue;
    const auto settingOf = [&](const std::string &Axis) {
      return Options->getString(Axis).value_or("").str();
    };
    std::vector<std::string> Others;
    for (const ExploredAxis &A : Axes)
      if (A.Name != Of.Name)
        Others.push_back(fmt::format("{}={}", A.Name, settingOf(A.Name)));
    const std::string Label = fmt::format("{}", fmt::join(Others, " "));
    auto At =
        std::find_if(Combinations.begin(), Combinations.end(),
                     [&](const Combination &C) { return C.Name == Label; });
    if (At == Combinations.end())
      At = Combinations.insert(Combinations.end(), {Label, {}});
    At->ByValue[settingOf(Of.Name)] = V;
  }
}

Series AxisCharts::seriesOf(const Metric &M, const Combination &C) const {
  Series S;
  S.Name = C.Name;
  for (const auto &[Text, V] : C.ByValue)
    S.Points.push_back({*valueOf(Text), M.Of(*V)});
  std::sort(S.Points.begin(), S.Points.end());
  return S;
}

/// Mean, least and greatest of all combinations.
std::optional<std::array<double, 3>>
AxisCharts::meanAt(const Metric &M, const std::string &Value) const {
  double Sum = 0, Least = 0, Most = 0;
  size_t Count = 0;
  for (const Combination &C : Combinations)
    if (const auto At = C.ByValue.find(Value); At != C.ByValue.end()) {
      const double One = M.Of(*At->second);
      Sum += One;
      Least = Count ? std::min(Least, One) : One;
      Most = Count ? std::max(Most, One) : One;
      ++Count;
    }
  if (Count == 0)
    return std::nullopt;
  return std::array{Sum / double(Count), Least, Most};
}

Series AxisCharts::meanOf(const Metric &M) const {
  std::map<double, std::array<double, 3>> ByNumber;
  for (const std::string &Text : Of.Values)
    if (const auto Mean = meanAt(M, Text))
      ByNumber[*valueOf(Text)] = *Mean;
  Series S;
  S.Name = M.Name;
  for (const auto &[X, Mean] : ByNumber) {
    S.Points.push_back({X, Mean[0]});
    S.Intervals.push_back(std::array{Mean[1], Mean[2]});
  }
  return S;
}

/// One chart with a line for each metric, or a chart for each metric with a
/// line for each combination.
std::string AxisCharts::lines(const std::string &What,
                              const std::vector<Metric> &Metrics) const {
  const auto empty = [&](const std::string &Title, const char *YUnit) {
    Chart C;
    C.Title = fmt::format("{} by {}", Title, Of.Name);
    C.X = {Of.Name, Unit};
    C.Y = {Title, YUnit};
    if (*YUnit == '%')
      C.YAtLeast = {0, 100};
    else
      C.YAtLeast = {0};
    return C;
  };
  const bool Mean = Combinations.size() > MostLines;
  if (Combinations.size() == 1 || Mean) {
    Chart C = empty(What, Metrics.front().Unit);
    for (const Metric &M : Metrics) {
      C.Lines.push_back(Mean ? meanOf(M) : seriesOf(M, Combinations.front()));
      C.Lines.back().Name = M.Name;
    }
    if (Mean)
      C.Method =
          fmt::format("mean and range over {} combinations of the others",
                      Combinations.size());
    return charts::drawChart(C);
  }
  std::string Figures;
  for (const Metric &M : Metrics) {
    Chart C = empty(M.Name, M.Unit);
    for (const Combination &Each : Combinations)
      C.Lines.push_back(seriesOf(M, Each));
    Figures += charts::drawChart(C);
  }
  return Figures;
}

/// For an axis of words.
std::string AxisCharts::bars(const Metric &M) const {
  BarChart C;
  const bool Bytes = std::string_view(M.Unit) == "B";
  C.Title = fmt::format("{} by {}", M.Name, Of.Name);
  C.Unit = Bytes ? "MiB" : M.Unit;
  const double Scale = Bytes ? 1.0 / (1 << 20) : 1;
  for (const std::string &Each : Of.Values)
    if (const auto Mean = meanAt(M, Each)) {
      Bar B;
      B.Name = Each;
      B.Value = Scale * (*Mean)[0];
      if (Combinations.size() > 1)
        B.Interval = {Scale * (*Mean)[1], Scale * (*Mean)[2]};
      B.Tooltip = fmt::format("{} {}: {}", Of.Name, Each,
                              charts::withUnit((*Mean)[0], M.Unit));
      C.Bars.push_back(std::move(B));
    }
  if (Combinations.size() > 1)
    C.Method = fmt::format("mean and range over {} combinations of the others",
                           Combinations.size());
  return C.Bars.empty() ? "" : charts::drawBars(C);
}

std::string AxisCharts::draw() const {
  if (Combinations.empty())
    return "";
  std::vector<Metric> Ratios = {{"L1 loads", "%", l1Hits},
                                {"L2 reads", "%", l2Hits}};
  const std::vector<Metric> Traffic = {{"L2", "B", l2Traffic},
                                       {"DRAM", "B", dramTraffic}};
  const bool StoresHit = std::any_of(
      Combinations.begin(), Combinations.end(), [](const Combination &C) {
        return std::any_of(C.ByValue.begin(), C.ByValue.end(),
                           [](const auto &V) { return storeHits(*V.second); });
      });
  if (StoresHit)
    Ratios.insert(Ratios.begin() + 1, {"L1 stores", "%", storeHits});
  if (Numbers) {
    // Alone in its chart a metric says what it is.
    if (Combinations.size() > 1 && Combinations.size() <= MostLines) {
      for (Metric &M : Ratios)
        M.Name = M.Of == l1Hits   ? "hits of L1 loads"
                 : M.Of == l2Hits ? "hits of L2 reads"
                                  : "hits of L1 stores";
      return lines("", Ratios) +
             lines("", {{"L2 traffic", "B", l2Traffic},
                        {"DRAM traffic", "B", dramTraffic}});
    }
    return lines("hit ratio", Ratios) + lines("traffic", Traffic);
  }
  std::string Figures;
  for (const Metric &M : {Metric{"hits of L1 loads", "%", l1Hits},
                          Metric{"hits of L2 reads", "%", l2Hits},
                          Metric{"DRAM traffic", "B", dramTraffic}})
    Figures += bars(M);
  return Figures;
}

} // namespace

double numberIn(const Object &Of, llvm::StringRef Key) {
  return Of.getNumber(Key).value_or(0);
}

double bytesOf(double Sectors) { return Sectors * reuse::SectorBytes; }

std::optional<double> percentIn(const Object &Of, llvm::StringRef RateKey,
                                llvm::StringRef SectorsKey) {
  if (numberIn(Of, SectorsKey) <= 0)
    return std::nullopt;
  return 100 * numberIn(Of, RateKey);
}

std::optional<double> valueOf(const std::string &Text) {
  llvm::StringRef Digits = Text;
  double Unit = 1;
  for (const auto &[End, Bytes] :
       {std::pair{"KiB", 1024.0}, std::pair{"K", 1024.0},
        std::pair{"MiB", 1048576.0}, std::pair{"M", 1048576.0}})
    if (Unit == 1 && Digits.consume_back(End))
      Unit = Bytes;
  uint64_t Number = 0;
  if (Digits.getAsInteger(10, Number))
    return std::nullopt;
  return Unit * double(Number);
}

std::string curveCharts(const Object &Launch,
                        const std::map<std::string, std::string> &Options) {
  const auto option = [&](const char *Name) {
    const auto At = Options.find(Name);
    return At == Options.end() ? 0 : valueOf(At->second).value_or(0);
  };
  std::string Figures;
  const auto add = [&](const char *Level, const char *Key, double Capacity,
                       double Ways, const char *Note) {
    const Object *Curves = Launch.getObject(Key);
    const std::string Distances = Curves ? histogram(Level, *Curves) : "";
    if (!Distances.empty())
      Figures += Distances + byCapacity(Level, *Curves, Capacity, Note) +
                 byWays(Level, *Curves, Ways, Note);
  };
  add("L1", "l1_curves", numberIn(Launch, "l1_bytes"), option("l1.ways"), "");
  add("L2", "l2_curves", option("l2.capacity"), option("l2.ways"),
      "; all sides as one, so what another side has is a hit");
  return inCharts(Figures);
}

std::string exploreCharts(const Object &Launch,
                          const std::vector<ExploredAxis> &Axes) {
  const Array *Variants = Launch.getArray("variants");
  if (!Variants)
    return "";
  std::string Figures;
  for (const ExploredAxis &Each : Axes)
    if (Each.Values.size() > 1)
      Figures += AxisCharts(*Variants, Axes, Each).draw();
  return inCharts(Figures);
}

} // namespace warpwise::output
