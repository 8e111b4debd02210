//===- Session.cpp --------------------------------------------------------===//

#include "analyzer/tool/Session.h"

#include "analyzer/pipeline/BegunAnalysis.h"
#include "analyzer/pipeline/KernelResults.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/ProfileChoice.h"
#include "analyzer/tool/SourceFiles.h"
#include "profiler/io/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace warpwise::tool {

/// What \p B says as the evaluator asks for it. The error names a file that
/// cannot be read.
static llvm::Expected<std::shared_ptr<const launch::Contents>>
contentsOf(const reuse::Buffer &B) {
  using From = reuse::Buffer::Contents;
  using Kind = launch::Contents::Kind;
  auto Made = std::make_shared<launch::Contents>();
  Made->ElementBytes = B.ElementBytes;
  Made->Elements = B.ElementBytes ? B.Bytes / B.ElementBytes : B.Bytes;
  Made->Below = B.Below;
  Made->Seed = llvm::xxh3_64bits(B.Name);
  switch (B.Initial) {
  case From::Unknown:
  case From::Zeros:
    Made->What = Kind::Zeros;
    break;
  case From::Iota:
    Made->What = Kind::Iota;
    break;
  case From::Sorted:
  case From::Random:
    Made->What = B.Initial == From::Sorted ? Kind::Sorted : Kind::Random;
    if (Made->Elements == 0 && (Made->Below == 0 || Made->What == Kind::Sorted))
      return llvm::createStringError(fmt::format(
          "the size of '{}' has to be known to fill it (,count=N)", B.Name));
    break;
  case From::File:
    Made->What = Kind::Bytes;
    if (auto Text = io::readFile(B.Path, reuse::MostFileBytes))
      Made->Data = std::move(*Text);
    else
      return llvm::createStringError(
          fmt::format("cannot read '{}': {}", B.Path, Text.reason()));
    break;
  }
  return Made;
}

/// "sm_90" of "sm_90a".
static llvm::StringRef plainArch(llvm::StringRef Arch) {
  return Arch.rtrim("abcdefghijklmnopqrstuvwxyz");
}

/// Says that the code is judged for another architecture than it is compiled
/// for, where nobody asked for that.
static void noteOtherArchitecture(Session &S) {
  for (const frontend::DeviceCommand &Unit : S.From.Units) {
    const std::string &Arch = Unit.RequestedArch;
    if (Arch.empty() || plainArch(Arch) == plainArch(S.Device.Architecture))
      continue;
    S.From.Notes.push_back(
        fmt::format("there is no profile for {}: its code is judged for {} "
                    "(--gpu names another)",
                    Arch, S.Device.Gpu));
    return;
  }
}

llvm::Expected<Session> openSession(const std::vector<std::string> &Paths,
                                    AnalysisOptions Options,
                                    const FileWishes &Wishes) {
  if (Options.Gpu.empty() && Options.ProfileFile.empty())
    Options.Gpu = Wishes.Gpu;
  auto Named = namedProfile(Options.Gpu, Options.ProfileFile);
  if (!Named)
    return Named.takeError();

  frontend::CommandOptions Commands;
  Commands.CudaPath = Options.CudaPath;
  Commands.ExtraArguments = Options.ExtraArguments;
  Commands.Edited = Wishes.Edited;
  if (*Named)
    Commands.PreferredArch = (*Named)->Architecture;
  llvm::Expected<Inputs> From =
      collectInputs(Paths,
                    {Options.Database, Options.SearchDatabase,
                     Wishes.OnePerFile, Wishes.IsExcluded, Wishes.Open},
                    Commands);
  if (!From)
    return From.takeError();

  llvm::append_range(From->Notes,
                     frontend::findUnknownFlags(Options.ExtraArguments));
  Session S{std::move(Options), {}, std::move(*From)};
  if (*Named)
    S.Device = std::move(**Named);
  else
    S.Device = defaultProfile(
        S.From.Units.empty() ? "" : S.From.Units.front().RequestedArch);
  if (!*Named)
    noteOtherArchitecture(S);
  return std::move(S);
}

llvm::Expected<Session> openSession(const std::vector<std::string> &Paths,
                                    const FileWishes &Wishes) {
  llvm::Expected<AnalysisOptions> Options = analysisOptions();
  if (!Options)
    return Options.takeError();
  return openSession(Paths, std::move(*Options), Wishes);
}

/// The first few of \p Names.
static std::string listed(const std::vector<std::string> &Names) {
  constexpr size_t Most = 4;
  if (Names.size() <= Most)
    return fmt::format("{}", fmt::join(Names, ", "));
  return fmt::format("{} and {} more",
                     fmt::join(Names.begin(), Names.begin() + Most, ", "),
                     Names.size() - Most);
}

