//===- TranslationUnit.cpp - A CUDA file, parsed for the device -----------===//

#include "analyzer/frontend/TranslationUnit.h"

#include "analyzer/frontend/DeviceInvocation.h"
#include "analyzer/frontend/HeaderOverlay.h"
#include "analyzer/frontend/LateCodeGeneration.h"
#include "analyzer/frontend/RegularFiles.h"
#include "analyzer/frontend/SpacedLaunches.h"

#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>

using namespace clang;

namespace warpwise::frontend {
namespace {

/// Lets the parse go on without a header, and remembers which.
class MissingHeaders : public PPCallbacks {
public:
  explicit MissingHeaders(std::vector<std::string> &Names) : Names(Names) {}

  bool FileNotFound(StringRef Name) override {
    if (!llvm::is_contained(Names, Name))
      Names.push_back(Name.str());
    return true;
  }

private:
  std::vector<std::string> &Names;
};

class DeviceAction : public ASTFrontendAction {
public:
  explicit DeviceAction(ParseState &State) : State(State) {}

  /// Called before anything is read.
  std::function<void(CompilerInstance &)> Prepare;

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef File) override {
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<MissingHeaders>(State.Result.MissingHeaders));
    if (Prepare)
      Prepare(Compiler);
    return std::make_unique<LateCodeGeneration>(
        Compiler, File, Compiler.getCodeGenOpts(), State);
  }

private:
  ParseState &State;
};

llvm::Error failure(llvm::StringRef Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

/// What a parse reads.
struct SourceFiles {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> All;
  /// The layer of \p All with the texts in place of files.
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> Edits;

  /// From now on, for files that were not looked for yet. The texts have to
  /// stay.
  void add(const EditedTexts &Texts) {
    auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    for (const auto &[Path, Text] : *Texts)
      Memory->addFile(Path, /*ModificationTime=*/0,
                      llvm::MemoryBuffer::getMemBuffer(Text, Path));
    Edits->pushOverlay(std::move(Memory));
  }
};

/// The headers in memory over the disk, entered at the command's folder. The
/// process's own working directory stays as it is: files are read in threads.
llvm::Expected<SourceFiles> openFiles(const DeviceCommand &Command) {
  SourceFiles Files;
  Files.Edits = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      regularFilesOnly(llvm::vfs::createPhysicalFileSystem()));
  if (Command.Edited)
    Files.add(Command.Edited);
  Files.All = overlayHeaders(Command.Cuda, joinLaunchBrackets(Files.Edits));
  if (!Command.Directory.empty() &&
      Files.All->setCurrentWorkingDirectory(Command.Directory))
    return failure(llvm::formatv("cannot enter the folder '{0}' that the "
                                 "compile command of '{1}' names",
                                 Command.Directory, Command.File)
                       .str());
  if (!Files.All->exists(Command.File))
    return failure(llvm::formatv("no such file: '{0}'", Command.File).str());
  return Files;
}

/// Asks an Interruption where the main file goes on.
class Interrupter : public PPCallbacks {
public:
  Interrupter(Interruption &Stop, SourceFiles &Files,
              const DeviceCommand &Command, CompilerInstance &Compiler)
      : Stop(Stop), Files(Files), Command(Command), Compiler(Compiler) {}

  void FileChanged(SourceLocation Where, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind, FileID) override {
    if (Reason == ExitFile)
      goOn(Where);
  }

  /// A guard keeps the file out; its name is the last that was read.
  void FileSkipped(const FileEntryRef &, const Token &Name,
                   SrcMgr::CharacteristicKind) override {
    goOn(Name.getLocation());
  }

private:
  void goOn(SourceLocation Where) {
    const SourceManager &Sources = Compiler.getSourceManager();
    if (Sources.getFileID(Where) != Sources.getMainFileID())
      return;
    EditedTexts Now = Stop.afterInclude(Sources.getFileOffset(Where), [&] {
      return openedFiles(Compiler.getASTContext(), Command);
    });
    if (!Now)
      return;
    Files.add(Now);
    // The main file's text may be another one from here on.
    Sources.getSLocEntry(Sources.getMainFileID())
        .getFile()
        .getContentCache()
        .SourceLineCache = SrcMgr::LineOffsetMapping();
  }

  Interruption &Stop;
  SourceFiles &Files;
  const DeviceCommand &Command;
  CompilerInstance &Compiler;
};

