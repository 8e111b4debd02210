//===- Check.cpp - One look at the user's files ---------------------------===//

#include "analyzer/tool/Check.h"

#include "analyzer/advice/Fingerprint.h"
#include "analyzer/advice/Merge.h"
#include "analyzer/output/findings/Json.h"
#include "analyzer/pipeline/BegunAnalysis.h"
#include "analyzer/reuse/launches/UserInput.h"
#include "analyzer/tool/Fixes.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/SourceFiles.h"
#include "rules/RunRules.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace warpwise::tool {

/// Adds what \p Run says of launches; the user's own word goes before it.
llvm::Error Check::addLaunchFacts(const config::Config &Run) {
  std::vector<BlockOverride> Blocks;
  for (const std::string &Text : Run.list("BlockDim")) {
    auto Block = parseBlock(Text);
    if (!Block)
      return Block.takeError();
    Blocks.push_back(std::move(*Block));
  }
  S.Options.Blocks.insert(S.Options.Blocks.begin(), Blocks.begin(),
                          Blocks.end());
  std::vector<std::string> Texts = Run.list("Arguments");
  Texts.insert(Texts.end(), Options.Arguments.begin(), Options.Arguments.end());
  for (const std::string &Text : Texts) {
    auto Argument = reuse::parseArgument(Text);
    if (!Argument)
      return Argument.takeError();
    S.Options.Arguments[Argument->Name] = std::move(Argument->Value);
  }
  return llvm::Error::success();
}

