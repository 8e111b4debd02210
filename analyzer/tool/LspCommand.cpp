//===- LspCommand.cpp - warpwise lsp --------------------------------------===//
//
// What `check` says of a file, asked by the language server about the text that
// an editor has of it.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/lsp/Diagnostics.h"
#include "analyzer/lsp/Server.h"
#include "analyzer/lsp/Uri.h"
#include "analyzer/tool/Check.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <set>

namespace warpwise::tool {

/// The page of \p Rule as it was installed, or as it lies in the source tree
/// that this program was built from; else empty.
static std::string pageOf(const std::string &Rule) {
  namespace path = llvm::sys::path;
  llvm::SmallString<256> Installed(llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&pageOf)));
  path::remove_filename(Installed);
  path::append(Installed, "..", "share/doc/warpwise/rules");
  for (const llvm::StringRef Folder :
       {Installed.str(), llvm::StringRef(WARPWISE_RULE_PAGES)}) {
    llvm::SmallString<256> Page(Folder);
    path::append(Page, Rule, "README.md");
    path::remove_dots(Page, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::exists(Page))
      return lsp::fileUri(Page);
  }
  return {};
}

namespace {

class CheckAnalyst : public lsp::Analyst {
public:
  explicit CheckAnalyst(const CheckOptions &Usual) : Usual(Usual) {}

  void answer(const lsp::Question &Asked, lsp::Tell Say) override;

private:
  const CheckOptions &Usual;
};

} // namespace

/// The user's files that \p Found rests on.
static std::vector<std::string> filesOf(const Check::Result &Found) {
  std::set<std::string> Files;
  for (const UnitReport &Report : Found.Analysed.Reports)
    for (const std::vector<std::string> *Some :
         {&Report.Files, &Report.LaunchFiles})
      Files.insert(Some->begin(), Some->end());
  return {Files.begin(), Files.end()};
}

/// What is to be said in \p File.
static llvm::json::Array diagnosticsIn(const std::string &File,
                                       const Check::Result &Found,
                                       lsp::DiagnosticWriter &Write) {
  llvm::json::Array All;
  const auto IsHere = [&](const access::Place &Where) {
    return Where.File == File || normalize(Where.File) == File;
  };
  for (const advice::Finding &F : Found.All.Findings)
    if (IsHere(F.Where))
      All.push_back(Write.finding(F));
  std::set<LeftOut> Said;
  for (const UnitReport &Report : Found.Analysed.Reports)
    for (const LeftOut &L : Report.Missing)
      if (L.IsKernel && IsHere(L.Where) && Said.insert(L).second)
        All.push_back(Write.information(
            L.Where,
            fmt::format("kernel '{}' was not analysed: {}", L.Name, L.Cause)));
  for (const advice::Note &N : Found.NoLint.unmatched())
    if (IsHere(N.Where))
      All.push_back(Write.unnecessary(N));
  return All;
}

void CheckAnalyst::answer(const lsp::Question &Asked, lsp::Tell Say) {
  lsp::Answer Answer;
  Answer.Version = Asked.Version;
  Answer.IsLast = true;
  CheckOptions Options = Usual;
  Options.Edited =
      std::make_shared<const std::map<std::string, std::string>>(Asked.Texts);
  auto Opened = Check::open({Asked.File}, std::move(Options));
  if (!Opened) {
    Answer.Problem = llvm::toString(Opened.takeError());
    return Say(Answer);
  }
  const Check::Result Found = (*Opened)->run();
  lsp::DiagnosticWriter Write(Asked.Uri, Asked.File, Found.Read, pageOf);
  Answer.Diagnostics = diagnosticsIn(normalize(Asked.File), Found, Write);
  Answer.Files = filesOf(Found);
  if (!Found.Analysed.Errors.empty() && Answer.Diagnostics->empty())
    Answer.Problem = Found.Analysed.Errors.front();
  Say(Answer);
}

int runLsp() {
  auto Analysis = analysisOptions();
  if (!Analysis) {
    printError(Analysis.takeError());
    return ExitError;
  }
  CheckOptions Usual;
  Usual.Analysis = std::move(*Analysis);
  Usual.Analysis.Quiet = true;
  // A confined process starts none, and nobody waits for it while typing.
  Usual.Analysis.UseNvcc = false;
  lsp::ServerOptions Options;
  Options.Version = WARPWISE_VERSION;
  Options.Jobs = Usual.Analysis.Jobs;
  Options.MemoryLimit = uint64_t(Usual.Analysis.MemoryLimit) << 20;
  return lsp::serve(Options,
                    [&] { return std::make_unique<CheckAnalyst>(Usual); });
}

} // namespace warpwise::tool
