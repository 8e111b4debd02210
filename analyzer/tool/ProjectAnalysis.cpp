//===- ProjectAnalysis.cpp ------------------------------------------------===//

#include "analyzer/tool/ProjectAnalysis.h"

#include "analyzer/frontend/SpacedLaunches.h"
#include "analyzer/launch/LaunchCollector.h"
#include "analyzer/tool/HostFiles.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/SourceFiles.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <set>

namespace warpwise::tool {

using frontend::DeviceCommand;

/// How many files that nobody asked for are parsed in search of launches.
constexpr size_t MaxOthers = 16;

/// A launch, and who has seen it.
using SeenIn = std::pair<const launch::Launch *, const UnitReport *>;
/// The launches of each kernel, by mangled name.
using LaunchTable = std::map<std::string, std::vector<SeenIn>>;

static UnitReport failure(llvm::Error Problem) {
  UnitReport Report;
  Report.Failure = llvm::toString(std::move(Problem));
  return Report;
}

static UnitReport analyzeUnit(const DeviceCommand &Unit,
                              const pipeline::AnalyzeOptions &Options,
                              const Summary &Summarize) {
  llvm::Expected<pipeline::AnalyzeResult> Result =
      pipeline::analyze(Unit, Options);
  if (!Result)
    return failure(Result.takeError());
  UnitReport Report = makeReport(*Result);
  Report.Payload = Summarize(*Result);
  return Report;
}

static UnitReport findLaunches(const DeviceCommand &Unit,
                               const launch::HostSettings &Host) {
  UnitReport Report;
  llvm::Error Problem =
      frontend::parseHostCode(Unit, [&](clang::ASTContext &AST) {
        Report.Launches =
            launch::collectLaunches({{&AST}, Host}, Report.LaunchNotes);
        const frontend::OpenedFiles Files = frontend::openedFiles(AST, Unit);
        Report.Files = sortedNames(Files.Users);
        Report.SystemFiles = sortedNames(Files.System);
      });
  if (Problem)
    return failure(std::move(Problem));
  return Report;
}

namespace {

/// Runs one task for each command and reads the reports.
class Runner {
public:
  Runner(const PoolOptions &Pool, ReportStore *Store, bool Quiet)
      : Pool(Pool), Store(Store), Quiet(Quiet) {}

  /// \p Options: what the task does with the unit depends on nothing else.
  void add(Task What, const DeviceCommand &Unit,
           const pipeline::AnalyzeOptions &Options,
           std::function<UnitReport()> Do) {
    Entry &New = Entries.emplace_back();
    if (Store)
      New.Name = Store->nameOf(What, Unit, Options);
    if (New.Name)
      New.Known = Store->find(*New.Name);
    if (New.Known)
      return;
    New.File = Unit.File;
    New.Task = Tasks.size();
    Files.push_back(displayPath(Unit.File));
    Tasks.push_back([Do = std::move(Do)] { return writeReport(Do()); });
  }

  std::vector<UnitReport> run() {
    Progress Shown(Tasks.size(), Quiet);
    const std::vector<Outcome> Outcomes =
        runTasks(Tasks, Pool, [&](size_t I) { Shown.step(Files[I]); });
    std::vector<UnitReport> Reports;
    for (Entry &Each : Entries)
      Reports.push_back(Each.Known ? std::move(*Each.Known)
                                   : read(Each, Outcomes[Each.Task]));
    return Reports;
  }

private:
  struct Entry {
    std::optional<std::string> Name; ///< in the store
    std::optional<UnitReport> Known; ///< from there
    size_t Task = 0;                 ///< without
    std::string File;                ///< as well
  };

  UnitReport read(const Entry &Its, const Outcome &How) const {
    UnitReport Report;
    if (How.How == Outcome::Kind::Finished)
      Report = readReport(How.Output);
    else
      Report.Failure = describeFailure(Files[Its.Task], How, Pool);
    Report.IsInterrupted = How.How == Outcome::Kind::Interrupted;
    Report.IsLost = How.How != Outcome::Kind::Finished && !Report.IsInterrupted;
    if (Its.Name)
      Store->keep(*Its.Name, Its.File, Report);
    return Report;
  }

  const PoolOptions &Pool;
  ReportStore *Store;
  bool Quiet;
  std::vector<Entry> Entries;
  std::vector<std::string> Files; ///< as Tasks
  std::vector<Work> Tasks;
};

} // namespace

/// False for kernels in an unnamed namespace and static ones outside of
/// namespaces: another file's launch of that name is of another kernel.
static bool isVisibleElsewhere(llvm::StringRef Mangled) {
  return !Mangled.starts_with("_ZL") && !Mangled.contains("_GLOBAL__N_");
}

/// "filterNoise" of "_ZN3mnf11filterNoiseEPKhPsii".
static std::string baseName(const std::string &Mangled) {
  llvm::ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Mangled.c_str()))
    return Mangled; // extern "C"
  char *Name = Demangler.getFunctionBaseName(nullptr, nullptr);
  std::string Result = Name ? Name : Mangled;
  std::free(Name);
  return Result;
}