/// Findings are made of the model, the profile and the rules that are enabled.
llvm::Error Check::openStore() {
  if (Options.Kept.Folder.empty())
    return llvm::Error::success();
  const auto Judge = [this](const std::string &File) {
    std::string Text;
    for (const std::string_view Rule : rules::ruleNames())
      if (Configs.checksOf(File).contains(Rule))
        Text.append(" ").append(Rule);
    return Text;
  };
  auto Store =
      ReportStore::open(Options.Kept, profile::toJson(S.Device), Judge);
  if (!Store)
    return Store.takeError();
  S.Store = std::move(*Store);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Check>>
Check::open(const std::vector<std::string> &Paths, CheckOptions Options) {
  CheckConfig Configs(Options.Checks);
  auto Run = Configs.ofRun(Paths);
  if (!Run)
    return Run.takeError();
  // Before any file is looked at: it is the user's own word.
  if (advice::ParsedChecks Own =
          advice::parseChecks(Options.Checks, rules::ruleNames());
      !Own)
    return llvm::createStringError(Own.Error);
  std::vector<std::string> LeftOut = Run->Exclude;
  LeftOut.insert(LeftOut.end(), Options.Excluded.begin(),
                 Options.Excluded.end());
  auto Filter = FileFilter::create(Options.HeaderFilter.empty()
                                       ? Run->HeaderFilter.value_or("")
                                       : Options.HeaderFilter,
                                   std::move(LeftOut));
  if (!Filter)
    return Filter.takeError();
  std::unique_ptr<Check> New(
      new Check(std::move(Options), std::move(Configs), std::move(*Filter)));
  auto S = openSession(Paths, New->Options.Analysis,
                       {.OnePerFile = New->Options.OnePerFile,
                        .IsExcluded =
                            [&](const std::string &File) {
                              return New->Filter.isExcluded(File);
                            },
                        .Gpu = Run->Gpu.value_or(""),
                        .Edited = New->Options.Edited,
                        .Open = New->Options.Open});
  if (!S)
    return S.takeError();
  New->S = std::move(*S);
  if (llvm::Error Problem = New->addLaunchFacts(*Run))
    return std::move(Problem);
  if (llvm::Error Problem = New->Configs.readFor(New->S.From.Units))
    return std::move(Problem);
  if (llvm::Error Problem = New->openStore())
    return std::move(Problem);
  return std::move(New);
}

bool Check::edit(const frontend::EditedTexts &Edited) {
  Options.Edited = Edited;
  rememberKernels(S);
  for (auto *Commands : {&S.From.Units, &S.From.Others})
    for (frontend::DeviceCommand &Command : *Commands)
      Command.Edited = Edited;
  return !S.Begun || S.Begun->canFinish(S.From.Units.front());
}

//===--- What a unit is asked ---------------------------------------------===//

/// Runs in the process of one unit.
static llvm::json::Object judge(const pipeline::AnalyzeResult &Result,
                                const profile::Profile &Device,
                                const advice::CheckGlobs &Enabled) {
  rules::Judgement Judged = rules::judgeModel(Result.Result, Device, Enabled);
  // No frame of the user's leads there: nobody can change or silence it.
  std::erase_if(Judged.Findings, [&](const advice::Finding &F) {
    return Result.Files.System.contains(F.Where.File);
  });
  return llvm::json::Object{
      {"findings", llvm::json::Array(Judged.Findings)},
      {"kernels", llvm::json::Array(Judged.Kernels)},
      {"arguments", llvm::json::Array(Result.ArgumentsUsed)}};
}

Summary Check::judgeFor(const profile::Profile &Device) const {
  return [this, &Device](const pipeline::AnalyzeResult &R) {
    llvm::json::Object Payload =
        judge(R, Device, Configs.checksOf(R.Result.File));
    if (Options.AlsoAsk)
      Options.AlsoAsk(R, Payload);
    return Payload;
  };
}

/// Reads what judge() made; false after an error, which has been printed.
static bool readPayload(const llvm::json::Value &Payload, fix::Analysed &Into) {
  llvm::json::Path::Root Root("payload");
  llvm::json::ObjectMapper Members(Payload, Root);
  if (Members && Members.map("findings", Into.Findings) &&
      Members.map("kernels", Into.Kernels))
    return true;
  printError(Root.getError());
  return false;
}

//===--- What is worth saying ---------------------------------------------===//

fix::Analysed Check::gather(const std::vector<UnitReport> &Reports,
                            bool &Failed) const {
  fix::Analysed All;
  std::set<std::pair<std::string, std::string>> Seen; // a header's kernels
  for (size_t I = 0; I != Reports.size(); ++I) {
    const UnitReport &Report = Reports[I];
    if (!Report.Failure.empty())
      continue;
    const FilesOfUnit Asked = S.From.askedOf(I);
    const auto IsUnwanted = [&](const std::string &File) {
      return !Asked.contains(File) || Filter.isExcluded(File) ||
             (!Asked.isMain(File) && !Filter.wantsHeader(File));
    };
    fix::Analysed Unit;
    Failed |= !readPayload(Report.Payload, Unit);
    for (advice::Finding &F : Unit.Findings)
      if (!IsUnwanted(F.Where.File))
        All.Findings.push_back(std::move(F));
    for (advice::KernelSummary &K : Unit.Kernels)
      if (!IsUnwanted(K.Where.File) &&
          Seen.insert({K.Mangled, K.Where.File}).second)
        All.Kernels.push_back(std::move(K));
  }
  All.Findings = advice::mergeFindings(std::move(All.Findings));
  return All;
}

/// True for files that the user has nothing said about.
bool Check::isLeftOut(const std::string &File) const {
  if (Filter.isExcluded(File))
    return true;
  bool IsMain = false, IsAsked = false;
  for (size_t I = 0; I != S.From.Units.size(); ++I) {
    const FilesOfUnit Asked = S.From.askedOf(I);
    IsAsked |= Asked.contains(File);
    IsMain |= Asked.isMain(File);
  }
  return !IsAsked || (!IsMain && !Filter.wantsHeader(File));
}

std::vector<advice::Finding>
Check::takeUnworthy(std::vector<advice::Finding> &Findings) {
  const auto Least = [&](const advice::Finding &F) {
    if (Options.MinGain)
      return *Options.MinGain;
    return Configs.minGainOf(F).value_or(advice::UsualMinGain);
  };
  const auto Rest = llvm::partition(Findings, [&](const advice::Finding &F) {
    return !F.Faster || F.Faster->Factor >= Least(F);
  });
  std::vector<advice::Finding> Unworthy(
      std::make_move_iterator(Rest), std::make_move_iterator(Findings.end()));
  Findings.erase(Rest, Findings.end());
  return Unworthy;
}

/// Returns how many were left out.
size_t Check::removeRemarks(std::vector<advice::Finding> &Findings) const {
  return Options.Remarks
             ? 0
             : std::erase_if(Findings, [](const advice::Finding &F) {
                 return F.Level == advice::Severity::Remark;
               });
}

/// The text of the files that the compiler has read for any of \p Reports.
static advice::SourceText sourcesOf(const std::vector<UnitReport> &Reports,
                                    frontend::EditedTexts Edited) {
  std::set<std::string> Opened;
  for (const UnitReport &Report : Reports)
    for (const std::vector<std::string> *Files :
         {&Report.Files, &Report.OtherFiles})
      Opened.insert(Files->begin(), Files->end());
  return readOpened(std::move(Opened), std::move(Edited));
}

Check::Result Check::run() {
  return resultOf(analyzeSession(S, judgeFor(S.Device)));
}

Check::Result Check::resultOf(SessionResult Analysed) {
  bool Failed = Analysed.FilesFailed || Analysed.KernelsFailed;
  fix::Analysed All = gather(Analysed.Reports, Failed);
  const advice::SourceText Read = sourcesOf(Analysed.Reports, Options.Edited);
  advice::Suppressions NoLint(Read);
  const size_t Suppressed = NoLint.removeFrom(All.Findings);
  All.Findings = advice::joinCauses(std::move(All.Findings));
  advice::setFingerprints(All.Findings, Read, displayPath);
  std::vector<advice::Finding> Unworthy = takeUnworthy(All.Findings);
  removeRemarks(Unworthy);
  const size_t Remarks = removeRemarks(All.Findings);
  return {
      std::move(Analysed), std::move(All), Suppressed, std::move(NoLint), Read,
      std::move(Unworthy), Remarks,        Failed};
}

llvm::Expected<fix::Texts> Check::tryFixes(Result &Found,
                                           bool MayNotGain) const {
  return tool::tryFixes(
      S, Found.Analysed.Reports, Found.All, judgeFor(S.Device),
      [&](const std::vector<UnitReport> &Reports) {
        return gather(Reports, Found.Failed);
      },
      [&](const std::string &File) { return isLeftOut(File); }, Found.Read,
      MayNotGain);
}

/// The finding of \p Findings that says the same as \p F, of the same place.
static advice::Finding *findSame(std::vector<advice::Finding> &Findings,
                                 const advice::Finding &F) {
  const auto At = llvm::find_if(Findings, [&](const advice::Finding &Other) {
    return Other.Rule == F.Rule && Other.Object == F.Object &&
           Other.Where.File == F.Where.File && Other.Where.Line == F.Where.Line;
  });
  return At == Findings.end() ? nullptr : &*At;
}

/// Adds what is found where \p Made are made and has a rewrite to \p Findings
/// of the code without these. True if there is something.
static bool addFurther(std::vector<advice::Finding> &Findings,
                       std::vector<advice::Finding> Next,
                       const std::vector<advice::Replacement> &Made) {
  bool IsAny = false;
  for (advice::Finding &F : Next) {
    if (!F.Fix || !F.Fix->isOffered())
      continue;
    IsAny = true;
    F.Fix->Changes = *fix::changesOfOriginal(F.Fix->Changes, Made);
    F.Fix->Verified = "in the code as rewritten, " + F.Fix->Verified;
    if (advice::Finding *Same = findSame(Findings, F))
      Same->Fix = std::move(F.Fix);
    else
      Findings.push_back(std::move(F));
  }
  return IsAny;
}

llvm::Expected<fix::Texts> Check::tryFixesToTheEnd(
    Result &Found, bool MayNotGain,
    const std::function<void(std::vector<advice::Finding> &)> &Keep) {
  auto Edited = tryFixes(Found, MayNotGain);
  SessionResult Last;
  Last.Reports = Found.Analysed.Reports;
  while (Edited && !Edited->empty()) {
    Last.Reports = analyzeEdited(S, Last.Reports, *Edited, judgeFor(S.Device));
    edit(std::make_shared<const fix::Texts>(*Edited));
    Result Next = resultOf(Last);
    Keep(Next.All.Findings);
    const auto Made = fix::collectChanges(Found.All.Findings);
    for (advice::Finding &F : Next.All.Findings)
      if (F.Fix && F.Fix->isOffered() &&
          !fix::changesOfOriginal(F.Fix->Changes, Made))
        F.Fix->Withheld = "another fix changes the same words";
    if (auto More = tryFixes(Next, MayNotGain); !More)
      return More.takeError();
    Found.Failed |= Next.Failed;
    if (!addFurther(Found.All.Findings, std::move(Next.All.Findings), Made))
      break;
    Edited =
        fix::applyChanges(fix::collectChanges(Found.All.Findings), Found.Read);
  }
  return Edited;
}

} // namespace warpwise::tool
