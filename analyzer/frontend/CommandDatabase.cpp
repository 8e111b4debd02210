//===- CommandDatabase.cpp - compile_commands.json ------------------------===//
//
// Reads a compile database with errors that a user can act on, tells which of
// its commands are CUDA, and writes a translated copy for other tools.
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CommandParts.h"
#include "analyzer/frontend/HeaderOverlay.h"
#include "profiler/io/JsonDepth.h"
#include "profiler/io/ReadFile.h"
#include "profiler/io/WriteFile.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <fmt/format.h>

#include <map>

namespace warpwise::frontend {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

using clang::tooling::CompilationDatabase;
using clang::tooling::CompileCommand;

constexpr llvm::StringLiteral DatabaseName = "compile_commands.json";

/// A browser's database has 300 MiB.
constexpr size_t MostDatabaseBytes = size_t(1) << 30;

llvm::Error makeError(llvm::StringRef Path, const llvm::Twine &Problem) {
  return llvm::createStringError("compile database '" + Path + "' " + Problem);
}

/// An empty string when \p Entry is a compile command, else what is wrong.
std::string checkEntry(const llvm::json::Value &Entry) {
  const llvm::json::Object *Object = Entry.getAsObject();
  if (!Object)
    return "is not an object";
  for (llvm::StringRef Key : {"directory", "file"})
    if (!Object->getString(Key))
      return fmt::format("has no \"{}\"", Key.str());
  const llvm::json::Array *Words = Object->getArray("arguments");
  if (!Words && !Object->getString("command"))
    return "has neither \"command\" nor \"arguments\"";
  if (Words && !llvm::all_of(*Words, [](const llvm::json::Value &Word) {
        return Word.getAsString().has_value();
      }))
    return "has \"arguments\" that are not strings";
  return "";
}

/// The words of a command as the shell that runs it sees them.
std::vector<std::string> splitCommand(llvm::StringRef Line) {
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *, 64> Words;
  llvm::cl::TokenizeGNUCommandLine(Line, Saver, Words);
  return {Words.begin(), Words.end()};
}

/// \p Entry has been checked.
CompileCommand readEntry(const llvm::json::Object &Entry) {
  CompileCommand Command;
  Command.Directory = Entry.getString("directory")->str();
  Command.Filename = Entry.getString("file")->str();
  Command.Output = Entry.getString("output").value_or("").str();
  if (const llvm::json::Array *Words = Entry.getArray("arguments"))
    for (const llvm::json::Value &Word : *Words)
      Command.CommandLine.push_back(Word.getAsString()->str());
  else
    Command.CommandLine = splitCommand(*Entry.getString("command"));
  return Command;
}

/// Clang's own reader prints messages in YAML's words, ends where it does not
/// understand and recurses; so the entries come from llvm::json.
llvm::Expected<std::vector<CompileCommand>> readDatabase(llvm::StringRef Path,
                                                         llvm::StringRef Text) {
  if (Text.trim().empty())
    return makeError(Path, "is empty");
  if (io::isNestedDeeperThan(Text))
    return makeError(Path, fmt::format("is nested deeper than {} levels",
                                       io::MostJsonLevels));
  auto Parsed = llvm::json::parse(Text);
  if (!Parsed)
    return makeError(Path,
                     "is not JSON: " + llvm::toString(Parsed.takeError()));
  const llvm::json::Array *Entries = Parsed->getAsArray();
  if (!Entries)
    return makeError(Path, "is not a list of compile commands");
  if (Entries->empty())
    return makeError(Path, "holds no compile command");
  std::vector<CompileCommand> Commands;
  for (auto [Index, Entry] : llvm::enumerate(*Entries)) {
    if (std::string Problem = checkEntry(Entry); !Problem.empty())
      return makeError(
          Path, fmt::format("is not usable: entry {} {}", Index + 1, Problem));
    Commands.push_back(readEntry(*Entry.getAsObject()));
  }
  return std::move(Commands);
}

/// The entries of a file, in their order.
class CommandList : public CompilationDatabase {
public:
  explicit CommandList(std::vector<CompileCommand> Commands)
      : Commands(std::move(Commands)) {}