static void addLaunches(LaunchTable &Table,
                        const std::vector<UnitReport> &Reports) {
  for (const UnitReport &Report : Reports)
    for (const launch::Launch &L : Report.Launches)
      Table[L.Mangled].push_back({&L, &Report});
}

/// The file in which \p Report has a kernel of that name, or empty.
static llvm::StringRef fileOf(const std::string &Mangled,
                              const UnitReport &Report) {
  const auto At = llvm::find(Report.Kernels, Mangled);
  return At == Report.Kernels.end()
             ? llvm::StringRef()
             : Report.KernelFiles[At - Report.Kernels.begin()];
}

/// What other files know about a kernel that \p Report has no launch for. Who
/// has a kernel of that name in another file launches that one.
static std::vector<const launch::Launch *>
launchesElsewhere(const std::string &Mangled, const UnitReport &Report,
                  const LaunchTable &Table) {
  std::vector<const launch::Launch *> Found;
  const auto Known = Table.find(Mangled);
  if (Known == Table.end() || !isVisibleElsewhere(Mangled))
    return Found;
  for (const auto &[Launch, By] : Known->second) {
    const llvm::StringRef Own = fileOf(Mangled, *By);
    if (Own.empty() || Own == fileOf(Mangled, Report))
      Found.push_back(Launch);
  }
  return Found;
}

/// Kernels without a launch anywhere in \p Table.
static std::set<std::string>
findOrphans(const LaunchTable &Table, const std::vector<UnitReport> &Reports) {
  std::set<std::string> Orphans;
  for (const UnitReport &Report : Reports)
    for (const std::string &Mangled : Report.KernelsWithoutLaunch)
      if (isVisibleElsewhere(Mangled) &&
          launchesElsewhere(Mangled, Report, Table).empty())
        Orphans.insert(Mangled);
  return Orphans;
}

/// The names in the heads of the kernels that \p Text defines: their own, and
/// those of what they take.
static llvm::StringSet<> namesOfKernels(llvm::StringRef Text) {
  constexpr llvm::StringLiteral Mark = "__global__";
  llvm::StringSet<> Names;
  for (size_t At = Text.find(Mark); At != llvm::StringRef::npos;
       At = Text.find(Mark, At + Mark.size())) {
    const size_t End = Text.find_first_of(";{", At);
    if (End != llvm::StringRef::npos && Text[End] == '{')
      anyWord(Text.slice(At, End), [&](llvm::StringRef Word) {
        Names.insert(Word);
        return false;
      });
  }
  return Names;
}

/// Whether the text of \p File could launch one of \p Kernels. Parsing every
/// file of a large project for one kernel would take minutes. A file with a
/// kernel of that name launches its own.
static bool mentions(const DeviceCommand &Unit,
                     const std::set<std::string> &Kernels) {
  const std::optional<std::string> Source = readSource(Unit.File, Unit.Edited);
  if (!Source)
    return false;
  const auto Joined = frontend::joinLaunchBrackets(*Source);
  const llvm::StringRef Text = Joined ? *Joined : *Source;
  if (!Text.contains("<<<") && !Text.contains("cudaLaunch"))
    return false;
  const llvm::StringSet<> Own = namesOfKernels(Text);
  llvm::StringSet<> Wanted;
  for (const std::string &Mangled : Kernels)
    if (const std::string Name = baseName(Mangled); !Own.contains(Name))
      Wanted.insert(Name);
  return anyWord(Text,
                 [&](llvm::StringRef Word) { return Wanted.contains(Word); });
}

/// Launches of \p Orphans in the project's other files.
static std::vector<UnitReport>
searchLaunches(const std::vector<DeviceCommand> &Others,
               const std::set<std::string> &Orphans,
               const pipeline::AnalyzeOptions &Options, const PoolOptions &Pool,
               ReportStore *Store, bool Quiet) {
  Runner Search(Pool, Store, Quiet);
  size_t Searched = 0;
  for (const DeviceCommand &Other : Others) {
    if (Orphans.empty() || Searched == MaxOthers)
      break;
    if (!mentions(Other, Orphans))
      continue;
    ++Searched;
    Search.add(Task::FindLaunches, Other, Options, [&Other, &Options] {
      return findLaunches(Other, Options.Host);
    });
  }
  return Search.run();
}

/// What other files know about the kernels that \p Report has no launch for.
static std::vector<launch::Launch> foreignLaunches(const UnitReport &Report,
                                                   const LaunchTable &Table) {
  std::vector<launch::Launch> Found;
  for (const std::string &Mangled : Report.KernelsWithoutLaunch)
    for (const launch::Launch *L : launchesElsewhere(Mangled, Report, Table))
      Found.push_back(*L);
  return Found;
}

