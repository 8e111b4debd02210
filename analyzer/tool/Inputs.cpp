//===- Inputs.cpp ---------------------------------------------------------===//

#include "analyzer/tool/Inputs.h"

#include "analyzer/tool/IncludeScan.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/SourceFiles.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

namespace warpwise::tool {

using clang::tooling::CompilationDatabase;
using clang::tooling::CompileCommand;
using frontend::DeviceCommand;
using llvm::createStringError;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// Of one file; a build that has more of them varies numbers in a loop.
constexpr size_t MostCommands = 8;
/// Units that a header is looked at through: templates have other instances in
/// each.
constexpr size_t MostIncluders = 3;

/// A compile database and what it says about CUDA files.
class Project {
public:
  Project(std::unique_ptr<CompilationDatabase> Database,
          const InputChoice &Choice)
      : Database(std::move(Database)), Choice(Choice) {
    if (!this->Database)
      return;
    for (CompileCommand &Command : this->Database->getAllCompileCommands()) {
      std::string File = normalize(Command.Filename, Command.Directory);
      Known.insert(File);
      if (frontend::isCudaCommand(Command))
        Commands[std::move(File)].push_back(std::move(Command));
      else if (isHostSource(File))
        HostCommands.try_emplace(std::move(File), std::move(Command));
    }
  }

  /// True when the user asked for this database with -p.
  bool named() const { return !Choice.Database.empty(); }
  /// Why \p Path has no command, for a note; empty when the user knows.
  std::string explainMissing(const std::string &Path) const {
    if (!Choice.Search)
      return {};
    return fmt::format("{} '{}'; default flags are used",
                       Database ? "the compile database that was found does "
                                  "not cover"
                                : "no compile database for",
                       Path);
  }
  bool knows(llvm::StringRef File) const { return Known.contains(File); }
  /// By absolute path; a file that is compiled several times has several.
  const std::map<std::string, std::vector<CompileCommand>> &
  cudaCommands() const {
    return Commands;
  }
  /// Of the C++ files, which may launch kernels through the runtime.
  const std::map<std::string, CompileCommand> &hostCommands() const {
    return HostCommands;
  }

private:
  std::unique_ptr<CompilationDatabase> Database;
  const InputChoice &Choice;
  llvm::StringSet<> Known;
  std::map<std::string, std::vector<CompileCommand>> Commands;
  std::map<std::string, CompileCommand> HostCommands;
};

/// Fills an Inputs; each method returns the error that ends the run.
class Collector {
public:
  Collector(const Project &From, const InputChoice &Choice,
            const frontend::CommandOptions &Options)
      : From(From), Choice(Choice), Options(Options) {}

  llvm::Error addFile(const std::string &Path);
  llvm::Error addFolder(const std::string &Folder);
  llvm::Error addSources(const std::string &Folder);
  llvm::Error addDatabase();
  /// Files without a command wait until all that have one are known.
  llvm::Error addPending();
  llvm::Expected<Inputs> finish();

private:
  /// A file that the database does not know.
  struct PendingFile {
    std::string Path; ///< as it was given
    std::string File; ///< normalized
    bool WasNamed;    ///< and not found in a folder
  };

  llvm::Expected<std::vector<DeviceCommand>>
  translate(const std::string &Path,
            const std::vector<CompileCommand> &Commands);
  void addFound(const std::string &File,
                const std::vector<CompileCommand> *Commands);
  bool isExcluded(const std::string &File);
  const std::vector<DeviceCommand> &databaseUnits();
  bool addThroughUnit(const PendingFile &Waiting);
  bool addThroughDatabase(const PendingFile &Waiting);
  bool addThroughOpen(const PendingFile &Waiting);
  llvm::Error addWithDefaults();
  void add(std::vector<DeviceCommand> Commands);
  void note(const std::string &Text);

