//===- HostFiles.cpp - The other files of a kernel's program --------------===//

#include "analyzer/tool/HostFiles.h"

#include "analyzer/frontend/TranslationUnit.h"
#include "analyzer/launch/HostIndex.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/SourceFiles.h"
#include "profiler/io/ReadFile.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::tool {

using clang::tooling::CompilationDatabase;
using clang::tooling::CompileCommand;
using frontend::DeviceCommand;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Beyond these a folder is no longer one program.
constexpr size_t MostCandidates = 256;
constexpr size_t MostBytes = size_t(4) << 20;

/// \p File with the flags of \p Like.
static DeviceCommand commandLike(const DeviceCommand &Like,
                                 const std::string &File) {
  DeviceCommand Result = Like;
  Result.File = File;
  if (!Result.Arguments.empty())
    Result.Arguments.back() = File;
  return Result;
}

/// The folder of CMake's object files of a target ("CMakeFiles/app.dir"), or
/// empty when the command does not tell.
static std::string targetOf(const CompileCommand &Command) {
  std::string Object = Command.Output;
  for (size_t I = 0; Object.empty() && I + 1 < Command.CommandLine.size(); ++I)
    if (Command.CommandLine[I] == "-o")
      Object = Command.CommandLine[I + 1];
  const size_t End = llvm::StringRef(Object).find(".dir/");
  return End == llvm::StringRef::npos
             ? ""
             : normalize(Object.substr(0, End), Command.Directory);
}

static std::unique_ptr<CompilationDatabase> openDatabase(const Session &S) {
  const DeviceCommand &Unit = S.From.Units.front();
  if (!S.Options.Database.empty()) {
    auto Loaded = frontend::loadDatabase(S.Options.Database);
    if (Loaded)
      return std::move(*Loaded);
    llvm::consumeError(Loaded.takeError());
    return nullptr;
  }
  return S.Options.SearchDatabase ? frontend::findDatabase(Unit.File) : nullptr;
}

/// Files that the database compiles for the same target; where it does not tell
/// targets apart, those of the same folder.
static std::vector<HostFile>
findInDatabase(const Session &S, const CompilationDatabase &Database) {
  const DeviceCommand &Unit = S.From.Units.front();
  const std::vector<CompileCommand> All = Database.getAllCompileCommands();
  std::string Target;
  for (const CompileCommand &C : All)
    if (normalize(C.Filename, C.Directory) == Unit.File && Target.empty())
      Target = targetOf(C);
  frontend::CommandOptions Options;
  Options.CudaPath = S.Options.CudaPath;
  Options.ExtraArguments = S.Options.ExtraArguments;
  Options.PreferredArch = Unit.AnalysedArch;
  std::vector<HostFile> Result;
  llvm::StringSet<> Seen;
  for (const CompileCommand &C : All) {
    const std::string File = normalize(C.Filename, C.Directory);
    const bool IsSameTarget =
        Target.empty() ? path::parent_path(File) == path::parent_path(Unit.File)
                       : targetOf(C) == Target;
    if (!IsSameTarget || File == Unit.File || !isHostSource(File) ||
        !Seen.insert(File).second || Result.size() == MostCandidates)
      continue;
    if (auto Command = frontend::translateCommand(C, Options))
      Result.push_back({std::move(*Command), false});
    else
      llvm::consumeError(Command.takeError());
  }
  return Result;
}

static std::vector<HostFile> findBeside(const DeviceCommand &Unit) {
  std::vector<std::string> Files;
  std::error_code Error;
  for (fs::directory_iterator It(path::parent_path(Unit.File), Error), End;
       It != End && !Error && Files.size() < MostCandidates;
       It.increment(Error))
    if (isHostSource(It->path()) && normalize(It->path()) != Unit.File &&
        fs::is_regular_file(It->path()))
      Files.push_back(normalize(It->path()));
  // The order of a folder is no order.
  std::sort(Files.begin(), Files.end());
  std::vector<HostFile> Result;
  for (const std::string &File : Files)
    Result.push_back({commandLike(Unit, File), false});
  return Result;
}

