//===- Module.cpp - The rules as checks of clang-tidy ---------------------===//
//
// Loaded by clang-tidy itself (-load), whose symbols it uses.
//
//===----------------------------------------------------------------------===//

#include "analyzer/advice/Wording.h"
#include "analyzer/tidy/Run.h"
#include "rules/Rule.h"

#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/ArrayRef.h"

using clang::tidy::ClangTidyCheck;
using clang::tidy::ClangTidyContext;
using llvm::StringRef;

namespace warpwise::tidy {
namespace {

class RuleCheck : public ClangTidyCheck {
public:
  RuleCheck(StringRef Name, ClangTidyContext *Context)
      : ClangTidyCheck(Name, Context), Name(Name.str()) {
    for (const auto &[Option, Member] : Known)
      Its.*Member = Options.getLocalOrGlobal(Option, "").str();
    Run::current().want(this->Name, Its);
    All.push_back(this);
  }
  ~RuleCheck() override { std::erase(All, this); }

  /// Those of the file that is being looked at.
  static llvm::ArrayRef<RuleCheck *> all() { return All; }

  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Into) override {
    for (const auto &[Option, Member] : Known)
      Options.store(Into, Option, Its.*Member);
  }

  void report(const clang::SourceManager &Sources) {
    for (const std::string &Problem : Run::current().problems())
      configurationDiag("%0") << Problem;
    for (const advice::Finding &F : Run::current().findings())
      if (F.Rule == Name)
        report(F, Sources);
  }

private:
  void report(const advice::Finding &F, const clang::SourceManager &Sources) {
    const clang::SourceLocation Where = locate(F.Where, Sources);
    const bool HasFixes = Run::current().triedFixes();
    {
      auto Warning = diag(Where, "%0");
      Warning << advice::headline(F);
      if (HasFixes && F.Fix && F.Fix->isOffered())
        for (const advice::Replacement &C : F.Fix->Changes)
          addFix(C, Sources, Warning);
    }
    for (const advice::Note &N : advice::explanation(
             F, {.Fixes = HasFixes, .Gpu = Run::current().gpu()}))
      diag(N.Where == F.Where ? Where : locate(N.Where, Sources), "%0",
           clang::DiagnosticIDs::Note)
          << N.Message;
  }

  /// Several findings can ask for the same; clang-tidy takes that for a
  /// conflict.
  static void addFix(const advice::Replacement &C,
                     const clang::SourceManager &Sources,
                     clang::DiagnosticBuilder &Warning) {
    const auto File = Sources.getFileManager().getOptionalFileRef(C.Old.File);
    if (!File || !Run::current().isFirst(C))
      return;
    const auto Begin =
        Sources.getLocForStartOfFile(Sources.translateFile(*File))
            .getLocWithOffset(int(C.Old.Offset));
    Warning << clang::FixItHint::CreateReplacement(
        clang::CharSourceRange::getCharRange(
            Begin, Begin.getLocWithOffset(int(C.Old.Length))),
        C.Text);
  }

  static clang::SourceLocation locate(const Place &Where,
                                      const clang::SourceManager &Sources) {
    const auto File = Sources.getFileManager().getOptionalFileRef(Where.File);
    if (!File || Where.Line == 0)
      return Sources.getLocForStartOfFile(Sources.getMainFileID());
    return Sources.translateFileLineCol(&File->getFileEntry(), Where.Line,
                                        std::max(Where.Column, 1u));
  }

  static constexpr std::pair<StringRef, std::string Wishes::*> Known[] = {
      {"Gpu", &Wishes::Gpu},
      {"Profile", &Wishes::Profile},
      {"BlockDim", &Wishes::BlockDim},
      {"Arguments", &Wishes::Arguments},
      {"MinGain", &Wishes::MinGain}};

  static inline std::vector<RuleCheck *> All;
  std::string Name;
  Wishes Its;
};

class Module : public clang::tidy::ClangTidyModule {
public:
  void
  addCheckFactories(clang::tidy::ClangTidyCheckFactories &Factories) override {
    for (const rules::Entry &E : rules::registry())
      Factories.registerCheckFactory(
          StringRef(E.Name), [](StringRef Name, ClangTidyContext *Context) {
            return std::make_unique<RuleCheck>(Name, Context);
          });
  }
};

/// Lets the analysis listen to clang-tidy's own parse.
class Listener : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Compiler,
                    StringRef File) override {
    return Run::current().listen(Compiler, File);
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  // What it begins goes on while clang-tidy's own checks run.
  ActionType getActionType() override { return AddBeforeMainAction; }
};

/// Has the checks report when clang-tidy's own are done.
class Reporter : public clang::PluginASTAction {
  struct Consumer : clang::ASTConsumer {
    explicit Consumer(clang::CompilerInstance &Compiler) : Compiler(Compiler) {}
    void HandleTranslationUnit(clang::ASTContext &) override {
      Run::current().finish(Compiler);
      for (RuleCheck *Check : RuleCheck::all())
        Check->report(Compiler.getSourceManager());
    }
    clang::CompilerInstance &Compiler;
  };
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Compiler, StringRef) override {
    return std::make_unique<Consumer>(Compiler);
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddAfterMainAction; }
};

const clang::tidy::ClangTidyModuleRegistry::Add<Module>
    AddModule("warpwise", "Wasted memory accesses of CUDA kernels.");
const clang::FrontendPluginRegistry::Add<Listener>
    AddListener("warpwise", "device code beside clang-tidy's parse");
const clang::FrontendPluginRegistry::Add<Reporter>
    AddReporter("warpwise-report", "findings after clang-tidy's own");

} // namespace
} // namespace warpwise::tidy