  const Project &From;
  const InputChoice &Choice;
  const frontend::CommandOptions &Options;
  Inputs Result;
  llvm::StringSet<> Seen;
  std::vector<PendingFile> Pending;
  bool LeftOut = false;
  IncludeScan Scan;
  std::optional<std::vector<DeviceCommand>> AllOfDatabase;
};

/// Whether two commands come to the same analysis.
bool isSame(const DeviceCommand &A, const DeviceCommand &B) {
  return A.Directory == B.Directory && A.Arguments == B.Arguments &&
         A.AnalysedArch == B.AnalysedArch && A.Cuda.Path == B.Cuda.Path &&
         A.MaxRegisters == B.MaxRegisters &&
         A.RestrictPointers == B.RestrictPointers;
}

/// Whether a file that no command compiles may be code at all.
bool hasSourceSuffix(llvm::StringRef File) {
  static constexpr llvm::StringLiteral Suffixes[] = {
      ".cu",  ".cuh", ".h",   ".hh",  ".hpp",  ".hxx", ".h++", ".cuhpp",
      ".c",   ".cc",  ".cpp", ".cxx", ".c++",  ".inl", ".inc", ".ipp",
      ".tpp", ".tcc", ".txx", ".ixx", ".impl", ".def", ".in",  ".cui"};
  return llvm::is_contained(Suffixes, path::extension(File).lower());
}

/// How likely \p Unit is the one that a header was written for: of the same
/// name, then near it.
std::pair<bool, size_t> nearness(llvm::StringRef Unit, llvm::StringRef Header) {
  const auto [At, End] =
      std::mismatch(Unit.begin(), Unit.end(), Header.begin(), Header.end());
  return {path::stem(Unit) == path::stem(Header), size_t(At - Unit.begin())};
}

} // namespace

void Collector::note(const std::string &Text) {
  bool Said = llvm::is_contained(Result.Notes, Text);
  if (!Text.empty() && !Said)
    Result.Notes.push_back(Text);
}

void Collector::add(std::vector<DeviceCommand> Commands) {
  for (DeviceCommand &Command : Commands) {
    for (const std::string &Text : Command.Notes)
      note(Text);
    Result.Units.push_back(std::move(Command));
  }
}

bool Collector::isExcluded(const std::string &File) {
  const bool Is = Choice.IsExcluded && Choice.IsExcluded(File);
  LeftOut |= Is;
  return Is;
}

llvm::Expected<std::vector<DeviceCommand>>
Collector::translate(const std::string &Path,
                     const std::vector<CompileCommand> &Commands) {
  std::vector<DeviceCommand> Different;
  for (const CompileCommand &Command : Commands) {
    auto Device = frontend::translateCommand(Command, Options);
    if (!Device)
      return Device.takeError();
    if (llvm::none_of(Different, [&](const DeviceCommand &Other) {
          return isSame(Other, *Device);
        }))
      Different.push_back(std::move(*Device));
  }
  const size_t Most = Choice.OnePerFile ? 1 : MostCommands;
  if (Different.size() > Most) {
    note(fmt::format("'{}' has {} compile commands that differ; the first{} "
                     "used, the others are left out",
                     displayPath(Path), Different.size(),
                     Most == 1 ? " is" : fmt::format(" {} are", Most)));
    Different.resize(Most);
  } else if (Different.size() > 1) {
    note(fmt::format("'{}' has {} compile commands that differ; it is analysed "
                     "under each",
                     Path, Different.size()));
  }
  return Different;
}

