//===- Inputs.cpp ---------------------------------------------------------===//

#include "analyzer/tool/Inputs.h"

#include "analyzer/tool/SourceFiles.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

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

/// A compile database and what it says about CUDA files.
class Project {
public:
  Project(std::unique_ptr<CompilationDatabase> Database,
          const DatabaseChoice &Choice)
      : Database(std::move(Database)), Choice(Choice) {
    if (!this->Database)
      return;
    for (CompileCommand &Command : this->Database->getAllCompileCommands()) {
      std::string File = normalize(Command.Filename, Command.Directory);
      Known.insert(File);
      // A file that is compiled several times is analysed as it is the first
      // time.
      if (frontend::isCudaCommand(Command))
        Commands.try_emplace(std::move(File), std::move(Command));
    }
  }

  /// True when the user asked for this database with -p.
  bool named() const { return !Choice.Path.empty(); }
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
  /// By absolute path.
  const std::map<std::string, CompileCommand> &cudaCommands() const {
    return Commands;
  }

private:
  std::unique_ptr<CompilationDatabase> Database;
  const DatabaseChoice &Choice;
  llvm::StringSet<> Known;
  std::map<std::string, CompileCommand> Commands;
};

/// Fills an Inputs; each method returns the error that ends the run.
class Collector {
public:
  Collector(const Project &From, const frontend::CommandOptions &Options)
      : From(From), Options(Options) {}

  llvm::Error addFile(const std::string &Path);
  llvm::Error addFolder(const std::string &Folder);
  llvm::Error addSources(const std::string &Folder);
  llvm::Error addDatabase();
  Inputs finish();

private:
  llvm::Expected<DeviceCommand> commandFor(const std::string &Path);
  void addFound(const std::string &File, const CompileCommand *FromDatabase);
  void add(DeviceCommand Command);
  void note(const std::string &Text);

  const Project &From;
  const frontend::CommandOptions &Options;
  Inputs Result;
  llvm::StringSet<> Seen;
};

} // namespace

void Collector::note(const std::string &Text) {
  bool Said = llvm::is_contained(Result.Notes, Text);
  if (!Text.empty() && !Said)
    Result.Notes.push_back(Text);
}

void Collector::add(DeviceCommand Command) {
  for (const std::string &Text : Command.Notes)
    note(Text);
  Result.Units.push_back(std::move(Command));
}

llvm::Expected<DeviceCommand> Collector::commandFor(const std::string &Path) {
  std::string File = normalize(Path);
  auto Known = From.cudaCommands().find(File);
  if (Known != From.cudaCommands().end())
    return frontend::translateCommand(Known->second, Options);
  if (From.knows(File))
    return createStringError(
        fmt::format("'{}' is not CUDA code by its compile command", Path));
  if (From.named())
    return createStringError(
        fmt::format("'{}' is not in the compile database", Path));
  note(From.explainMissing(Path));
  return frontend::defaultCommand(File, Options);
}

llvm::Error Collector::addFile(const std::string &Path) {
  if (std::optional<std::string> Problem = unusable(Path))
    return createStringError(*Problem);
  if (!Seen.insert(normalize(Path)).second)
    return llvm::Error::success();
  llvm::Expected<DeviceCommand> Command = commandFor(Path);
  if (!Command)
    return Command.takeError();
  add(std::move(*Command));
  return llvm::Error::success();
}

void Collector::addFound(const std::string &File,
                         const CompileCommand *FromDatabase) {
  if (!Seen.insert(File).second)
    return;
  if (std::optional<std::string> Problem = unusable(File)) {
    Result.Problems.push_back(*Problem);
    return;
  }
  llvm::Expected<DeviceCommand> Command =
      FromDatabase ? frontend::translateCommand(*FromDatabase, Options)
                   : frontend::defaultCommand(File, Options);
  if (Command)
    add(std::move(*Command));
  else
    Result.Problems.push_back(llvm::toString(Command.takeError()));
}

llvm::Error Collector::addFolder(const std::string &Folder) {
  std::error_code Error;
  fs::directory_iterator Readable(Folder, Error);
  if (Error)
    return cannotReadFolder(Folder, Error);
  std::string Root = normalize(Folder);
  bool Found = false;
  for (const auto &[File, Command] : From.cudaCommands()) {
    if (!isBelow(File, Root))
      continue;
    Found = true;
    addFound(File, &Command);
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
  for (const auto &[File, Command] : From.cudaCommands())
    addFound(File, &Command);
  return llvm::Error::success();
}

Inputs Collector::finish() {
  for (const auto &[File, Command] : From.cudaCommands()) {
    if (Seen.contains(File) || unusable(File))
      continue;
    // Nobody asked for this file, so what is wrong with it is not reported.
    if (auto Device = frontend::translateCommand(Command, Options))
      Result.Others.push_back(std::move(*Device));
    else
      llvm::consumeError(Device.takeError());
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
                                     const DatabaseChoice &Choice,
                                     const frontend::CommandOptions &Options) {
  if (Paths.empty() && Choice.Path.empty())
    return createStringError("no files given; see 'warpwise check --help'");
  std::unique_ptr<CompilationDatabase> Loaded;
  if (!Choice.Path.empty()) {
    auto Result = frontend::loadDatabase(Choice.Path);
    if (!Result)
      return Result.takeError();
    Loaded = std::move(*Result);
  } else if (Choice.Search) {
    Loaded = findDatabaseFor(Paths);
  }
  Project From(std::move(Loaded), Choice);
  Collector Collect(From, Options);
  if (Paths.empty())
    if (llvm::Error Problem = Collect.addDatabase())
      return std::move(Problem);
  for (const std::string &Path : Paths)
    if (llvm::Error Problem = fs::is_directory(Path) ? Collect.addFolder(Path)
                                                     : Collect.addFile(Path))
      return std::move(Problem);
  return Collect.finish();
}

} // namespace warpwise::tool
