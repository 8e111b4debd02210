//===- ParseBeside.cpp - Device code from another tool's parse ------------===//

#include "analyzer/frontend/ParseBeside.h"

#include "analyzer/frontend/DeviceInvocation.h"
#include "analyzer/frontend/LateCodeGeneration.h"

#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace warpwise::frontend {

namespace {

/// What the consumer's base works on, so it has to be there first.
struct OwnState {
  std::function<void(ASTContext &)> WithAST;
  CodeGenOptions Options;
  SharedObjects Shared;
  ParseState Parsed;

  OwnState(llvm::LLVMContext &Context, std::function<void(ASTContext &)> With,
           const CodeGenOptions &Tools)
      : WithAST(std::move(With)), Options(Tools),
        Parsed{Context, WithAST, Shared, {}, {}, /*MayTryAgain=*/false} {
    setUpCodeGeneration(Options);
  }
};

class BesideConsumer : private OwnState, public LateCodeGeneration {
public:
  BesideConsumer(CompilerInstance &Compiler, llvm::StringRef File,
                 llvm::LLVMContext &Context,
                 std::function<void(ASTContext &)> WithAST,
                 std::function<void(ParseResult)> Done)
      : OwnState(Context, std::move(WithAST), Compiler.getCodeGenOpts()),
        LateCodeGeneration(Compiler, File, Options, Parsed),
        Language(Compiler.getLangOpts()),
        Diagnostics(Compiler.getDiagnostics()),
        Client(Compiler.getDiagnostics().getClient()), Done(std::move(Done)) {
    Parsed.Errors.watch(Compiler);
    Parsed.Errors.passOn(Client);
    Diagnostics.setClient(&Parsed.Errors, /*ShouldOwnClient=*/false);
  }

  ~BesideConsumer() override { giveBack(); }

  void HandleTranslationUnit(ASTContext &Context) override {
    // What code generation has to say is not the user's business.
    Parsed.Errors.passOn(nullptr);
    const bool Failed = Diagnostics.hasUncompilableErrorOccurred();
    const bool IsFatal = Diagnostics.hasFatalErrorOccurred();
    // Or arguments of functions would have no names.
    const bool Optimizes = Language.Optimize;
    Language.Optimize = true;
    LateCodeGeneration::HandleTranslationUnit(Context);
    Language.Optimize = Optimizes;
    // Code generation forgets errors, or it would refuse to work. Others stop
    // at them: Clang's static analyser would look at half of a file.
    if (Failed)
      Diagnostics.Report(Diagnostics.getCustomDiagID(
          IsFatal ? DiagnosticsEngine::Fatal : DiagnosticsEngine::Error,
          "the file has errors"));
    giveBack();
    Done(std::move(Parsed.Result));
  }

private:
  /// The tool hears for itself again.
  void giveBack() {
    if (Diagnostics.getClient() == &Parsed.Errors)
      Diagnostics.setClient(Client, /*ShouldOwnClient=*/false);
  }

  LangOptions &Language;
  DiagnosticsEngine &Diagnostics;
  DiagnosticConsumer *Client;
  std::function<void(ParseResult)> Done;
};

} // namespace

std::optional<DeviceCommand> commandOf(CompilerInstance &Compiler,
                                       llvm::StringRef File) {
  if (!Compiler.getLangOpts().CUDAIsDevice)
    return std::nullopt;
  DeviceCommand Command;
  const auto Folder =
      Compiler.getVirtualFileSystem().getCurrentWorkingDirectory();
  Command.Directory = Folder ? *Folder : "";
  llvm::SmallString<256> Path(File);
  llvm::sys::fs::make_absolute(Command.Directory, Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  Command.File = Path.str().str();
  Command.RequestedArch = Compiler.getTargetOpts().CPU;
  Command.AnalysedArch = Command.RequestedArch;
  Command.Invocation =
      std::make_shared<CompilerInvocation>(Compiler.getInvocation());
  return Command;
}

std::unique_ptr<ASTConsumer>
parseBeside(CompilerInstance &Compiler, llvm::StringRef File,
            llvm::LLVMContext &Context,
            std::function<void(ASTContext &)> WithAST,
            std::function<void(ParseResult)> Done) {
  return std::make_unique<BesideConsumer>(Compiler, File, Context,
                                          std::move(WithAST), std::move(Done));
}

} // namespace warpwise::frontend
