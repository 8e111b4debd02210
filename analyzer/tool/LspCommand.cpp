//===- LspCommand.cpp - warpwise lsp --------------------------------------===//
//
// What `check` says of a file, asked by the language server about the text that
// an editor has of it.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/advice/Wording.h"
#include "analyzer/lsp/Actions.h"
#include "analyzer/lsp/Diagnostics.h"
#include "analyzer/lsp/Hover.h"
#include "analyzer/lsp/Server.h"
#include "analyzer/lsp/Uri.h"
#include "analyzer/pipeline/BegunAnalysis.h"
#include "analyzer/tool/Check.h"
#include "analyzer/tool/EditorSettings.h"
#include "analyzer/tool/FileStamps.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/ProfileChoice.h"
#include "analyzer/tool/RulePages.h"
#include "analyzer/tool/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <set>

namespace warpwise::tool {

/// Empty where the page is not to be had.
static std::string pageOf(const std::string &Rule) {
  const std::string Page = rulePageFile(Rule);
  return Page.empty() ? "" : lsp::fileUri(Page);
}

namespace {

class CheckAnalyst : public lsp::Analyst {
public:
  explicit CheckAnalyst(const CheckOptions &Usual) : Usual(Usual) {}

  bool prepare(const lsp::Question &Next) override;
  void answer(const lsp::Question &Asked, lsp::Tell Say) override;

private:
  llvm::Expected<std::unique_ptr<Check>> open(const lsp::Question &Asked) const;

  const CheckOptions &Usual;
  std::vector<std::string> Open; ///< when it was prepared
  /// What was prepared, for questions with these settings while these files are
  /// as they were; null: nothing.
  std::unique_ptr<Check> Prepared;
  llvm::json::Value Settings = nullptr;
  FileStamps Stamps;
};

} // namespace

/// What an editor may show over the accesses of the user's files, for the
/// process that puts it together.
static void describeAccesses(const pipeline::AnalyzeResult &Result,
                             llvm::json::Object &Payload) {
  llvm::json::Array All;
  for (const access::Kernel &K : Result.Result.Kernels)
    for (const access::Access &A : K.Accesses)
      if (!Result.Files.System.contains(A.Where.File))
        All.push_back(
            llvm::json::Object{{"file", A.Where.File},
                               {"line", A.Where.Line},
                               {"column", A.Where.Column},
                               {"label", lsp::costLabel(A)},
                               {"text", llvm::json::fixUTF8(lsp::describeAccess(
                                            K, A, Result.Result.Law.Law))}});
  Payload["remarks"] = std::move(All);
}

/// The user's files that \p Found rests on.
static std::vector<std::string> filesOf(const Check::Result &Found) {
  std::set<std::string> Files;
  for (const UnitReport &Report : Found.Analysed.Reports)
    for (const std::vector<std::string> *Some :
         {&Report.Files, &Report.OtherFiles})
      Files.insert(Some->begin(), Some->end());
  return {Files.begin(), Files.end()};
}

namespace {

/// One document and what was found in it, on the way to an answer.
class Answerer {
public:
  Answerer(const lsp::Question &Asked, const Check &Judge, Check::Result &Found)
      : Asked(Asked), Judge(Judge), Found(Found), File(normalize(Asked.File)),
        Write(Asked.Uri, Asked.File, Found.Read, pageOf) {}

  /// What can be said at once.
  lsp::Answer first();
  /// What is there to be asked for.
  lsp::Answer second();
  /// The rewrites, once they have been tried.
  lsp::Answer last();

private:
  bool isHere(const access::Place &Where) const {
    return Where.File == Asked.File || Where.File == File ||
           normalize(Where.File) == File;
  }
  llvm::json::Array diagnostics();
  std::vector<lsp::Remark> remarks();
  /// The evidence and the price of what was found there.
  std::string pricesAt(const access::Place &Where) const;

