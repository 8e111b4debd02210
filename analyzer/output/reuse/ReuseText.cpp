//===- ReuseText.cpp - The cache model's results for people ---------------===//

#include "analyzer/output/reuse/ReuseText.h"

#include "analyzer/output/Paths.h"
#include "profiler/io/Printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace warpwise::output {
namespace {

using reuse::LaunchReport;
using reuse::Traffic;

constexpr size_t MostLines = 12;

std::string shape(const std::optional<launch::Dim3> &Dim) {
  return Dim ? fmt::format("{}", fmt::join(*Dim, "x")) : "?";
}

/// "21 984 780"
std::string count(double Number) {
  std::string Digits = fmt::format("{:.0f}", Number), Result;
  for (size_t I = 0; I != Digits.size(); ++I) {
    if (I != 0 && (Digits.size() - I) % 3 == 0)
      Result += ' ';
    Result += Digits[I];
  }
  return Result;
}

std::string percent(std::optional<double> Rate) {
  return Rate ? fmt::format("{:.2f} %", 100 * *Rate) : "-";
}

std::string bytes(double Sectors) {
  const double Bytes = Sectors * reuse::SectorBytes;
  if (Bytes < 1024)
    return fmt::format("{:.0f} B", Bytes);
  static constexpr const char *Units[] = {"KiB", "MiB", "GiB", "TiB"};
  double Scaled = Bytes / 1024;
  size_t Unit = 0;
  for (; Scaled >= 1024 && Unit + 1 < std::size(Units); ++Unit)
    Scaled /= 1024;
  return fmt::format("{:.1f} {}", Scaled, Units[Unit]);
}

std::string totals(const Traffic &T) {
  std::string Text;
  const auto row = [&](const char *Name, const std::string &Hits,
                       double Sectors) {
    Text += fmt::format("  {:24}{:>10}{:>18}{:>12}\n", Name, Hits,
                        count(Sectors), bytes(Sectors));
  };
  Text += fmt::format("  {:24}{:>10}{:>18}\n", "", "hits", "sectors");
  row("L1 loads", percent(T.l1ReadHitRate()), T.LoadSectors);
  row("L1 stores", percent(T.l1StoreHitRate()), T.StoreSectors);
  if (T.AtomicSectors > 0)
    row("atomics", "", T.AtomicSectors);
  row("L2 reads", percent(T.l2ReadHitRate()), T.L2ReadSectors);
  row("L2 writes", "", T.L2WriteSectors);
  row("DRAM reads", "", T.DramReadSectors);
  row("DRAM writes", "", T.DramWriteSectors);
  return Text;
}

/// By line: what is on it, whatever the column.
std::string lines(const LaunchReport &R, const std::string &Folder) {
  std::map<std::pair<std::string, unsigned>, Traffic> ByLine;
  for (size_t I = 0; I != R.Sites.size(); ++I)
    if (R.Result.Sites[I].requests() > 0) // barriers have none
      ByLine[{R.Sites[I].File, R.Sites[I].Line}] += R.Result.Sites[I];
  std::vector<std::pair<std::pair<std::string, unsigned>, Traffic>> Sorted(
      ByLine.begin(), ByLine.end());
  std::sort(Sorted.begin(), Sorted.end(), [&](const auto &A, const auto &B) {
    return A.second.l2Sectors() > B.second.l2Sectors();
  });
  std::string Text = fmt::format("  {:>12}{:>12}{:>12}{:>12}  {}\n", "L1",
                                 "L1 hits", "L2", "DRAM", "line");
  for (size_t I = 0; I != std::min(MostLines, Sorted.size()); ++I) {
    const auto &[Where, T] = Sorted[I];
    Text += fmt::format("  {:>12}{:>12}{:>12}{:>12}  {}:{}\n",
                        bytes(T.l1Sectors()), percent(T.l1ReadHitRate()),
                        bytes(T.l2Sectors()), bytes(T.dramSectors()),
                        io::printable(shortenPath(Where.first, Folder)),
                        Where.second);
  }
  if (Sorted.size() > MostLines)
    Text += fmt::format("  and {} more lines\n", Sorted.size() - MostLines);
  return Text;
}

std::string bar(double Ratio) {
  constexpr double Width = 40;
  return std::string(size_t(std::lround(Width * Ratio)), '#');
}

/// Loads by how many lines a cache needs for them to hit, and the hit ratio
/// that follows from it.
std::string curve(const char *Name, const reuse::LevelReuse &Level) {
  if (Level.Full.total() == 0)
    return "";
  std::string Text =
      fmt::format("  {} capacity   hits with it, fully associative\n", Name);
  double Before = -1;
  const double Best = Level.Full.hitRatio(reuse::ReuseHistogram::Cold - 1);
  for (uint64_t Lines = 8; Lines <= (uint64_t(1) << 21); Lines *= 2) {
    const double Ratio = Level.Full.hitRatio(Lines);
    if (Ratio != Before)
      Text += fmt::format(
          "  {:>11} {:>9}  {}\n",
          bytes(double(Lines) * reuse::LineBytes / reuse::SectorBytes),
          percent(Ratio), bar(Ratio));
    Before = Ratio;
  }
  Text += fmt::format("  {:>11} {:>9}\n", "unlimited", percent(Best));
  Text += fmt::format("  {} ways       hits with {} sets\n", Name, Level.Sets);
  for (unsigned Ways = 1; Ways <= 32; Ways *= 2)
    Text += fmt::format("  {:>11} {:>9}  {}\n", Ways,
                        percent(Level.BySet.hitRatio(Ways)),
                        bar(Level.BySet.hitRatio(Ways)));
  Text += fmt::format("  {} distance   sectors loaded\n", Name);
  std::map<unsigned, double> ByPower;
  double Cold = 0;
  for (const auto &[Distance, Sectors] : Level.Full.points())
    if (Distance == reuse::ReuseHistogram::Cold)
      Cold += Sectors;
    else
      ByPower[unsigned(std::bit_width(Distance))] += Sectors;
  for (const auto &[Power, Sectors] : ByPower)
    Text += fmt::format("  {:>11} {:>18}  {}\n",
                        Power < 2 ? fmt::format("{}", Power)
                                  : fmt::format("{}-{}", 1u << (Power - 1),
                                                (uint64_t(1) << Power) - 1),
                        count(Sectors), bar(Sectors / Level.Full.total()));
  return Text + fmt::format("  {:>11} {:>18}  {}\n", "first use", count(Cold),
                            bar(Cold / Level.Full.total()));
}

std::string variants(const LaunchReport &R,
                     const std::vector<reuse::Axis> &Axes) {
  std::string Text = "  ";
  const auto widthOf = [](const reuse::Axis &A) {
    size_t Width = A.Name.size();
    for (const std::string &Value : A.Values)
      Width = std::max(Width, Value.size());
    return Width + 2;
  };
  for (const reuse::Axis &A : Axes)
    Text += fmt::format("{:<{}}", A.Name, widthOf(A));
  Text += fmt::format("{:>10}{:>10}{:>10}{:>16}{:>16}\n", "L1 loads", "stores",
                      "L2 reads", "L2 sectors", "DRAM sectors");
  for (const reuse::VariantResult &V : R.Variants) {
    Text += "  ";
    for (size_t I = 0; I != Axes.size(); ++I)
      Text += fmt::format("{:<{}}", V.Values[I], widthOf(Axes[I]));
    if (!V.Error.empty()) {
      Text += V.Error + "\n";
      continue;
    }
    Text += fmt::format(
        "{:>10}{:>10}{:>10}{:>16}{:>16}\n", percent(V.Total.l1ReadHitRate()),
        percent(V.Total.l1StoreHitRate()), percent(V.Total.l2ReadHitRate()),
        count(V.Total.L2ReadSectors), count(V.Total.DramReadSectors));
  }
  return Text;
}

} // namespace

