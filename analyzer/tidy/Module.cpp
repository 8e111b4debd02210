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

#include <cassert>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using clang::tidy::ClangTidyCheck;
using clang::tidy::ClangTidyContext;
using llvm::StringRef;

namespace warpwise::tidy {
namespace {

/// Carries the options of a rule; what the rule finds the reporter says. There
/// is nothing for it to look for in the tree: clang-tidy, which walks through
/// all of it for the first check that may, is told that this one needs no run.
class RuleCheck : public ClangTidyCheck {
public:
  RuleCheck(StringRef Name, ClangTidyContext *Context)
      : ClangTidyCheck(Name, Context) {
    for (const auto &[Option, Member] : Known)
      Its.*Member = Options.getLocalOrGlobal(Option, "").str();
    Run::current().want(Name.str(), Its);
    Of = Context;
  }

  bool isLanguageVersionSupported(const clang::LangOptions &) const override {
    return false;
  }

  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Into) override {
    for (const auto &[Option, Member] : Known)
      Options.store(Into, Option, Its.*Member);
  }

  /// Where the checks that were made last report.
  static ClangTidyContext &context() {
    assert(Of && "nobody has made a check");
    return *Of;
  }

private:
  static constexpr std::pair<StringRef, std::string Wishes::*> Known[] = {
      {"Gpu", &Wishes::Gpu},
      {"Profile", &Wishes::Profile},
      {"BlockDim", &Wishes::BlockDim},
      {"Arguments", &Wishes::Arguments},
      {"MinGain", &Wishes::MinGain}};

  static inline ClangTidyContext *Of = nullptr;
  Wishes Its;
};

/// Has the process ask for memory in large steps. By default glibc lets the
/// heap of a thread grow by a page or two at a time, each a system call that
/// stops the other threads: 7 ms of the 25 that three kernels take.
void growHeapsInLargeSteps() {
#ifdef __GLIBC__
  // What a thread's heap has at once, and by how much that of the first thread
  // grows. To say so keeps glibc from adapting the other two: how much may be
  // free at the end of a heap, and from what size on memory is mapped for
  // itself (the most that glibc takes).
  mallopt(M_TOP_PAD, 16 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

class Module : public clang::tidy::ClangTidyModule {
public:
  // Made before anything is parsed.
  Module() { growHeapsInLargeSteps(); }

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

/// What the checks have to say, to clang-tidy.
class Report {
  ClangTidyContext &Into;
  const clang::SourceManager &Sources;

public:
  Report(ClangTidyContext &Into, const clang::SourceManager &Sources)
      : Into(Into), Sources(Sources) {}

  void finding(const advice::Finding &F) {
    const clang::SourceLocation Where = locate(F.Where);
    const bool HasFixes = Run::current().triedFixes();
    {
      auto Warning = Into.diag(F.Rule, Where, "%0");
      Warning << advice::headline(F);
      if (HasFixes && F.Fix && F.Fix->isOffered())
        for (const advice::Replacement &C : F.Fix->Changes)
          addFix(C, Warning);
    }
    for (const advice::Note &N : advice::explanation(
             F, {.Fixes = HasFixes, .Gpu = Run::current().gpu()}))
      Into.diag(F.Rule, N.Where == F.Where ? Where : locate(N.Where), "%0",
                clang::DiagnosticIDs::Note)
          << N.Message;
  }

private:
  /// Several findings can ask for the same; clang-tidy takes that for a
  /// conflict.
  void addFix(const advice::Replacement &C, clang::DiagnosticBuilder &Warning) {
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

  clang::SourceLocation locate(const Place &Where) const {
    const auto File = Sources.getFileManager().getOptionalFileRef(Where.File);
    if (!File || Where.Line == 0)
      return Sources.getLocForStartOfFile(Sources.getMainFileID());
    return Sources.translateFileLineCol(&File->getFileEntry(), Where.Line,
                                        std::max(Where.Column, 1u));
  }
};

/// Reports when clang-tidy's own checks are done.
class Reporter : public clang::PluginASTAction {
  struct Consumer : clang::ASTConsumer {
    explicit Consumer(clang::CompilerInstance &Compiler) : Compiler(Compiler) {}
    void HandleTranslationUnit(clang::ASTContext &) override {
      Run &Its = Run::current();
      Its.finish(Compiler);
      for (const std::string &Problem : Its.problems())
        RuleCheck::context().configurationDiag("%0") << Problem;
      for (const advice::Finding &F : Its.findings())
        Report(RuleCheck::context(), Compiler.getSourceManager()).finding(F);
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