static std::shared_ptr<const nvcc::Answer> share(nvcc::Answer Says) {
  return std::make_shared<const nvcc::Answer>(std::move(Says));
}

/// The optimiser that private arrays are put to may be what a unit was lost to:
/// such units are analysed once more without them.
static void tryWithoutArrays(const Inputs &From,
                             const pipeline::AnalyzeOptions &Options,
                             const PoolOptions &Pool, const Summary &Summarize,
                             ReportStore *Store, bool Quiet,
                             std::vector<UnitReport> &Reports) {
  pipeline::AnalyzeOptions Less = Options;
  Less.PrivateArrays = false;
  Runner Again(Pool, Store, Quiet);
  std::vector<size_t> Lost;
  for (size_t I = 0; I < Reports.size(); ++I) {
    if (!Reports[I].IsLost)
      continue;
    Lost.push_back(I);
    const DeviceCommand &Unit = From.Units[I];
    Again.add(Task::Analyse, Unit, Less, [&Unit, &Less, &Summarize] {
      return analyzeUnit(Unit, Less, Summarize);
    });
  }
  std::vector<UnitReport> Better = Again.run();
  for (size_t I = 0; I < Lost.size(); ++I) {
    if (Better[I].IsLost || Better[I].IsInterrupted)
      continue;
    Better[I].ArraysLost = fmt::format("{}; private arrays were left out",
                                       Reports[Lost[I]].Failure);
    Reports[Lost[I]] = std::move(Better[I]);
  }
}

std::vector<UnitReport>
analyzeProject(const Inputs &From, const pipeline::AnalyzeOptions &Options,
               const PoolOptions &Pool, const Summary &Summarize,
               nvcc::Nvcc *Compiler, ReportStore *Store, bool Quiet) {
  std::vector<pipeline::AnalyzeOptions> Known(From.Units.size(), Options);
  for (size_t I = 0; I < Known.size(); ++I) {
    Known[I].Rest = programOf(From.Units[I], From);
    if (!Compiler)
      Known[I].FromNvcc = share({"nvcc was not asked", {}});
    else if (std::optional<nvcc::Answer> Says = Compiler->known(From.Units[I]))
      Known[I].FromNvcc = share(std::move(*Says));
    Known[I].AwaitsNvcc = !Known[I].FromNvcc;
  }
  Runner First(Pool, Store, Quiet);
  for (size_t I = 0; I < From.Units.size(); ++I)
    First.add(Task::Analyse, From.Units[I], Known[I], [&, I] {
      return analyzeUnit(From.Units[I], Known[I], Summarize);
    });
  std::vector<UnitReport> Reports = First.run();
  tryWithoutArrays(From, Options, Pool, Summarize, Store, Quiet, Reports);
  if (wasInterrupted())
    return Reports;
  for (size_t I = 0; I < Reports.size(); ++I)
    if (Compiler && Reports[I].AsksNvcc)
      Compiler->ask(I, From.Units[I]);

  LaunchTable Table;
  addLaunches(Table, Reports);
  const std::vector<UnitReport> Searched = searchLaunches(
      From.Others, findOrphans(Table, Reports), Options, Pool, Store, Quiet);
  addLaunches(Table, Searched);
  std::vector<std::string> LaunchFiles;
  for (const UnitReport &Report : Searched)
    LaunchFiles.insert(LaunchFiles.end(), Report.Files.begin(),
                       Report.Files.end());
  std::set<size_t> Again;
  if (Compiler)
    for (auto &[I, Says] : Compiler->takeAnswers(wasInterrupted)) {
      Known[I].FromNvcc = share(std::move(Says));
      Known[I].AwaitsNvcc = false;
      Again.insert(I);
    }
  for (size_t I = 0; I < Reports.size(); ++I) {
    Known[I].ForeignLaunches = foreignLaunches(Reports[I], Table);
    Known[I].PrivateArrays = Reports[I].ArraysLost.empty();
    if (!Known[I].ForeignLaunches.empty())
      Again.insert(I);
  }

  Runner Second(Pool, Store, Quiet);
  for (const size_t I : Again)
    Second.add(Task::Analyse, From.Units[I], Known[I], [&, I] {
      return analyzeUnit(From.Units[I], Known[I], Summarize);
    });
  std::vector<UnitReport> Better = Second.run();
  size_t Next = 0;
  for (const size_t I : Again) {
    UnitReport &Now = Better[Next++];
    if (Now.IsInterrupted) // what was known before still stands
      continue;
    Now.ArraysLost = std::move(Reports[I].ArraysLost);
    Reports[I] = std::move(Now);
    if (!Known[I].ForeignLaunches.empty())
      llvm::append_range(Reports[I].OtherFiles, LaunchFiles);
  }
  return Reports;
}

} // namespace warpwise::tool