llvm::Error Collector::addFile(const std::string &Path) {
  const std::string File = normalize(Path);
  // A text in an editor need not be a file yet.
  const bool IsEdited = Options.Edited && Options.Edited->count(File);
  if (!IsEdited)
    if (llvm::Error Problem = checkUsable(Path))
      return Problem;
  if (!Seen.insert(File).second || isExcluded(File))
    return llvm::Error::success();
  const auto Known = From.cudaCommands().find(File);
  if (Known != From.cudaCommands().end()) {
    auto Commands = translate(Path, Known->second);
    if (!Commands)
      return Commands.takeError();
    add(std::move(*Commands));
    return llvm::Error::success();
  }
  if (From.knows(File))
    return createStringError(
        fmt::format("'{}' is not CUDA code by its compile command", Path));
  if (!hasSourceSuffix(File))
    return createStringError(fmt::format(
        "'{}' is no source: its name does not end as CUDA or C++ code does",
        Path));
  Pending.push_back({Path, File, /*WasNamed=*/true});
  return llvm::Error::success();
}

void Collector::addFound(const std::string &File,
                         const std::vector<CompileCommand> *Commands) {
  if (!Seen.insert(File).second || isExcluded(File))
    return;
  if (llvm::Error Problem = checkUsable(File)) {
    Result.Problems.push_back(toString(std::move(Problem)));
    return;
  }
  if (!Commands) {
    Pending.push_back({File, File, /*WasNamed=*/false});
    return;
  }
  if (auto Translated = translate(File, *Commands))
    add(std::move(*Translated));
  else
    Result.Problems.push_back(llvm::toString(Translated.takeError()));
}

llvm::Error Collector::addFolder(const std::string &Folder) {
  std::error_code Error;
  fs::directory_iterator Readable(Folder, Error);
  if (Error)
    return cannotReadFolder(Folder, Error);
  std::string Root = normalize(Folder);
  bool Found = false;
  for (const auto &[File, Commands] : From.cudaCommands()) {
    if (!isBelow(File, Root))
      continue;
    Found = true;
    addFound(File, &Commands);
  }
  if (Found)
    return llvm::Error::success();
  if (From.named())
    return createStringError(fmt::format(
        "no CUDA file of the compile database is below '{}'", Folder));
  return addSources(Folder);
}

/// What to do with a folder that no compile database covers.
llvm::Error Collector::addSources(const std::string &Folder) {
  llvm::Expected<std::vector<std::string>> Sources = findSources(Folder);
  if (!Sources)
    return Sources.takeError();
  if (Sources->empty())
    return createStringError(
        fmt::format("no CUDA files (*.cu, *.cuh) below '{}'", Folder));
  note(From.explainMissing(Folder));
  for (const std::string &File : *Sources)
    addFound(File, nullptr);
  return llvm::Error::success();
}

llvm::Error Collector::addDatabase() {
  if (From.cudaCommands().empty())
    return createStringError("the compile database lists no CUDA file");
  for (const auto &[File, Commands] : From.cudaCommands())
    addFound(File, &Commands);
  return llvm::Error::success();
}

bool FilesOfUnit::contains(const std::string &File) const {
  return !Only || Only->count(normalize(File));
}

bool FilesOfUnit::isMain(const std::string &File) const {
  return Only ? contains(File) : File == Main || normalize(File) == Main;
}

FilesOfUnit Inputs::askedOf(size_t Unit) const {
  const auto At = Through.find(Unit);
  return {Units[Unit].File, At == Through.end() ? nullptr : &At->second};
}

void Inputs::keepOnly(const std::set<std::string> &Files) {
  std::vector<DeviceCommand> Kept, Left;
  std::map<size_t, std::set<std::string>> ThroughKept;
  for (size_t I = 0; I != Units.size(); ++I) {
    if (!Files.count(Units[I].File)) {
      Left.push_back(std::move(Units[I]));
      continue;
    }
    if (const auto At = Through.find(I); At != Through.end())
      ThroughKept[Kept.size()] = std::move(At->second);
    Kept.push_back(std::move(Units[I]));
  }
  Units = std::move(Kept);
  Through = std::move(ThroughKept);
  Others.insert(Others.begin(), std::make_move_iterator(Left.begin()),
                std::make_move_iterator(Left.end()));
  // Whether a unit reads them is not known of those that are left out.
  if (!Left.empty())
    Included.clear();
}

//===--- Files without a command ------------------------------------------===//