llvm::Expected<std::vector<HostFile>>
findHostFiles(const Session &S, const std::vector<std::string> &Named) {
  const DeviceCommand &Unit = S.From.Units.front();
  std::vector<HostFile> Result;
  for (const std::string &Path : Named) {
    if (llvm::Error Problem = checkUsable(Path))
      return Problem;
    if (const std::string File = normalize(Path); File != Unit.File)
      Result.push_back({commandLike(Unit, File), true});
  }
  if (!Result.empty())
    return Result;
  if (const std::unique_ptr<CompilationDatabase> Database = openDatabase(S))
    Result = findInDatabase(S, *Database);
  return Result.empty() ? findBeside(Unit) : Result;
}

static bool mentions(const std::string &File, const llvm::StringSet<> &Names) {
  if (Names.empty())
    return false;
  const auto Source = io::readFile(File, MostBytes);
  return Source && anyWord(*Source, [&](llvm::StringRef Word) {
           return Names.contains(Word);
         });
}

/// Whether a body follows one of \p Names and its parameters somewhere; after a
/// call come operators. Code that macros put together is not seen through.
static bool seemsToDefine(const std::string &File,
                          const llvm::StringSet<> &Names) {
  const auto Source = io::readFile(File, MostBytes);
  if (!Source)
    return false;
  /// No list of parameters is as long; a file that never closes one is read in
  /// linear time all the same.
  constexpr size_t MostParameters = 4096;
  const llvm::StringRef Text(*Source);
  return anyWord(Text, [&](llvm::StringRef Word) {
    if (!Names.contains(Word))
      return false;
    llvm::StringRef Rest =
        Text.substr(size_t(Word.end() - Text.begin()), MostParameters).ltrim();
    if (!Rest.consume_front("("))
      return false;
    for (unsigned Open = 1; Open != 0 && !Rest.empty();
         Rest = Rest.drop_front())
      Open += (Rest.front() == '(') - (Rest.front() == ')');
    Rest = Rest.ltrim();
    return llvm::any_of(
        std::initializer_list<llvm::StringRef>{"{", "const", "noexcept", "//",
                                               "/*"},
        [&](llvm::StringRef Sign) { return Rest.starts_with(Sign); });
  });
}

namespace {

/// Files that may lead from the main of a unit's program to it. They are looked
/// for, and their text is read, only when somebody asks.
class FilesOfProgram : public pipeline::RestOfProgram {
  const DeviceCommand &Unit;
  const Inputs &From;

public:
  FilesOfProgram(const DeviceCommand &Unit, const Inputs &From)
      : Unit(Unit), From(From) {}

  std::vector<std::string> files() const override {
    std::vector<std::string> Names;
    for (const HostFile &Each : candidates())
      Names.push_back(Each.Command.File);
    return Names;
  }

  void parse(clang::ASTContext &Ast, std::vector<std::string> &Notes,
             llvm::function_ref<void(llvm::ArrayRef<clang::ASTContext *>)> Then)
      const override {
    llvm::StringSet<> Main;
    Main.insert("main");
    std::vector<HostFile> Files = candidates();
    // A main that calls this unit itself comes before files in between.
    const auto Between = llvm::partition(Files, [&](const HostFile &Each) {
      return mentions(Each.Command.File, Main);
    });
    if (Between == Files.begin())
      Files.clear();
    // Each costs as much time as the unit's own front end.
    constexpr size_t Most = 3;
    parseProgram(Ast, std::move(Files), Most, Notes, Then);
  }

  std::vector<DeviceCommand>
  defining(const llvm::StringSet<> &Names) const override {
    std::vector<DeviceCommand> Result;
    for (const std::vector<DeviceCommand> *Some : {&From.Units, &From.Others})
      for (const DeviceCommand &Other : *Some)
        if (Other.File != Unit.File && seemsToDefine(Other.File, Names))
          Result.push_back(Other);
    return Result;
  }

private:
  std::vector<HostFile> candidates() const {
    std::vector<HostFile> Result;
    for (const std::vector<DeviceCommand> *Some : {&From.Units, &From.Others})
      for (const DeviceCommand &Other : *Some)
        if (Other.File != Unit.File && isHostSource(Other.File) &&
            path::parent_path(Other.File) == path::parent_path(Unit.File))
          Result.push_back({Other, false});
    return Result.empty() ? findBeside(Unit) : Result;
  }
};

} // namespace