  std::vector<CompileCommand>
  getCompileCommands(llvm::StringRef File) const override {
    std::vector<CompileCommand> Found;
    for (const CompileCommand &Command : Commands)
      if (absoluteFile(Command) == File)
        Found.push_back(Command);
    return Found;
  }

  std::vector<std::string> getAllFiles() const override {
    std::vector<std::string> Files;
    for (const CompileCommand &Command : Commands)
      Files.push_back(absoluteFile(Command));
    llvm::sort(Files);
    Files.erase(llvm::unique(Files), Files.end());
    return Files;
  }

  std::vector<CompileCommand> getAllCompileCommands() const override {
    return Commands;
  }

private:
  static std::string absoluteFile(const CompileCommand &Command) {
    llvm::SmallString<256> Path(Command.Filename);
    fs::make_absolute(Command.Directory, Path);
    path::remove_dots(Path, /*remove_dot_dot=*/true);
    return Path.str().str();
  }

  std::vector<CompileCommand> Commands;
};

/// The syntax of the compiler called \p Program; none when it is no compiler
/// that is known.
std::optional<Syntax> syntaxOf(llvm::StringRef Program) {
  std::string Lower =
      Program.substr(Program.find_last_of("/\\") + 1).rtrim().lower();
  llvm::StringRef Name = Lower;
  Name.consume_back(".exe");
  if (Name.contains("nvcc"))
    return Syntax::Nvcc;
  Name = Name.rtrim("0123456789.").rtrim('-'); // clang++-19
  Name = Name.substr(Name.rfind('-') + 1);     // x86_64-linux-gnu-g++
  if (Name == "cl")
    return Syntax::Cl;
  if (llvm::is_contained<llvm::StringRef>(
          {"clang++", "clang", "g++", "gcc", "c++", "cc", "icpx", "icx",
           "nvc++", "hipcc", "mpicxx", "mpic++", "mpicc"},
          Name))
    return Syntax::Gnu;
  return std::nullopt;
}

/// The language that a command sets for its input, "" when it leaves that to
/// the suffix.
std::string languageOf(llvm::ArrayRef<std::string> CommandLine) {
  std::string Language;
  for (size_t I = 0; I < CommandLine.size(); ++I) {
    llvm::StringRef Word = CommandLine[I];
    if (Word == "-x" || Word == "--x") {
      if (I + 1 < CommandLine.size())
        Language = CommandLine[++I];
    } else if (Word.consume_front("-x=") || Word.consume_front("--x=") ||
               Word.consume_front("--language=")) {
      Language = Word.str();
    } else if (Word == "-xcuda") {
      Language = "cuda";
    } else if (Word == "-xc++") {
      Language = "c++";
    }
  }
  return Language;
}

/// The header folders that the commands need: one per toolkit.
class HeaderFolders {
public:
  /// They lie below \p Root, which exists.
  explicit HeaderFolders(llvm::StringRef Root) : Root(Root) {}

  llvm::Expected<std::string> folderFor(const Toolkit &Cuda) {
    auto Known = Folders.find(Cuda.Path);
    if (Known != Folders.end())
      return Known->second;
    std::string Name = Folders.empty()
                           ? "include"
                           : fmt::format("include-{}", Folders.size() + 1);
    if (llvm::Error Problem = writeHeaders(Cuda, Root, Name))
      return std::move(Problem);
    llvm::SmallString<256> Folder(Root);
    path::append(Folder, Name);
    return Folders.emplace(Cuda.Path, Folder.str().str()).first->second;
  }

private:
  std::string Root;
  std::map<std::string, std::string> Folders;
};

llvm::json::Value toJson(const CompileCommand &Command) {
  llvm::json::Object Entry{
      {"directory", Command.Directory},
      {"file", Command.Filename},
      {"arguments", llvm::json::Array(Command.CommandLine)}};
  if (!Command.Output.empty())
    Entry["output"] = Command.Output;
  return Entry;
}

/// \p Command for Clang, with the headers that it needs.
llvm::Expected<CompileCommand> rewriteCommand(const CompileCommand &Command,
                                              const CommandOptions &Options,
                                              HeaderFolders &Headers) {
  auto Device = translateCommand(Command, Options);
  if (!Device)
    return Device.takeError();
  auto Folder = Headers.folderFor(Device->Cuda);
  if (!Folder)
    return Folder.takeError();
  CompileCommand Result = Command;
  Result.Directory = Device->Directory;
  Result.Filename = Device->File;
  Result.CommandLine = {"clang++"};
  llvm::append_range(Result.CommandLine,
                     headerArguments(Device->Cuda, *Folder));
  llvm::append_range(Result.CommandLine, Device->Arguments);
  return Result;
}

} // namespace

