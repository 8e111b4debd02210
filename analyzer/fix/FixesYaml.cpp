//===- FixesYaml.cpp - Rewrites as clang-tidy exports them ----------------===//

#include "analyzer/fix/FixesYaml.h"

#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace warpwise::fix {

using clang::tooling::Diagnostic;
using clang::tooling::DiagnosticMessage;
using clang::tooling::TranslationUnitDiagnostics;

/// The byte of \p Where in \p Text.
static unsigned offsetOf(const Place &Where, llvm::StringRef Text) {
  size_t At = 0;
  for (unsigned Line = 1; Line < Where.Line; ++Line) {
    const size_t End = Text.find('\n', At);
    if (End == llvm::StringRef::npos)
      return 0;
    At = End + 1;
  }
  return unsigned(At + std::max(Where.Column, 1u) - 1);
}

std::string writeFixes(const std::vector<advice::Finding> &Findings,
                       const std::string &BuildDirectory,
                       const advice::SourceText &Read) {
  TranslationUnitDiagnostics All;
  std::set<advice::Replacement> Seen;
  for (const advice::Finding &F : Findings) {
    if (!F.Fix || !F.Fix->isOffered())
      continue;
    DiagnosticMessage Message(F.Message);
    Message.FilePath = F.Where.File;
    Message.FileOffset = offsetOf(F.Where, Read(F.Where.File).value_or(""));
    for (const advice::Replacement &C : F.Fix->Changes) {
      if (!Seen.insert(C).second)
        continue;
      // They were sorted out before: none overlaps another.
      llvm::cantFail(Message.Fix[C.Old.File].add(clang::tooling::Replacement(
          C.Old.File, unsigned(C.Old.Offset), unsigned(C.Old.Length), C.Text)));
    }
    if (All.MainSourceFile.empty())
      All.MainSourceFile = F.Where.File;
    All.Diagnostics.push_back(
        Diagnostic(F.Rule, Message, {}, Diagnostic::Warning, BuildDirectory));
  }
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  llvm::yaml::Output Yaml(Stream);
  Yaml << All;
  return Text;
}

} // namespace warpwise::fix