/// Only parses, for WithAST.
class HostAction : public ASTFrontendAction {
public:
  explicit HostAction(llvm::function_ref<void(ASTContext &)> WithAST)
      : WithAST(WithAST) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef) override {
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<MissingHeaders>(Missing));
    return std::make_unique<Consumer>(*this);
  }

  bool WasCalled = false;

private:
  struct Consumer : ASTConsumer {
    explicit Consumer(HostAction &Action) : Action(Action) {}
    bool shouldSkipFunctionBody(Decl *Declaration) override {
      return isStandardHostCode(*Declaration);
    }
    void HandleTranslationUnit(ASTContext &Context) override {
      Action.WasCalled = true;
      Action.WithAST(Context);
    }
    HostAction &Action;
  };

  llvm::function_ref<void(ASTContext &)> WithAST;
  std::vector<std::string> Missing;
};

/// Runs \p Action, collecting errors in \p Errors; \p Succeeded tells whether
/// that was enough. The error is one sentence.
llvm::Error
execute(const DeviceCommand &Command,
        const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &Files,
        ErrorCollector &Errors, FrontendAction &Action,
        llvm::function_ref<bool()> Succeeded) {
  auto Unusable = [&](llvm::StringRef Problem, llvm::StringRef Otherwise) {
    llvm::StringRef Reason = Otherwise;
    if (!Errors.errors().empty())
      Reason = Errors.errors().back().Message;
    return failure(
        llvm::formatv("{0} '{1}': {2}", Problem, Command.File, Reason).str());
  };

  llvm::IntrusiveRefCntPtr<DiagnosticOptions> Options(new DiagnosticOptions);
  std::shared_ptr<CompilerInvocation> Invocation = deviceInvocation(
      Command,
      CompilerInstance::createDiagnostics(Options.get(), &Errors,
                                          /*ShouldOwnClient=*/false),
      Files);
  if (!Invocation)
    return Unusable("clang cannot use the compile command of",
                    "it has no device job");

  CompilerInstance Compiler;
  Compiler.setInvocation(Invocation);
  // Of those that the consumer says.
  Compiler.getFrontendOpts().SkipFunctionBodies = true;
  Compiler.createDiagnostics(&Errors, /*ShouldOwnClient=*/false);
  // A fatal error would silence every later one, and a limit would too.
  Compiler.getDiagnostics().setFatalsAsError(true);
  Compiler.getDiagnostics().setErrorLimit(0);
  Compiler.createFileManager(Files);
  Compiler.createSourceManager(Compiler.getFileManager());
  Errors.watch(Compiler);

  if (!Compiler.ExecuteAction(Action) && !Succeeded())
    return Unusable("clang cannot parse", "it gave no reason");
  return llvm::Error::success();
}

/// One parse. The error is one sentence.
llvm::Error parseOnce(const DeviceCommand &Command, SourceFiles &Files,
                      ParseState &State, Interruption *Stop) {
  DeviceAction Action(State);
  if (Stop)
    Action.Prepare = [&](CompilerInstance &Compiler) {
      // Freeing what is shared with the process that waits would copy it first.
      Compiler.getFrontendOpts().DisableFree = true;
      Compiler.getPreprocessor().addPPCallbacks(
          std::make_unique<Interrupter>(*Stop, Files, Command, Compiler));
    };
  return execute(Command, Files.All, State.Errors, Action,
                 [&] { return State.TryAgain || State.Result.Module; });
}

} // namespace

llvm::Expected<ParseResult>
parseForDevice(const DeviceCommand &Command, llvm::LLVMContext &Context,
               llvm::function_ref<void(ASTContext &)> WithAST,
               Interruption *Stop, CodeFor Wanted) {
  auto Files = openFiles(Command);
  if (!Files)
    return Files.takeError();

  SharedObjects Shared;
  while (true) {
    ParseState State{Context, WithAST, Shared, {}, {}};
    State.Wanted = Wanted;
    if (llvm::Error Failure = parseOnce(Command, *Files, State, Stop))
      return std::move(Failure);
    if (State.TryAgain)
      continue;
    return std::move(State.Result);
  }
}

llvm::Error parseHostCode(const DeviceCommand &Command,
                          llvm::function_ref<void(ASTContext &)> WithAST) {
  auto Files = openFiles(Command);
  if (!Files)
    return Files.takeError();
  ErrorCollector Errors;
  HostAction Action(WithAST);
  return execute(Command, Files->All, Errors, Action,
                 [&] { return Action.WasCalled; });
}

} // namespace warpwise::frontend