const std::vector<DeviceCommand> &Collector::databaseUnits() {
  if (AllOfDatabase)
    return *AllOfDatabase;
  AllOfDatabase.emplace();
  for (const auto &[File, Commands] : From.cudaCommands()) {
    if (llvm::errorToBool(checkUsable(File)))
      continue;
    // Nobody asked for this file, so what is wrong with it is not reported.
    if (auto Device = frontend::translateCommand(Commands.front(), Options))
      AllOfDatabase->push_back(std::move(*Device));
    else
      llvm::consumeError(Device.takeError());
  }
  return *AllOfDatabase;
}

/// False when no unit that is analysed in any case includes it.
bool Collector::addThroughUnit(const PendingFile &Waiting) {
  for (size_t I = 0; I != Result.Units.size(); ++I)
    if (!Result.Through.count(I) &&
        Scan.includes(Result.Units[I], Waiting.File)) {
      Result.Included.push_back({Waiting.File, Waiting.WasNamed});
      note(fmt::format("'{}' is analysed through '{}', which includes it",
                       displayPath(Waiting.File),
                       displayPath(Result.Units[I].File)));
      return true;
    }
  return false;
}

/// False when no unit of the database includes it.
bool Collector::addThroughDatabase(const PendingFile &Waiting) {
  std::vector<const DeviceCommand *> Nearest;
  for (const DeviceCommand &Unit : databaseUnits())
    Nearest.push_back(&Unit);
  llvm::sort(Nearest, [&](const auto *A, const auto *B) {
    const auto NearA = nearness(A->File, Waiting.File);
    const auto NearB = nearness(B->File, Waiting.File);
    return NearA != NearB ? NearA > NearB : A->File < B->File;
  });
  std::vector<std::string> Includers;
  for (const DeviceCommand *Unit : Nearest) {
    if (Includers.size() == MostIncluders)
      break;
    if (!Scan.includes(*Unit, Waiting.File))
      continue;
    Includers.push_back("'" + displayPath(Unit->File) + "'");
    size_t Number = 0;
    while (Number != Result.Units.size() &&
           !(Result.Through.count(Number) &&
             Result.Units[Number].File == Unit->File))
      ++Number;
    if (Number == Result.Units.size())
      add({*Unit});
    Result.Through[Number].insert(Waiting.File);
  }
  if (Includers.empty())
    return false;
  Result.Included.push_back({Waiting.File, Waiting.WasNamed});
  note(fmt::format("'{}' is analysed through {}, which include{} it",
                   displayPath(Waiting.File), fmt::join(Includers, ", "),
                   Includers.size() == 1 ? "s" : ""));
  return true;
}

/// False when none of the sources that are open includes it. These have no
/// command, or the database would have said so.
bool Collector::addThroughOpen(const PendingFile &Waiting) {
  if (!Choice.Open || isHostSource(Waiting.File))
    return false;
  for (const std::string &File : *Choice.Open) {
    if (normalize(File) == Waiting.File || !isHostSource(File) ||
        From.knows(File))
      continue;
    auto Unit = frontend::defaultCommand(normalize(File), Options);
    if (!Unit) {
      llvm::consumeError(Unit.takeError()); // nobody asked for it
      continue;
    }
    if (!Scan.includes(*Unit, Waiting.File))
      continue;
    Result.Through[Result.Units.size()].insert(Waiting.File);
    add({std::move(*Unit)});
    Result.Included.push_back({Waiting.File, Waiting.WasNamed});
    return true;
  }
  return false;
}

