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

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef File) override {
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<MissingHeaders>(State.Result.MissingHeaders));
    return std::make_unique<LateCodeGeneration>(
        Compiler, File, Compiler.getCodeGenOpts(), State);
  }

private:
  ParseState &State;
};

llvm::Error failure(llvm::StringRef Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

/// \p Base with some files replaced by another text.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withEdits(const DeviceCommand &Command,
          llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base) {
  if (!Command.Edited)
    return Base;
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &[Path, Text] : *Command.Edited)
    Memory->addFile(Path, /*ModificationTime=*/0,
                    llvm::MemoryBuffer::getMemBuffer(Text, Path));
  auto Overlay =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(Base));
  Overlay->pushOverlay(std::move(Memory));
  return Overlay;
}

/// The headers in memory over the disk, entered at the command's folder. The
/// process's own working directory stays as it is: files are read in threads.
llvm::Expected<llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>>
openFiles(const DeviceCommand &Command) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = overlayHeaders(
      Command.Cuda,
      joinLaunchBrackets(withEdits(
          Command, regularFilesOnly(llvm::vfs::createPhysicalFileSystem()))));
  if (!Command.Directory.empty() &&
      Files->setCurrentWorkingDirectory(Command.Directory))
    return failure(llvm::formatv("cannot enter the folder '{0}' that the "
                                 "compile command of '{1}' names",
                                 Command.Directory, Command.File)
                       .str());
  if (!Files->exists(Command.File))
    return failure(llvm::formatv("no such file: '{0}'", Command.File).str());
  return Files;
}

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
llvm::Error execute(const DeviceCommand &Command,
                    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
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
llvm::Error parseOnce(const DeviceCommand &Command,
                      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
                      ParseState &State) {
  DeviceAction Action(State);
  return execute(Command, std::move(Files), State.Errors, Action,
                 [&] { return State.TryAgain || State.Result.Module; });
}

} // namespace

llvm::Expected<ParseResult>
parseForDevice(const DeviceCommand &Command, llvm::LLVMContext &Context,
               llvm::function_ref<void(ASTContext &)> WithAST) {
  auto Files = openFiles(Command);
  if (!Files)
    return Files.takeError();

  SharedObjects Shared;
  while (true) {
    ParseState State{Context, WithAST, Shared, {}, {}};
    if (llvm::Error Failure = parseOnce(Command, *Files, State))
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
  return execute(Command, *Files, Errors, Action,
                 [&] { return Action.WasCalled; });
}

} // namespace warpwise::frontend
