//===- Recheck.cpp - Whether a profile still describes its GPU ------------===//

#include "profiler/tool/Recheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace warpwise::tool {

using harness::Benchmark;
using profile::Quantity;
using profile::Status;

namespace {

/// Below this, a size that differs is the same size.
constexpr double SizeTolerance = 0.005;
constexpr double TimeTolerance = 0.02;
/// Small latencies are whole cycles, and a bracket may move by one.
constexpr double CycleTolerance = 1.5;

constexpr double Share = 0.05;
constexpr size_t AtLeast = 5;

bool isCheap(const Benchmark &B) {
  return B.Quick && B.NeedsGpu &&
         (B.When == harness::Stage::Latency ||
          B.When == harness::Stage::Geometry);
}

bool hasResult(const Quantity *Q) {
  return Q && Q->State == Status::Measured && (Q->Value || !Q->Word.empty());
}

std::string text(const Quantity &Q) {
  if (!Q.Word.empty())
    return Q.Word;
  if (!Q.Value)
    return "-";
  return fmt::format("{:.6g}{}{}", *Q.Value, Q.Unit == "1" ? "" : " ",
                     Q.Unit == "1" ? "" : Q.Unit);
}

bool agrees(const Quantity &Stored, const Quantity &Now) {
  if (Stored.Unit != Now.Unit || !Stored.Value != !Now.Value)
    return false;
  if (!Stored.Value)
    return Stored.Word == Now.Word;
  const double Off = std::abs(*Now.Value - *Stored.Value);
  const double Size = std::abs(*Stored.Value);
  if (Stored.Unit == "B" || Stored.Unit == "1")
    return Off <= SizeTolerance * Size;
  return Off <= TimeTolerance * Size ||
         (Stored.Unit == "clk" && Off <= CycleTolerance);
}

std::string difference(const Quantity &Stored, const Quantity &Now) {
  if (!Stored.Value || !Now.Value || *Stored.Value == 0)
    return "";
  return fmt::format("{:+.1f} %", 100 * (*Now.Value / *Stored.Value - 1));
}

std::string_view verdict(Recheck::Verdict V) {
  switch (V) {
  case Recheck::Verdict::Agrees:
    return "agrees";
  case Recheck::Verdict::Differs:
    return "differs";
  case Recheck::Verdict::NotMeasured:
    break;
  }
  return "not measured";
}

} // namespace

std::vector<std::string> samplePaths(const profile::Profile &Stored,
                                     std::span<const Benchmark> All,
                                     std::mt19937_64 &Random) {
  std::set<std::string> Possible;
  for (const Benchmark &B : All)
    if (isCheap(B))
      for (const Benchmark::Promise &P : B.Provides)
        if (hasResult(Stored.find(P.Path)))
          Possible.insert(std::string(P.Path));
  const auto Measured = std::count_if(
      Stored.Quantities.begin(), Stored.Quantities.end(),
      [](const auto &Each) { return Each.second.State == Status::Measured; });
  const size_t Wanted = std::max(
      AtLeast,
      static_cast<size_t>(std::ceil(Share * static_cast<double>(Measured))));
  std::vector<std::string> Paths;
  std::sample(Possible.begin(), Possible.end(), std::back_inserter(Paths),
              Wanted, Random);
  return Paths;
}

std::vector<const Benchmark *>
providers(std::span<const Benchmark> All,
          const std::vector<std::string> &Paths) {
  std::vector<const Benchmark *> Result;
  for (const Benchmark &B : All)
    if (isCheap(B) && std::any_of(B.Provides.begin(), B.Provides.end(),
                                  [&](const Benchmark::Promise &P) {
                                    return std::find(Paths.begin(), Paths.end(),
                                                     P.Path) != Paths.end();
                                  }))
      Result.push_back(&B);
  return Result;
}

std::vector<Recheck> compare(const profile::Profile &Stored,
                             const profile::Profile &Now,
                             const std::vector<std::string> &Paths) {
  std::vector<Recheck> Rows;
  for (const std::string &Path : Paths) {
    const Quantity *Old = Stored.find(Path);
    const Quantity *New = Now.find(Path);
    Recheck Row{Path, Old ? text(*Old) : "-", New ? text(*New) : "-", "", {}};
    Row.Says = Recheck::Verdict::NotMeasured;
    if (Old && hasResult(New)) {
      Row.Difference = difference(*Old, *New);
      Row.Says = agrees(*Old, *New) ? Recheck::Verdict::Agrees
                                    : Recheck::Verdict::Differs;
    }
    Rows.push_back(std::move(Row));
  }
  return Rows;
}

std::string table(const std::vector<Recheck> &Rows) {
  size_t Path = 4, Stored = 6, Now = 3;
  for (const Recheck &Row : Rows) {
    Path = std::max(Path, Row.Path.size());
    Stored = std::max(Stored, Row.Stored.size());
    Now = std::max(Now, Row.Now.size());
  }
  std::string Text =
      fmt::format("{:<{}}  {:>{}}  {:>{}}  {:>10}  verdict\n", "path", Path,
                  "stored", Stored, "now", Now, "difference");
  for (const Recheck &Row : Rows)
    Text += fmt::format("{:<{}}  {:>{}}  {:>{}}  {:>10}  {}\n", Row.Path, Path,
                        Row.Stored, Stored, Row.Now, Now, Row.Difference,
                        verdict(Row.Says));
  return Text;
}

} // namespace warpwise::tool
