#include "analyzer/frontend/TranslationUnit.h"

#include "analyzer/frontend/BrokenFunctions.h"
#include "analyzer/frontend/ConstTables.h"
#include "analyzer/frontend/DeviceInvocation.h"
#include "analyzer/frontend/DeviceLaunches.h"
#include "analyzer/frontend/ErrorCollector.h"
#include "analyzer/frontend/HeaderOverlay.h"
#include "analyzer/frontend/MathCalls.h"
#include "analyzer/frontend/RegularFiles.h"
#include "analyzer/frontend/SharedObjects.h"
#include "analyzer/frontend/SpacedLaunches.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclGroup.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/SemaConsumer.h"
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

/// What one parse works on and fills.
struct ParseState {
  llvm::LLVMContext &Context;
  llvm::function_ref<void(ASTContext &)> WithAST;
  SharedObjects &Shared;
  ErrorCollector Errors;
  ParseResult Result;
  /// The parse taught Shared something; another one will get further.
  bool TryAgain = false;
};

/// Whether \p Declaration is host code of the standard library, whose bodies
/// nobody looks into. Reading them is up to a quarter of a parse. What is
/// constexpr Clang keeps in any case; so the walk to a launch still leads
/// through algorithms (C++20's std::for_each).
bool isStandardHostCode(const Decl &Declaration) {
  const FunctionDecl *Function = Declaration.getAsFunction();
  if (!Function || Function->hasAttr<CUDADeviceAttr>() ||
      Function->hasAttr<CUDAGlobalAttr>())
    return false;
  for (const DeclContext *In = Function->getDeclContext(); In;
       In = In->getParent())
    if (In->isStdNamespace())
      return true;
  return false;
}

/// Generates code only once all errors are known. Clang's own order, code
/// after each declaration, would have emitted a kernel before the error that
/// makes it meaningless (a call of a host function is found last of all).
class LateCodeGeneration : public SemaConsumer {
public:
  LateCodeGeneration(std::unique_ptr<CodeGenerator> Generator,
                     DiagnosticsEngine &Diagnostics, ParseState &State)
      : Generator(std::move(Generator)), Diagnostics(Diagnostics),
        State(State) {}

  void InitializeSema(Sema &S) override { Actions = &S; }
  void ForgetSema() override { Actions = nullptr; }

  void Initialize(ASTContext &Context) override {
    Generator->Initialize(Context);
  }

  void HandleTagDeclDefinition(TagDecl *Tag) override {
    if (Actions)
      State.Shared.completed(*Tag, *Actions);
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    TopLevel.push_back(Group);
    return true;
  }

  void HandleInlineFunctionDefinition(FunctionDecl *Function) override {
    InlineFunctions.push_back(Function);
  }

  void HandleCXXStaticMemberVarInstantiation(VarDecl *Variable) override {
    StaticMembers.push_back(Variable);
  }

  bool shouldSkipFunctionBody(Decl *Declaration) override {
    return isStandardHostCode(*Declaration);
  }

  void HandleVTable(CXXRecordDecl *Class) override { VTables.push_back(Class); }

  void HandleTranslationUnit(ASTContext &Context) override {
    const std::vector<CompileError> &Errors = State.Errors.errors();
    State.TryAgain = State.Shared.learn(Errors);
    State.Shared.restore();
    if (State.TryAgain)
      return;
    State.WithAST(Context);
    State.Result.Dropped =
        dropBrokenFunctions(Context, Errors, State.Result.HostErrors);
    generate(Context);
    if (llvm::Module *Made = Generator->GetModule())
      moveConstTables(*Made, [&](const llvm::GlobalVariable &Variable) {
        const Decl *Declared =
            Generator->GetDeclForMangledName(Variable.getName());
        const auto *Says =
            Declared ? Declared->getAttr<CUDAConstantAttr>() : nullptr;
        return Says && !Says->isImplicit();
      });
    State.Result.Module.reset(Generator->ReleaseModule());
  }

private:
  void generate(ASTContext &Context) {
    // The generator refuses to work after an error; those are dealt with now.
    Diagnostics.Reset(/*soft=*/true);
    for (FunctionDecl *Function : InlineFunctions)
      if (Function->doesThisDeclarationHaveABody())
        Generator->HandleInlineFunctionDefinition(Function);
    for (DeclGroupRef Group : TopLevel)
      for (Decl *Declaration : Group)
        if (!Declaration->isInvalidDecl())
          Generator->HandleTopLevelDecl(DeclGroupRef(Declaration));
    for (VarDecl *Variable : StaticMembers)
      if (!Variable->isInvalidDecl())
        Generator->HandleCXXStaticMemberVarInstantiation(Variable);
    for (CXXRecordDecl *Class : VTables)
      if (!Class->isInvalidDecl())
        Generator->HandleVTable(Class);
    Diagnostics.Reset(/*soft=*/true);
    Generator->HandleTranslationUnit(Context);
  }

  std::unique_ptr<CodeGenerator> Generator;
  DiagnosticsEngine &Diagnostics;
  ParseState &State;
  Sema *Actions = nullptr;

  std::vector<DeclGroupRef> TopLevel;
  std::vector<FunctionDecl *> InlineFunctions;
  std::vector<VarDecl *> StaticMembers;
  std::vector<CXXRecordDecl *> VTables;
};

class DeviceAction : public ASTFrontendAction {
public:
  explicit DeviceAction(ParseState &State) : State(State) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef File) override {
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<MissingHeaders>(State.Result.MissingHeaders));
    std::unique_ptr<CodeGenerator> Generator(CreateLLVMCodeGen(
        Compiler.getDiagnostics(), File, &Compiler.getVirtualFileSystem(),
        Compiler.getHeaderSearchOpts(), Compiler.getPreprocessorOpts(),
        Compiler.getCodeGenOpts(), State.Context));
    return std::make_unique<LateCodeGeneration>(
        std::move(Generator), Compiler.getDiagnostics(), State);
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
    if (State.Result.Module) {
      removeDeviceLaunches(*State.Result.Module);
      describeMathCalls(*State.Result.Module);
    }
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