/// What is left gets default flags, but for files that others of them include.
llvm::Error Collector::addWithDefaults() {
  std::vector<DeviceCommand> Commands;
  for (const PendingFile &Waiting : Pending) {
    auto Command = frontend::defaultCommand(Waiting.File, Options);
    if (!Command)
      return Command.takeError();
    Commands.push_back(std::move(*Command));
  }
  std::map<std::string, std::vector<size_t>> Includers;
  for (size_t I = 0; I != Commands.size(); ++I)
    for (const std::string &File : Scan.includedBy(Commands[I]))
      Includers[File].push_back(I);
  for (size_t I = 0; I != Pending.size(); ++I) {
    const std::vector<size_t> &All = Includers[Pending[I].File];
    // Of two that include each other, each is a unit.
    const auto Includer = llvm::find_if(All, [&](size_t Other) {
      return !Scan.includes(Commands[I], Pending[Other].File);
    });
    if (Includer != All.end()) {
      Result.Included.push_back({Pending[I].File, Pending[I].WasNamed});
      note(fmt::format("'{}' is analysed through '{}', which includes it",
                       displayPath(Pending[I].File),
                       displayPath(Pending[*Includer].File)));
      continue;
    }
    if (Pending[I].WasNamed)
      note(From.explainMissing(Pending[I].Path));
    if (!isHostSource(Pending[I].File))
      Result.Alone.insert(Pending[I].File);
    add({Commands[I]});
  }
  return llvm::Error::success();
}

llvm::Error Collector::addPending() {
  std::vector<PendingFile> Left;
  for (const PendingFile &Waiting : Pending) {
    if (addThroughUnit(Waiting) || addThroughDatabase(Waiting) ||
        addThroughOpen(Waiting))
      continue;
    if (From.named() && !(Choice.Open && !isHostSource(Waiting.File)))
      return createStringError(fmt::format(
          "'{}' is not in the compile database, and no file of it includes it",
          Waiting.Path));
    Left.push_back(Waiting);
  }
  Pending = std::move(Left);
  return addWithDefaults();
}

llvm::Expected<Inputs> Collector::finish() {
  if (Result.Units.empty() && Result.Problems.empty() && LeftOut)
    return createStringError("--exclude leaves no file to analyse");
  for (const DeviceCommand &Unit : databaseUnits())
    if (!Seen.contains(normalize(Unit.File)))
      Result.Others.push_back(Unit);
  for (const auto &[File, Command] : From.hostCommands()) {
    if (llvm::errorToBool(checkUsable(File)))
      continue;
    if (auto Host = frontend::translateCommand(Command, Options))
      Result.Others.push_back(std::move(*Host));
    else
      llvm::consumeError(Host.takeError());
  }
  return std::move(Result);
}

static std::unique_ptr<CompilationDatabase>
findDatabaseFor(const std::vector<std::string> &Paths) {
  if (Paths.empty())
    return nullptr;
  llvm::SmallString<256> Inside(normalize(Paths.front()));
  if (fs::is_directory(Inside))
    path::append(Inside, "any.cu");
  return frontend::findDatabase(Inside);
}

llvm::Expected<Inputs> collectInputs(const std::vector<std::string> &Paths,
                                     const InputChoice &Choice,
                                     const frontend::CommandOptions &Options) {
  if (Paths.empty() && Choice.Database.empty())
    return createStringError("no files given; see 'warpwise check --help'");
  std::unique_ptr<CompilationDatabase> Loaded;
  if (!Choice.Database.empty()) {
    auto Result = frontend::loadDatabase(Choice.Database);
    if (!Result)
      return Result.takeError();
    Loaded = std::move(*Result);
  } else if (Choice.Search) {
    Loaded = findDatabaseFor(Paths);
  }
  Project From(std::move(Loaded), Choice);
  Collector Collect(From, Choice, Options);
  if (Paths.empty())
    if (llvm::Error Problem = Collect.addDatabase())
      return std::move(Problem);
  for (const std::string &Path : Paths)
    if (llvm::Error Problem = fs::is_directory(Path) ? Collect.addFolder(Path)
                                                     : Collect.addFile(Path))
      return std::move(Problem);
  if (llvm::Error Problem = Collect.addPending())
    return std::move(Problem);
  return Collect.finish();
}

} // namespace warpwise::tool
