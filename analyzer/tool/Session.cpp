//===- Session.cpp --------------------------------------------------------===//

#include "analyzer/tool/Session.h"

#include "analyzer/tool/Messages.h"
#include "analyzer/tool/ProfileChoice.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <set>

namespace warpwise::tool {

llvm::Expected<Session> openSession(const std::vector<std::string> &Paths) {
  llvm::Expected<AnalysisOptions> Options = analysisOptions();
  if (!Options)
    return Options.takeError();
  auto Named = namedProfile(Options->Gpu, Options->ProfileFile);
  if (!Named)
    return Named.takeError();

  frontend::CommandOptions Commands;
  Commands.CudaPath = Options->CudaPath;
  Commands.ExtraArguments = Options->ExtraArguments;
  if (*Named)
    Commands.PreferredArch = (*Named)->Architecture;
  llvm::Expected<Inputs> From = collectInputs(
      Paths, {Options->Database, Options->SearchDatabase}, Commands);
  if (!From)
    return From.takeError();

  Session S{std::move(*Options), {}, std::move(*From)};
  if (*Named)
    S.Device = std::move(**Named);
  else
    S.Device = defaultProfile(
        S.From.Units.empty() ? "" : S.From.Units.front().RequestedArch);
  return std::move(S);
}

/// Says what of \p Report was left out; a header's kernels only once. True
/// when one of them does not compile.
static bool reportMissing(const UnitReport &Report, bool Quiet,
                          std::set<LeftOut> &Said) {
  bool Failed = false;
  for (const LeftOut &L : Report.Missing) {
    bool IsFailure = L.IsKernel && L.IsError;
    Failed |= IsFailure;
    if (!Said.insert(L).second)
      continue;
    std::string Sentence =
        fmt::format("{} '{}' was not analysed: {}",
                    L.IsKernel ? "kernel" : "function", L.Name, L.Cause);
    if (IsFailure)
      printErrorAt(L.Where, Sentence);
    else if (!Quiet)
      printNoteAt(L.Where, Sentence);
  }
  return Failed;
}

/// Errors that did not stop the analysis, once each.
static void reportHostErrors(const std::string &File, const UnitReport &Report,
                             std::set<std::string> &Said) {
  std::string Name = displayPath(File);
  for (const std::string &Header : Report.MissingHeaders)
    if (Said.insert(Header).second)
      printNote(fmt::format("{}: header '{}' was not found", Name, Header));
  if (!Report.HostErrors || !Said.insert(Report.FirstHostError).second)
    return;
  bool Single = Report.HostErrors == 1;
  printNote(fmt::format(
      "{}: {} error{} outside of kernels did not stop the analysis; {}{}", Name,
      Report.HostErrors, Single ? "" : "s",
      Single ? "" : "the first: ", Report.FirstHostError));
}

static void reportProblems(const Session &S, SessionResult &Result) {
  std::set<LeftOut> Kernels;
  std::set<std::string> HostErrors;
  for (size_t I = 0; I < Result.Reports.size(); ++I) {
    const UnitReport &Report = Result.Reports[I];
    if (!Report.Failure.empty()) {
      printError(Report.Failure);
      Result.FilesFailed = true;
    }
    Result.KernelsFailed |= reportMissing(Report, S.Options.Quiet, Kernels);
    if (!S.Options.Quiet)
      reportHostErrors(S.From.Units[I].File, Report, HostErrors);
  }
}

/// The ptxas of the toolkit that the user named or installed, or empty. Never
/// one that a compile command names: checking a stranger's code must not run
/// the stranger's programs.
static std::string findPtxas(const std::string &CudaPath) {
  if (CudaPath == "none")
    return {};
  llvm::SmallString<256> Path(CudaPath);
  if (CudaPath.empty())
    Path = frontend::findToolkit().Path;
  if (Path.empty())
    return {};
  llvm::sys::path::append(Path, "bin", "ptxas");
  return llvm::sys::fs::can_execute(Path) ? Path.str().str() : "";
}

SessionResult analyzeSession(const Session &S, const Summary &Summarize) {
  SessionResult Result;
  if (!S.Options.Quiet) {
    printNote(stateProfile(S.Device));
    for (const std::string &Note : S.From.Notes)
      printNote(Note);
  }
  for (const std::string &Problem : S.From.Problems) {
    printError(Problem);
    Result.FilesFailed = true;
  }
  access::AnalyzeOptions Options;
  Options.ProfileName = S.Device.Name;
  Options.Law = profile::requestLaw(S.Device);
  Options.BlockOverrides = S.Options.Blocks;
  if (S.Options.UsePtxas)
    Options.PtxasPath = findPtxas(S.Options.CudaPath);
  PoolOptions Pool;
  Pool.Jobs = S.Options.Jobs;
  Result.Reports =
      analyzeProject(S.From, Options, Pool, Summarize, S.Options.Quiet);
  reportProblems(S, Result);
  return Result;
}

} // namespace warpwise::tool