Compiler findCompiler(llvm::ArrayRef<std::string> CommandLine) {
  // Launchers are not listed: they are whatever stands before the first word
  // that names a compiler. CC=gcc, for `env`, is not such a word.
  for (size_t I = 0; I < CommandLine.size(); ++I) {
    llvm::StringRef Word = CommandLine[I];
    if (Word.starts_with("-") || Word.contains('='))
      continue;
    if (auto Kind = syntaxOf(Word))
      return {I, *Kind};
  }
  return {0, Syntax::Gnu};
}

bool isCudaCommand(const CompileCommand &Command) {
  std::string Language = languageOf(Command.CommandLine);
  if (!Language.empty() && Language != "none")
    return Language == "cu" || Language == "cuda";
  llvm::StringRef Suffix = path::extension(Command.Filename);
  return Suffix == ".cu" || Suffix == ".cuh";
}

std::string databaseFile(llvm::StringRef Path) {
  llvm::SmallString<256> File(Path);
  if (fs::is_directory(Path))
    path::append(File, DatabaseName);
  return File.str().str();
}

llvm::Expected<std::unique_ptr<CompilationDatabase>>
loadDatabase(llvm::StringRef Path) {
  const std::string File = databaseFile(Path);
  const io::Expected<std::string> Text = io::readFile(File, MostDatabaseBytes);
  if (!Text)
    return makeError(File, "cannot be read: " +
                               llvm::StringRef(Text.reason()).lower());
  auto Commands = readDatabase(File, *Text);
  if (!Commands)
    return Commands.takeError();
  return std::make_unique<CommandList>(std::move(*Commands));
}

std::unique_ptr<CompilationDatabase> findDatabase(llvm::StringRef File) {
  llvm::SmallString<256> Absolute(File);
  if (fs::make_absolute(Absolute))
    return nullptr; // the working directory is gone
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  for (llvm::StringRef Folder = path::parent_path(Absolute); !Folder.empty();
       Folder = path::parent_path(Folder)) {
    for (llvm::StringRef Below : {"", "build"}) {
      llvm::SmallString<256> Candidate(Folder);
      path::append(Candidate, Below, DatabaseName);
      if (!fs::exists(Candidate))
        continue;
      if (auto Database = loadDatabase(Candidate))
        return std::move(*Database);
      else // one that nobody named may be anything, so it is no error
        llvm::consumeError(Database.takeError());
    }
  }
  return nullptr;
}

llvm::Error writeDatabase(const CompilationDatabase &Database,
                          const CommandOptions &Options,
                          llvm::StringRef Folder) {
  llvm::SmallString<256> Root(Folder);
  if (std::error_code Code = fs::make_absolute(Root))
    return llvm::createStringError("there is no working directory: " +
                                   Code.message());
  if (std::error_code Code = fs::create_directories(Root))
    return llvm::createStringError("cannot create folder '" + Folder + "': " +
                                   llvm::StringRef(Code.message()).lower());
  HeaderFolders Headers(Root);
  llvm::json::Array Entries;
  for (const CompileCommand &Command : Database.getAllCompileCommands()) {
    if (!isCudaCommand(Command)) {
      Entries.push_back(toJson(Command));
      continue;
    }
    auto Rewritten = rewriteCommand(Command, Options, Headers);
    if (!Rewritten)
      return Rewritten.takeError();
    Entries.push_back(toJson(*Rewritten));
  }
  // Written aside and renamed: clangd may read it at any time.
  const std::string Text =
      llvm::formatv("{0:2}\n", llvm::json::Value(std::move(Entries))).str();
  const std::string Why =
      io::createBelow(Root.str().str(), DatabaseName.str(), Text);
  if (Why.empty())
    return llvm::Error::success();
  path::append(Root, DatabaseName);
  return llvm::createStringError("cannot write '" + Root + "': " + Why);
}

} // namespace warpwise::frontend