  const lsp::Question &Asked;
  const Check &Judge;
  Check::Result &Found;
  std::string File;
  lsp::DiagnosticWriter Write;
};

} // namespace

llvm::json::Array Answerer::diagnostics() {
  llvm::json::Array All;
  for (const advice::Finding &F : Found.All.Findings)
    if (isHere(F.Where))
      All.push_back(Write.finding(F));
  std::set<LeftOut> Said;
  for (const UnitReport &Report : Found.Analysed.Reports)
    for (const LeftOut &L : Report.Missing)
      if (L.IsKernel && isHere(L.Where) && Said.insert(L).second)
        All.push_back(Write.information(
            L.Where,
            fmt::format("kernel '{}' was not analysed: {}", L.Name, L.Cause)));
  for (const advice::Note &N : Found.NoLint.unmatched())
    if (isHere(N.Where))
      All.push_back(Write.unnecessary(N));
  return All;
}

std::string Answerer::pricesAt(const access::Place &Where) const {
  std::string Text;
  for (const advice::Finding &F : Found.All.Findings) {
    if (F.Where != Where &&
        llvm::none_of(F.Also, [&](const advice::AffectedAccess &S) {
          return S.Where == Where;
        }))
      continue;
    Text += "\n" + advice::headline(F);
    for (const advice::Note &Line : advice::explanation(
             F, {.Evidence = true, .Gpu = Judge.session().Device.Gpu}))
      if (!Line.Where.isKnown() || Line.Where == F.Where)
        Text += "  \n" + Line.Message;
    Text += "\n";
  }
  return Text;
}

std::vector<lsp::Remark> Answerer::remarks() {
  std::vector<lsp::Remark> All;
  std::set<std::pair<access::Place, std::string>> Said;
  const std::string Profile =
      fmt::format("\n*{}*\n", stateProfile(Judge.session().Device));
  for (const UnitReport &Report : Found.Analysed.Reports) {
    const llvm::json::Object *Payload = Report.Payload.getAsObject();
    const llvm::json::Array *Remarks =
        Payload ? Payload->getArray("remarks") : nullptr;
    if (!Remarks)
      continue;
    for (const llvm::json::Value &One : *Remarks) {
      const llvm::json::Object *Its = One.getAsObject();
      if (!Its)
        continue;
      const access::Place Where = {
          Its->getString("file").value_or("").str(),
          unsigned(Its->getInteger("line").value_or(0)),
          unsigned(Its->getInteger("column").value_or(0))};
      const std::string Text = Its->getString("text").value_or("").str();
      if (!Where.isKnown() || !isHere(Where) ||
          !Said.insert({Where, Text}).second)
        continue;
      All.push_back({Write.rangeOf(Where),
                     fmt::format("{}{}{}", Text, pricesAt(Where), Profile),
                     Its->getString("label").value_or("").str()});
    }
  }
  return All;
}

/// What is to be said of a header that nobody is known to include.
static std::string sayAlone(const std::vector<UnitReport> &Reports) {
  const bool OnlyTemplates =
      llvm::all_of(Reports, [](const UnitReport &Report) {
        return Report.Kernels.empty() && !Report.UnusedTemplates.empty();
      });
  return fmt::format(
      "no source that is open or has a compile command includes this file: it "
      "is looked at alone, as CUDA code{}",
      OnlyTemplates ? ", and nothing in it instantiates its kernel templates"
                    : "");
}

lsp::Answer Answerer::first() {
  lsp::Answer Answer;
  Answer.Version = Asked.Version;
  Answer.Diagnostics = diagnostics();
  Answer.Actions.emplace();
  Answer.Files = filesOf(Found);
  Answer.Profile = stateProfile(Judge.session().Device);
  if (!Found.Analysed.Errors.empty() && Answer.Diagnostics->empty())
    Answer.Problem = Found.Analysed.Errors.front();
  if (!Judge.session().From.Alone.empty()) {
    Answer.MissesFiles = true;
    if (Answer.Problem.empty())
      Answer.Problem = sayAlone(Found.Analysed.Reports);
  }
  return Answer;
}

lsp::Answer Answerer::second() {
  lsp::Answer Answer;
  Answer.Version = Asked.Version;
  Answer.Remarks = remarks();
  return Answer;
}

lsp::Answer Answerer::last() {
  lsp::Answer Answer;
  Answer.Version = Asked.Version;
  Answer.IsLast = true;
  if (llvm::none_of(Found.All.Findings, [](const advice::Finding &F) {
        return F.Fix && F.Fix->isOffered();
      }))
    return Answer;
  auto Tried = Judge.tryFixes(Found, /*MayNotGain=*/false);
  if (!Tried) {
    llvm::consumeError(Tried.takeError()); // a file has changed meanwhile
    return Answer;
  }
  std::vector<lsp::Shown> Shown;
  for (const advice::Finding &F : Found.All.Findings)
    if (isHere(F.Where))
      Shown.push_back({&F, Write.finding(F)});
  Answer.Actions = lsp::codeActions(Shown, Asked.Uri, Asked.File, Found.Read);
  return Answer;
}

static std::vector<std::string>
namesOf(const std::map<std::string, std::string> &Texts) {
  std::vector<std::string> Names;
  for (const auto &[Name, Text] : Texts)
    Names.push_back(Name);
  return Names;
}

static frontend::EditedTexts textsOf(const lsp::Question &Asked) {
  return std::make_shared<const std::map<std::string, std::string>>(
      Asked.Texts);
}

llvm::Expected<std::unique_ptr<Check>>
CheckAnalyst::open(const lsp::Question &Asked) const {
  CheckOptions Options = Usual;
  Options.Open = namesOf(Asked.Texts);
  if (llvm::Error Problem = applySettings(Asked.Settings, Options))
    return std::move(Problem);
  Options.Edited = textsOf(Asked);
  Options.AlsoAsk = describeAccesses;
  return Check::open({Asked.File}, std::move(Options));
}

bool CheckAnalyst::prepare(const lsp::Question &Next) {
  if (Prepared)
    return Settings == Next.Settings && Stamps.hold() &&
           (Prepared->session().From.Alone.empty() ||
            Open == namesOf(Next.Texts)) &&
           Prepared->edit(textsOf(Next));
  Stamps.addAbove(Next.File, {"compile_commands.json",
                              "build/compile_commands.json", config::FileName});
  auto Opened = open(Next);
  if (!Opened) {
    llvm::consumeError(Opened.takeError()); // answer() says it
    return true;
  }
  Settings = Next.Settings;
  Open = namesOf(Next.Texts);
  Prepared = std::move(*Opened);
  Prepared->begin();
  if (const auto &Begun = Prepared->session().Begun)
    for (const auto *Files : {&Begun->files().Users, &Begun->files().System})
      for (const auto &File : *Files)
        if (File.getKey() != Prepared->session().From.Units.front().File)
          Stamps.add(File.getKey());
  return true;
}

void CheckAnalyst::answer(const lsp::Question &Asked, lsp::Tell Say) {
  if (!Prepared) {
    auto Opened = open(Asked);
    if (!Opened) {
      lsp::Answer Answer;
      Answer.Version = Asked.Version;
      Answer.Problem = llvm::toString(Opened.takeError());
      Answer.IsLast = true;
      return Say(Answer);
    }
    Prepared = std::move(*Opened);
  }
  Check::Result Found = Prepared->run();
  Answerer Its(Asked, *Prepared, Found);
  Say(Its.first());
  Say(Its.second());
  Say(Its.last());
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
  Options.Version = version().str();
  Options.Jobs = Usual.Analysis.Jobs;
  Options.MemoryLimit = uint64_t(Usual.Analysis.MemoryLimit) << 20;
  return lsp::serve(Options,
                    [&] { return std::make_unique<CheckAnalyst>(Usual); });
}

} // namespace warpwise::tool
