//===- Summary.cpp - A run on one screen ----------------------------------===//

#include "analyzer/output/findings/Summary.h"

#include "analyzer/advice/Merge.h"
#include "analyzer/output/Paths.h"
#include "profiler/io/Printable.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace warpwise::output {

using advice::Finding;
using advice::KernelSummary;

/// Lines of a table: both fit on a screen.
static constexpr size_t MostLines = 10;
static constexpr size_t NameWidth = 36;
static constexpr size_t MessageWidth = 60;

static std::string counted(size_t Count, llvm::StringRef Thing) {
  const char *Plural = Thing.ends_with("s") ? "es" : "s";
  return fmt::format("{} {}{}", Count, Thing.str(), Count == 1 ? "" : Plural);
}

std::string summaryLine(const RunSummary &S) {
  std::string Line = counted(S.Warnings, "warning");
  if (S.Remarks)
    Line += " and " + counted(S.Remarks, "remark");
  Line += " in " + counted(S.Kernels, "kernel");
  if (S.Accesses)
    Line += fmt::format(", {} of {} judged", S.Judged,
                        counted(S.Accesses, "access"));
  std::string Extra;
  if (S.Suppressed)
    Extra = fmt::format("{} suppressed by NOLINT", S.Suppressed);
  if (S.SkippedKernels)
    Extra += fmt::format("{}{} not analysed", Extra.empty() ? "" : ", ",
                         counted(S.SkippedKernels, "kernel"));
  return Extra.empty() ? Line : fmt::format("{} ({})", Line, Extra);
}

/// \p Text as a cell of a table: at most \p Width characters.
static std::string cell(const std::string &Text, size_t Width) {
  const std::string Shown = io::printable(Text);
  return Shown.size() <= Width ? Shown : Shown.substr(0, Width - 3) + "...";
}

std::string kernelName(const std::string &Demangled) {
  llvm::StringRef Name = Demangled;
  const size_t Arguments = Name.rfind('(');
  if (Arguments != llvm::StringRef::npos && Arguments != 0)
    Name = Name.take_front(Arguments);
  Name.consume_front("void ");
  return cell(Name.str(), NameWidth);
}

std::string timeText(double Nanoseconds) {
  return Nanoseconds < 1e6 ? fmt::format("{:.3g} us", Nanoseconds / 1e3)
                           : fmt::format("{:.3g} ms", Nanoseconds / 1e6);
}

static std::string timeText(const KernelSummary &K) {
  if (K.BoundBy.empty())
    return "no price";
  return K.IsWhole ? timeText(K.Nanoseconds) : "-";
}

size_t findingsIn(const KernelSummary &K, const FindingsReport &Report) {
  return size_t(llvm::count_if(Report.Findings, [&](const Finding &F) {
    return llvm::is_contained(F.FoundIn, K.Name);
  }));
}

std::vector<const KernelSummary *> rankKernels(const FindingsReport &Report) {
  std::vector<const KernelSummary *> Shown;
  for (const KernelSummary &K : Report.Kernels)
    if (findingsIn(K, Report) != 0)
      Shown.push_back(&K);
  // Where every time is known, the time that is lost counts, else its share.
  const bool AllWhole =
      llvm::all_of(Shown, [](const auto *K) { return K->IsWhole; });
  llvm::sort(Shown, [&](const auto *A, const auto *B) {
    const auto Lost = [&](const KernelSummary &K) {
      return K.Wasted * (AllWhole ? K.Nanoseconds : 1);
    };
    // What nothing seems to launch, last.
    const auto isLaunched = [](const KernelSummary &K) {
      return llvm::any_of(K.Shapes, [](const advice::LaunchSummary &L) {
        return L.Shape.wasSeen();
      });
    };
    if (isLaunched(*A) != isLaunched(*B))
      return isLaunched(*A);
    if (Lost(*A) != Lost(*B))
      return Lost(*A) > Lost(*B);
    return std::tie(A->Name, A->Where) < std::tie(B->Name, B->Where);
  });
  return Shown;
}

std::vector<std::string> kernelTable(const FindingsReport &Report) {
  const std::vector<const KernelSummary *> Shown = rankKernels(Report);
  if (Shown.empty())
    return {};
  const size_t Lines = std::min(Shown.size(), MostLines);
  size_t BoundWidth = 22;
  for (const KernelSummary *K : llvm::ArrayRef(Shown).take_front(Lines))
    BoundWidth = std::max(BoundWidth, K->BoundBy.size());
  const auto Line = [&](const std::string &Name, const std::string &Time,
                        const std::string &Bound, const std::string &Wasted,
                        const std::string &Findings) {
    return fmt::format("{:<{}}  {:>8}  {:<{}}  {:>6}  {:>8}", Name, NameWidth,
                       Time, Bound, BoundWidth, Wasted, Findings);
  };
  std::vector<std::string> Table = {
      Line("kernel", "time", "bound by", "wasted", "findings")};
  for (size_t N = 0; N != Lines; ++N) {
    const KernelSummary &K = *Shown[N];
    Table.push_back(
        Line(kernelName(K.Name), timeText(K), K.BoundBy,
             K.BoundBy.empty() ? "" : fmt::format("{:.0f} %", 100 * K.Wasted),
             std::to_string(findingsIn(K, Report))));
  }
  if (Shown.size() > MostLines)
    Table.push_back(fmt::format("and {} more with findings",
                                counted(Shown.size() - MostLines, "kernel")));
  return Table;
}

std::vector<std::string> costliest(const FindingsReport &Report) {
  // Fewer are in sight anyway.
  constexpr size_t Few = 3;
  if (Report.Findings.size() <= Few)
    return {};
  std::vector<Finding> Ranked = Report.Findings;
  advice::rankFindings(Ranked);
  std::vector<std::string> Lines;
  for (const Finding &F : llvm::ArrayRef(Ranked).take_front(MostLines))
    Lines.push_back(fmt::format(
        "{:>6}  {}:{}: {} [{}]",
        F.Faster ? fmt::format("{:.2f}x", F.Faster->Factor) : "-",
        io::printable(shortenPath(F.Where.File, Report.WorkingDirectory)),
        F.Where.Line, cell(F.Message, MessageWidth), F.Rule));
  return Lines;
}

std::string launchLine(const std::vector<KernelSummary> &Kernels) {
  if (Kernels.empty())
    return {};
  const size_t Found = size_t(llvm::count_if(
      Kernels, [](const KernelSummary &K) { return K.Launches > 0; }));
  const size_t Assumed = Kernels.size() - Found;
  std::string Line =
      fmt::format("the block shape of {} is known", counted(Found, "kernel"));
  if (Assumed != 0)
    Line += fmt::format(", that of {} was assumed (--block says it)",
                        counted(Assumed, "kernel"));
  return Line;
}

} // namespace warpwise::output