/// "function 'f<int>' was not analysed: no such type", with \p More instances
/// of its template of which the same is to be said.
static std::string describeMissing(const LeftOut &L, unsigned More) {
  const std::string Others =
      More ? fmt::format(" and {} more instance{}", More, More == 1 ? "" : "s")
           : "";
  return fmt::format("{} '{}'{} {} not analysed: {}",
                     L.IsKernel ? "kernel" : "function", L.Name, Others,
                     More ? "were" : "was", L.Cause);
}

/// Says what of \p Report, of \p File, was left out; a header's kernels only
/// once, instances of one template in one line where the cause is the same, and
/// of functions of system headers, of which hundreds may follow from one error,
/// how many there are. True when a kernel does not compile.
static bool reportMissing(const std::string &File, const UnitReport &Report,
                          const FilesOfUnit &Asked, bool Quiet,
                          std::set<LeftOut> &Said,
                          std::vector<std::string> &Errors) {
  bool Failed = false;
  std::string FirstOfSystem;
  unsigned OfSystem = 0;
  struct Template {
    const LeftOut *First;
    bool IsFailure;
    unsigned More = 0;
  };
  std::vector<Template> Templates;
  std::map<std::tuple<access::Place, bool, std::string>, size_t> Known;
  for (const LeftOut &L : Report.Missing) {
    if (!Asked.contains(L.Where.File))
      continue;
    const bool IsFailure = L.IsKernel && L.IsError;
    Failed |= IsFailure;
    if (!Said.insert(L).second)
      continue;
    const std::string Sentence = describeMissing(L, 0);
    if (IsFailure)
      Errors.push_back(fmt::format("{}: {}", L.Where.text(), Sentence));
    if (!L.IsKernel && llvm::binary_search(Report.SystemFiles, L.Where.File)) {
      if (OfSystem++ == 0)
        FirstOfSystem = fmt::format("{}: {}", L.Where.text(), Sentence);
      continue;
    }
    const auto [At, IsNew] =
        Known.try_emplace({L.Where, IsFailure, L.Cause}, Templates.size());
    if (IsNew)
      Templates.push_back({&L, IsFailure});
    else
      ++Templates[At->second].More;
  }
  for (const auto &[First, IsFailure, More] : Templates)
    if (IsFailure)
      printErrorAt(First->Where, describeMissing(*First, More));
    else if (!Quiet)
      printNoteAt(First->Where, describeMissing(*First, More));
  if (OfSystem && !Quiet)
    printNote(
        fmt::format("{}: {} function{} of system headers {} not analysed; {}{}",
                    displayPath(File), OfSystem, OfSystem == 1 ? "" : "s",
                    OfSystem == 1 ? "was" : "were",
                    OfSystem == 1 ? "" : "the first: ", FirstOfSystem));
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

/// Says why a file that has the looks of one with kernels has none. \p Files of
/// which a unit had kernels are silent.
static void reportNoKernels(const Session &S,
                            const std::vector<UnitReport> &Reports) {
  std::set<std::string> Silent;
  for (size_t I = 0; I < Reports.size(); ++I) {
    const UnitReport &Report = Reports[I];
    const bool HasMissing = llvm::any_of(
        Report.Missing, [](const LeftOut &L) { return L.IsKernel; });
    if (!Report.Kernels.empty() || !Report.Failure.empty() || HasMissing)
      Silent.insert(S.From.Units[I].File);
  }
  for (size_t I = 0; I < Reports.size(); ++I) {
    const std::string &File = S.From.Units[I].File;
    if (!Silent.insert(File).second)
      continue;
    // Headers have templates for others; those of the file itself, or of what
    // was asked for, are meant to become kernels here.
    const FilesOfUnit Asked = S.From.askedOf(I);
    std::vector<std::string> Names;
    for (const frontend::KernelTemplate &T : Reports[I].UnusedTemplates)
      if (Asked.isMain(T.Where.File))
        Names.push_back(fmt::format("'{}' ({}:{})", T.Name,
                                    displayPath(T.Where.File), T.Where.Line));
    const bool Single = Names.size() == 1;
    if (!Names.empty())
      printNote(fmt::format(
          "{}: no kernel was analysed, because nothing in it instantiates the "
          "kernel template{} {}",
          displayPath(File), Single ? "" : "s", listed(Names)));
    else if (llvm::StringRef(readSource(File).value_or(""))
                 .contains("__global__"))
      printNote(fmt::format("{}: no kernel was analysed, although its text has "
                            "'__global__': under the flags of its compile "
                            "command it defines none",
                            displayPath(File)));
  }
}

/// Says which files that should be looked at through others none of them reads:
/// those were chosen by their text, without regard to conditions. False when
/// the user asked for such a file.
static bool checkIncluded(const Session &S,
                          const std::vector<UnitReport> &Reports,
                          std::vector<std::string> &Errors) {
  // Why a unit failed has been said, and what it would have read is not known.
  if (S.From.Included.empty() ||
      llvm::any_of(Reports, [](const UnitReport &Report) {
        return !Report.Failure.empty();
      }))
    return true;
  std::set<std::string> Users, System;
  for (const UnitReport &Report : Reports) {
    for (const std::string &File : Report.Files)
      Users.insert(normalize(File));
    for (const std::string &File : Report.SystemFiles)
      System.insert(normalize(File));
  }
  bool Complete = true;
  for (const Inputs::IncludedFile &Included : S.From.Included) {
    if (Users.count(Included.File))
      continue;
    const std::string Sentence = fmt::format(
        "'{}' was not analysed: under their compile commands, the files whose "
        "text includes it {}",
        displayPath(Included.File),
        System.count(Included.File) ? "read it as a header of the system"
                                    : "do not read it");
    Complete &= !Included.WasNamed;
    if (Included.WasNamed) {
      printError(Sentence);
      Errors.push_back(Sentence);
    } else if (!S.Options.Quiet)
      printNote(Sentence);
  }
  return Complete;
}

/// "'a.cu', 'b.cu' and 10 more", of the units that the user's Ctrl-C has left
/// out, or nothing.
static std::string interrupted(const Session &S,
                               const std::vector<UnitReport> &Reports) {
  std::vector<std::string> Names;
  for (size_t I = 0; I < Reports.size(); ++I)
    if (Reports[I].IsInterrupted)
      Names.push_back("'" + displayPath(S.From.Units[I].File) + "'");
  if (Names.empty())
    return {};
  return fmt::format("interrupted: {} of {} files were not analysed: {}",
                     Names.size(), Reports.size(), listed(Names));
}

/// Says where launches come from and what is not known of them; of many units
/// only that there is something to say.
static void reportLaunches(const Session &S,
                           const std::vector<UnitReport> &Reports) {
  constexpr size_t Most = 8;
  size_t Notes = 0, Files = 0;
  for (const UnitReport &Report : Reports) {
    Notes += Report.LaunchNotes.size();
    Files += !Report.LaunchNotes.empty();
  }
  if (Notes > Most && Files > 1 && !S.Options.AllNotes)
    return printNote(fmt::format("{} notes on how kernels of {} files are "
                                 "launched are left out (--explain shows them)",
                                 Notes, Files));
  for (size_t I = 0; I != Reports.size(); ++I)
    for (const std::string &Note : Reports[I].LaunchNotes)
      printNote(fmt::format("{}: {}", displayPath(S.From.Units[I].File), Note));
}

static void reportProblems(const Session &S, SessionResult &Result) {
  std::set<LeftOut> Kernels;
  std::set<std::string> HostErrors;
  const auto Fail = [&](const std::string &Why) {
    printError(Why);
    Result.Errors.push_back(Why);
    Result.FilesFailed = true;
  };
  if (const std::string Why = interrupted(S, Result.Reports); !Why.empty())
    Fail(Why);
  if (const auto Unanswered =
          llvm::count_if(Result.Reports, std::mem_fn(&UnitReport::AsksNvcc)))
    Fail(fmt::format(
        "interrupted before nvcc had answered about {} file{}, whose "
        "private arrays are left out",
        Unanswered, Unanswered == 1 ? "" : "s"));
  for (size_t I = 0; I < Result.Reports.size(); ++I) {
    const UnitReport &Report = Result.Reports[I];
    if (!Report.Failure.empty() && !Report.IsInterrupted)
      Fail(Report.Failure);
    Result.KernelsFailed |=
        reportMissing(S.From.Units[I].File, Report, S.From.askedOf(I),
                      S.Options.Quiet, Kernels, Result.Errors);
    if (S.Options.Quiet)
      continue;
    if (!Report.ArraysLost.empty())
      printNote(Report.ArraysLost);
    reportHostErrors(S.From.Units[I].File, Report, HostErrors);
  }
  if (!S.Options.Quiet) {
    reportLaunches(S, Result.Reports);
    reportNoKernels(S, Result.Reports);
  }
  Result.FilesFailed |= !checkIncluded(S, Result.Reports, Result.Errors);
}

std::optional<nvcc::Nvcc> compilerOf(const Session &S) {
  if (!S.Options.UseNvcc)
    return std::nullopt;
  return std::optional<nvcc::Nvcc>(
      std::in_place, nvcc::findNvcc(S.Options.CudaPath), S.Options.Jobs);
}

void sayIfNotConfined(const Session &S) {
  if (!S.Options.Quiet && !confinement::isAvailable())
    printNote("this system has no filter for system calls (seccomp): the "
              "processes that read the code are limited in memory and time "
              "only");
}

PoolOptions poolOptions(const AnalysisOptions &Options, unsigned Seconds) {
  PoolOptions Pool;
  Pool.Jobs = Options.Jobs;
  Pool.TimeLimit = std::chrono::seconds(Options.TimeLimit.value_or(Seconds));
  Pool.MemoryLimit = uint64_t(Options.MemoryLimit) << 20;
  return Pool;
}

/// What every unit is analysed with. The error names a buffer that cannot be
/// read.
static llvm::Expected<pipeline::AnalyzeOptions>
analyzeOptions(const Session &S) {
  pipeline::AnalyzeOptions Options = optionsFor(S.Device);
  Options.BlockOverrides = S.Options.Blocks;
  for (const reuse::Buffer &B : S.Options.Buffers) {
    auto Contents = contentsOf(B);
    if (!Contents)
      return Contents.takeError();
    Options.Contents[B.Name] = std::move(*Contents);
  }
  Options.Arguments = S.Options.Arguments;
  Options.Host.CommandLine = S.Options.ProgramArguments;
  Options.Begun = S.Begun;
  Options.Known = S.Known;
  return Options;
}

/// For the results of kernels that are to be looked at again, some thousand.
constexpr size_t KnownBytes = size_t(8) << 20;

void rememberKernels(Session &S) {
  if (!S.Known || S.Known->isFull())
    S.Known = pipeline::KernelResults::create(KnownBytes);
}

void beginAnalysis(Session &S) {
  auto Options = analyzeOptions(S);
  if (Options && !S.From.Units.empty())
    S.Begun = pipeline::BegunAnalysis::begin(S.From.Units.front(), *Options);
  else
    llvm::consumeError(Options.takeError()); // it will be said
}

constexpr unsigned UnitSeconds = 120;

std::vector<UnitReport> analyzeAgain(const Session &S,
                                     const Summary &Summarize) {
  // Buffers were read before, so nothing is wrong with them.
  return analyzeProject(S.From, llvm::cantFail(analyzeOptions(S)),
                        poolOptions(S.Options, UnitSeconds), Summarize,
                        /*Compiler=*/nullptr, /*Known=*/nullptr,
                        S.Options.Quiet);
}

std::vector<UnitReport>
analyzeEdited(const Session &S, const std::vector<UnitReport> &Before,
              const std::map<std::string, std::string> &Edited,
              const Summary &Summarize) {
  std::vector<UnitReport> Reports = Before;
  // It was read before, so nothing is wrong with it.
  const auto Options = llvm::cantFail(analyzeOptions(S));
  Inputs Again;
  Again.Others = S.From.Others;
  std::vector<size_t> Numbers;
  for (size_t I = 0; I != Before.size(); ++I) {
    frontend::DeviceCommand Unit = S.From.Units[I];
    const bool Reads =
        llvm::any_of(Before[I].Files, [&](const std::string &File) {
          return Edited.count(File) != 0;
        });
    if (!Reads) {
      Again.Others.push_back(std::move(Unit));
      continue;
    }
    // These go before what the unit has been read with.
    std::map<std::string, std::string> Texts = Edited;
    if (Unit.Edited)
      Texts.insert(Unit.Edited->begin(), Unit.Edited->end());
    Unit.Edited = std::make_shared<const std::map<std::string, std::string>>(
        std::move(Texts));
    Again.Units.push_back(std::move(Unit));
    Numbers.push_back(I);
  }
  std::vector<UnitReport> Now = analyzeProject(
      Again, Options, poolOptions(S.Options, UnitSeconds), Summarize,
      /*Compiler=*/nullptr, S.Store.get(), S.Options.Quiet);
  for (size_t I = 0; I != Numbers.size(); ++I)
    Reports[Numbers[I]] = std::move(Now[I]);
  return Reports;
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
    Result.Errors.push_back(Problem);
    Result.FilesFailed = true;
  }
  auto Options = analyzeOptions(S);
  if (!Options) {
    printError(Options.takeError());
    Result.FilesFailed = true;
    return Result;
  }
  sayIfNotConfined(S);
  const PoolOptions Pool = poolOptions(S.Options, UnitSeconds);
  std::optional<nvcc::Nvcc> Compiler = compilerOf(S);
  stopOnInterrupt();
  Result.Reports = analyzeProject(S.From, *Options, Pool, Summarize,
                                  Compiler ? &*Compiler : nullptr,
                                  S.Store.get(), S.Options.Quiet);
  reportProblems(S, Result);
  return Result;
}

} // namespace warpwise::tool