std::string reuseText(const LaunchReport &R,
                      const std::vector<reuse::Axis> &Axes,
                      const std::string &Folder) {
  const auto shown = [](const std::string &Foreign) {
    return io::shortened(io::printable(Foreign));
  };
  std::string Text = fmt::format("{}\n  grid {}, block {}", shown(R.Kernel),
                                 shape(R.Grid), shape(R.Block));
  if (R.Invocation)
    Text += fmt::format(", invocation {}", *R.Invocation);
  if (R.At.isKnown())
    Text += fmt::format(", launched at {}",
                        shown(shortenPath(R.At.text(), Folder)));
  Text += '\n';
  if (R.State == LaunchReport::Status::NotModelled)
    return Text + fmt::format("  not modelled: {}\n", shown(R.Reason));
  const reuse::SimulationResult &Result = R.Result;
  Text += fmt::format("  {} blocks on an SM at once, {} wave{}, {} of L1\n",
                      Result.Room.BlocksPerSm, Result.Waves,
                      Result.Waves == 1 ? "" : "s",
                      bytes(double(Result.Room.L1Bytes) / reuse::SectorBytes));
  if (R.State == LaunchReport::Status::Partial)
    Text += fmt::format("  partial: {}\n", shown(R.Reason));
  else
    Text += fmt::format("  {}\n", Result.SampleText);
  for (const std::string &Assumption : R.Assumptions)
    Text += fmt::format("  assumed: {}\n", shown(Assumption));
  Text += "\n" + totals(Result.Total) + "\n" + lines(R, Folder);
  if (Result.L1Reuse)
    Text += "\n" + curve("L1", *Result.L1Reuse);
  if (Result.L2Reuse)
    Text += "\n" + curve("L2", *Result.L2Reuse);
  if (!Axes.empty())
    Text += "\n" + variants(R, Axes);
  return Text;
}

} // namespace warpwise::output