std::shared_ptr<const pipeline::RestOfProgram>
programOf(const DeviceCommand &Unit, const Inputs &From) {
  return std::make_shared<FilesOfProgram>(Unit, From);
}

namespace {

class ProgramParser {
public:
  ProgramParser(
      clang::ASTContext &Main, std::vector<HostFile> Files, size_t Most,
      std::vector<std::string> &Notes,
      llvm::function_ref<void(llvm::ArrayRef<clang::ASTContext *>)> Then)
      : Units({&Main}), Files(std::move(Files)), Left(Most), Notes(Notes),
        Then(Then) {}

  void run();

private:
  std::vector<clang::ASTContext *> Units;
  std::vector<HostFile> Files;
  size_t Left; ///< to try
  std::vector<std::string> &Notes;
  llvm::function_ref<void(llvm::ArrayRef<clang::ASTContext *>)> Then;

  using NameSet = std::optional<llvm::StringSet<>>;
  std::optional<HostFile> takeNext(const NameSet &Wanted);
  NameSet wantedNames() const;
  static bool leadsHere(const HostFile &Next, clang::ASTContext &Unit,
                        NameSet Wanted);
};

} // namespace

/// What a file must mention to be on the way from main to a launch; nothing
/// when main is there already.
std::optional<llvm::StringSet<>> ProgramParser::wantedNames() const {
  const launch::HostIndex Index(Units);
  llvm::StringSet<> Names;
  for (const clang::FunctionDecl *Function : Index.getFunctions()) {
    if (Function->isMain())
      return std::nullopt;
    if (Function->isExternallyVisible() && Index.mayLaunch(Function) &&
        Function->getIdentifier())
      Names.insert(Function->getName());
  }
  for (const clang::FunctionDecl *Kernel : Index.getKernels())
    if (Kernel->isExternallyVisible() && Kernel->getIdentifier())
      Names.insert(Kernel->getName());
  return Names;
}

std::optional<HostFile> ProgramParser::takeNext(const NameSet &Wanted) {
  const auto take = [&](size_t I) {
    HostFile Next = std::move(Files[I]);
    Files.erase(Files.begin() + ptrdiff_t(I));
    return Next;
  };
  for (size_t I = 0; I != Files.size(); ++I)
    if (Files[I].Named)
      return take(I);
  if (Files.empty() || Left == 0)
    return std::nullopt;
  for (size_t I = 0; Wanted && I != Files.size(); ++I)
    if (mentions(Files[I].Command.File, *Wanted)) {
      --Left;
      return take(I);
    }
  return std::nullopt;
}

/// False for the file of another program, which has functions of its own by the
/// names that it mentions.
bool ProgramParser::leadsHere(const HostFile &Next, clang::ASTContext &Unit,
                              NameSet Wanted) {
  if (Next.Named || !Wanted)
    return true;
  const launch::HostIndex Index(&Unit);
  for (const auto *Functions : {&Index.getFunctions(), &Index.getKernels()})
    for (const clang::FunctionDecl *Function : *Functions)
      if (Function->getIdentifier())
        Wanted->erase(Function->getName());
  return mentions(Next.Command.File, *Wanted);
}

void ProgramParser::run() {
  bool Done = false;
  const NameSet Wanted = Files.empty() ? std::nullopt : wantedNames();
  while (std::optional<HostFile> Next = takeNext(Wanted)) {
    llvm::Error Problem =
        frontend::parseHostCode(Next->Command, [&](clang::ASTContext &Unit) {
          if (!leadsHere(*Next, Unit, Wanted))
            return;
          Units.push_back(&Unit);
          Notes.push_back(fmt::format("the host code of '{}' is read too",
                                      displayPath(Next->Command.File)));
          run();
          Units.pop_back();
          Done = true;
        });
    if (Problem && Next->Named)
      Notes.push_back(llvm::toString(std::move(Problem)));
    else
      llvm::consumeError(std::move(Problem));
    if (Done)
      return;
  }
  Then(Units);
}

void parseProgram(
    clang::ASTContext &Main, std::vector<HostFile> Files, size_t Most,
    std::vector<std::string> &Notes,
    llvm::function_ref<void(llvm::ArrayRef<clang::ASTContext *>)> WithProgram) {
  ProgramParser(Main, std::move(Files), Most, Notes, WithProgram).run();
}

} // namespace warpwise::tool
