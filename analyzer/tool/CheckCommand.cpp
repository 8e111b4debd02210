//===- CheckCommand.cpp - warpwise check ----------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/advice/Merge.h"
#include "analyzer/advice/Suppression.h"
#include "analyzer/fix/FixesYaml.h"
#include "analyzer/lowering/KernelNames.h"
#include "analyzer/output/findings/Json.h"
#include "analyzer/output/findings/Summary.h"
#include "analyzer/price/DeviceRates.h"
#include "analyzer/reuse/launches/UserInput.h"
#include "analyzer/tool/CheckConfig.h"
#include "analyzer/tool/FileFilter.h"
#include "analyzer/tool/Fixes.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/Session.h"
#include "analyzer/tool/SourceFiles.h"
#include "analyzer/tool/WhatIf.h"
#include "rules/RunRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

namespace cl = llvm::cl;

namespace warpwise::tool {

static cl::list<std::string>
    Paths(cl::Positional, cl::ZeroOrMore,
          cl::desc("<files and folders> [-- compiler flags]"),
          cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<std::string>
    Checks("checks", cl::value_desc("globs"),
           cl::desc("Rules to apply, as for clang-tidy: "
                    "-cuda-memory-local-array leaves one out"),
           cl::cat(optionCategory()), cl::sub(checkCommand()));

/// The names that the forms have are the values of the option.
struct FormatNames {
  template <typename Option> void apply(Option &O) const {
    for (const output::FindingsFormat &F : output::findingsFormats())
      O.getParser().addLiteralOption(F.Name, &F, F.Description);
  }
};

static cl::opt<const output::FindingsFormat *>
    Format("format", cl::desc("Form of the findings"), FormatNames(),
           cl::init(&output::findingsFormats().front()),
           cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<std::string> Output("output", cl::value_desc("file"),
                                   cl::desc("Write the findings to a file"),
                                   cl::cat(optionCategory()),
                                   cl::sub(checkCommand()));

static cl::opt<ColorChoice>
    Color("color", cl::desc("Colours"),
          cl::values(clEnumValN(ColorChoice::Auto, "auto", "on a terminal"),
                     clEnumValN(ColorChoice::Always, "always", "in any case"),
                     clEnumValN(ColorChoice::Never, "never", "not at all")),
          cl::init(ColorChoice::Auto), cl::cat(optionCategory()),
          cl::sub(checkCommand()));

static cl::opt<std::string>
    FailOn("fail-on", cl::value_desc("none|warning|cost>N"),
           cl::desc("Exit with 1 on any warning, or on one that costs a warp "
                    "more than N cycles per request"),
           cl::init("none"), cl::cat(optionCategory()),
           cl::sub(checkCommand()));

static cl::list<std::string>
    Arguments("arg", cl::value_desc("n=4096"),
              cl::desc("Value of the kernels' argument of that name"),
              cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::list<std::string> Suppositions(
    "what-if", cl::value_desc("block=32x8|gpu=name"),
    cl::desc("Instead of findings, what the kernels would take under another "
             "block shape or on another GPU"),
    cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<bool>
    VerifyConfig("verify-config",
                 cl::desc("Check the .warpwise files that would be used"),
                 cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<bool> DumpConfig("dump-config",
                                cl::desc("Print the configuration that counts"),
                                cl::cat(optionCategory()),
                                cl::sub(checkCommand()));

static cl::opt<double>
    MinGain("min-gain", cl::value_desc("factor"), cl::init(1.05),
            cl::ZeroOrMore,
            cl::desc("Leave out findings whose repair makes the kernel at most "
                     "so many times faster (1.05); 0: none"),
            cl::cat(optionCategory()), cl::sub(checkCommand()));

enum class Order { File, Gain };
static cl::opt<Order>
    Sort("sort", cl::desc("Order of the findings"),
         cl::values(clEnumValN(Order::File, "file", "by their place"),
                    clEnumValN(Order::Gain, "gain",
                               "by what their repair would gain")),
         cl::init(Order::File), cl::cat(optionCategory()),
         cl::sub(checkCommand()));

static cl::opt<unsigned>
    Top("top", cl::value_desc("n"), cl::init(0),
        cl::desc("Only the first n findings in that order"),
        cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<bool>
    Explain("explain",
            cl::desc("The evidence for each finding, too: its cost, launches, "
                     "what the profile says"),
            cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<bool>
    ExplainSilence("explain-silence",
                   cl::desc("List what is left out because its repair gains "
                            "too little (--min-gain), with its price"),
                   cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<bool> Fix(
    "fix",
    cl::desc("Rewrite the source where a rewrite is known, is safe, and by the "
             "analysis of its result cures the finding and gains time"),
    cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<bool>
    FixNotes("fix-notes",
             cl::desc("As --fix, and also where the gain is not known"),
             cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<std::string>
    ExportFixes("export-fixes", cl::value_desc("file"),
                cl::desc("Write the rewrites to a file that "
                         "clang-apply-replacements reads"),
                cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::list<std::string>
    Excluded("exclude", cl::value_desc("glob"),
             cl::desc("Leave out files, and findings in files, whose path "
                      "matches, as in 'third_party/*'"),
             cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<std::string>
    HeaderFilter("header-filter", cl::value_desc("regex"),
                 cl::desc("Findings in headers only of those whose path "
                          "matches (default: all but the system's)"),
                 cl::cat(optionCategory()), cl::sub(checkCommand()));

/// Extra cycles above which a finding makes the run fail. \p Text is the value
/// of --fail-on.
static llvm::Expected<double> failureThreshold(llvm::StringRef Text) {
  if (Text == "none")
    return std::numeric_limits<double>::infinity();
  if (Text == "warning")
    return -std::numeric_limits<double>::infinity();
  double Cycles = 0;
  llvm::StringRef Number = Text;
  if (Number.consume_front("cost>") && !Number.getAsDouble(Cycles) &&
      std::isfinite(Cycles))
    return Cycles;
  return llvm::createStringError(
      fmt::format("'--fail-on={}': expected none, warning or cost>N with a "
                  "number of cycles",
                  Text.str()));
}

/// Runs in the process of one unit.
static llvm::json::Value judge(const pipeline::AnalyzeResult &Result,
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

/// The findings of all units that \p Filter lets through, merged, and their
/// kernels. A payload that cannot be read is an error of ours and said as one.
static fix::Analysed gather(const Session &S,
                            const std::vector<UnitReport> &Reports,
                            const FileFilter &Filter, bool &Failed) {
  fix::Analysed All;
  std::set<std::pair<std::string, std::string>> Seen; // a header's kernels
  for (size_t I = 0; I != Reports.size(); ++I) {
    const UnitReport &Report = Reports[I];
    if (!Report.Failure.empty())
      continue;
    const FilesOfUnit Asked = S.From.askedOf(I);
    const auto IsLeftOut = [&](const std::string &File) {
      return !Asked.contains(File) || Filter.isExcluded(File) ||
             (!Asked.isMain(File) && !Filter.wantsHeader(File));
    };
    fix::Analysed Unit;
    Failed |= !readPayload(Report.Payload, Unit);
    for (advice::Finding &F : Unit.Findings)
      if (!IsLeftOut(F.Where.File))
        All.Findings.push_back(std::move(F));
    for (advice::KernelSummary &K : Unit.Kernels)
      if (!IsLeftOut(K.Where.File) &&
          Seen.insert({K.Mangled, K.Where.File}).second)
        All.Kernels.push_back(std::move(K));
  }
  All.Findings = advice::mergeFindings(std::move(All.Findings));
  return All;
}

/// Takes out and returns what is known not to pay.
static std::vector<advice::Finding>
takeUnworthy(std::vector<advice::Finding> &Findings, CheckConfig &Configs) {
  const auto Least = [&](const advice::Finding &F) {
    if (MinGain.getNumOccurrences() != 0)
      return double(MinGain);
    return Configs.minGainOf(F).value_or(MinGain);
  };
  const auto Rest = llvm::partition(Findings, [&](const advice::Finding &F) {
    return !F.Faster || F.Faster->Factor >= Least(F);
  });
  std::vector<advice::Finding> Unworthy(
      std::make_move_iterator(Rest), std::make_move_iterator(Findings.end()));
  Findings.erase(Rest, Findings.end());
  return Unworthy;
}

/// Says what was left out.
static void explainSilence(const std::vector<advice::Finding> &Unworthy) {
  for (const advice::Finding &F : Unworthy)
    printNoteAt(F.Where, fmt::format("left out: {}; {}: {} [{}]", F.Message,
                                     advice::stateGain(*F.Faster),
                                     advice::describeTime(*F.Faster), F.Rule));
}

/// True for files that the user has nothing said about.
static bool isLeftOut(const Session &S, const FileFilter &Filter,
                      const std::string &File) {
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

/// "'a.cu' and 2 others are"
static std::string rewritten(const fix::Texts &Edited) {
  const std::string First = "'" + displayPath(Edited.begin()->first) + "'";
  if (Edited.size() == 1)
    return First + " is";
  return fmt::format("{} and {} other{} are", First, Edited.size() - 1,
                     Edited.size() == 2 ? "" : "s");
}

/// Orders the findings as the user wants them, and keeps the first of them.
static void order(std::vector<advice::Finding> &Findings) {
  if (Sort == Order::Gain)
    advice::rankFindings(Findings);
  if (Top > 0 && Findings.size() > Top)
    Findings.resize(Top);
}

/// The text of the files that the compiler has read for any of \p Reports.
static advice::SourceText sourcesOf(const std::vector<UnitReport> &Reports) {
  std::set<std::string> Opened;
  for (const UnitReport &Report : Reports)
    for (const std::vector<std::string> *Files :
         {&Report.Files, &Report.LaunchFiles})
      Opened.insert(Files->begin(), Files->end());
  return readOpened(std::move(Opened));
}

/// One screen of what the run was about, on stderr.
static void printSummary(const std::vector<UnitReport> &Reports,
                         const output::FindingsReport &Report) {
  std::set<std::string> Kernels;
  std::set<LeftOut> Skipped;
  output::RunSummary Summary = {.Findings = Report.Findings.size(),
                                .Suppressed = Report.Suppressed};
  for (const UnitReport &Unit : Reports) {
    Kernels.insert(Unit.Kernels.begin(), Unit.Kernels.end());
    Summary.Accesses += Unit.Accesses;
    Summary.Judged += Unit.Judged;
    for (const LeftOut &L : Unit.Missing)
      if (L.IsKernel)
        Skipped.insert(L);
  }
  Summary.Kernels = Kernels.size();
  Summary.SkippedKernels = Skipped.size();
  for (const auto &Lines :
       {output::kernelTable(Report), output::costliest(Report)}) {
    for (const std::string &Line : Lines)
      printLine(Line);
    if (!Lines.empty())
      printLine("");
  }
  if (const std::string Launches = output::launchLine(Report.Kernels);
      !Launches.empty())
    printNote(Launches);
  printNote(output::summaryLine(Summary));
}

/// The notes on findings that are not there.
static void printSilence(const std::vector<advice::Finding> &Unworthy,
                         const advice::Suppressions &NoLint, const Session &S,
                         const CheckConfig &Configs) {
  for (const advice::Note &Unmatched : NoLint.unmatched())
    printNoteAt(Unmatched.Where, Unmatched.Message);
  std::set<std::pair<std::string_view, std::string>> Quiet;
  for (const frontend::DeviceCommand &Unit : S.From.Units)
    for (auto &Rule : rules::quietRules(S.Device, Configs.checksOf(Unit.File)))
      Quiet.insert(std::move(Rule));
  for (const auto &[Rule, Why] : Quiet)
    printNote(fmt::format("{} keeps quiet: {}", Rule, Why));
  if (ExplainSilence)
    explainSilence(Unworthy);
  else if (!Unworthy.empty())
    printNote(fmt::format(
        "{} left out: with the advice followed the kernel would gain too "
        "little (--min-gain; --explain-silence lists {})",
        Unworthy.size() == 1 ? std::string("1 finding is")
                             : fmt::format("{} findings are", Unworthy.size()),
        Unworthy.size() == 1 ? "it" : "them"));
}

/// --verify-config and --dump-config.
static int showConfig(CheckConfig &Configs, const config::Config &Run) {
  if (DumpConfig)
    return writeResult(Output,
                       [&](llvm::raw_ostream &Out) { Out << dump(Run); })
               ? ExitDone
               : ExitError;
  for (const std::string &Path : Paths)
    if (auto Says = Configs.ofRun({Path}); !Says) {
      printError(Says.takeError());
      return ExitError;
    }
  for (const std::string &File : Configs.read())
    printNote(fmt::format("'{}' has no fault", displayPath(File)));
  if (Configs.read().empty())
    printNote(fmt::format("there is no file '{}' here or above",
                          config::FileName.str()));
  return ExitDone;
}

/// Adds what \p Run says of launches; the command line's goes before it.
static llvm::Error addLaunchFacts(const config::Config &Run,
                                  AnalysisOptions &Into) {
  std::vector<BlockOverride> Blocks;
  for (const std::string &Text : Run.list("BlockDim")) {
    auto Block = parseBlock(Text);
    if (!Block)
      return Block.takeError();
    Blocks.push_back(std::move(*Block));
  }
  Into.Blocks.insert(Into.Blocks.begin(), Blocks.begin(), Blocks.end());
  std::vector<std::string> Texts = Run.list("Arguments");
  Texts.insert(Texts.end(), Arguments.begin(), Arguments.end());
  for (const std::string &Text : Texts) {
    auto Argument = reuse::parseArgument(Text);
    if (!Argument)
      return Argument.takeError();
    Into.Arguments[Argument->Name] = std::move(Argument->Value);
  }
  return llvm::Error::success();
}

/// Says which --block and --arg nothing in the code answers to.
static void printUnmatched(const Session &S,
                           const std::vector<UnitReport> &Reports,
                           const std::vector<advice::KernelSummary> &Kernels) {
  for (const std::string &Text :
       advice::unmatchedGlobs(Checks, rules::ruleNames()))
    printNote(fmt::format("no rule is called '{}' (--checks)", Text));
  for (const auto &[Text, Block] : S.Options.Blocks) {
    auto Glob = llvm::GlobPattern::create(Text);
    if (!Glob) {
      llvm::consumeError(Glob.takeError());
      continue;
    }
    if (llvm::none_of(Kernels, [&](const advice::KernelSummary &K) {
          return Glob->match(K.Name) ||
                 Glob->match(lowering::templateName(K.Name));
        }))
      printNote(fmt::format("no kernel that was analysed is called '{}' "
                            "(--block)",
                            Text));
  }
  std::set<std::string> Used;
  for (const UnitReport &Report : Reports)
    if (const llvm::json::Object *Payload = Report.Payload.getAsObject())
      if (const llvm::json::Array *Names = Payload->getArray("arguments"))
        for (const llvm::json::Value &Name : *Names)
          Used.insert(Name.getAsString().value_or("").str());
  for (const auto &[Name, Value] : S.Options.Arguments)
    if (!Used.count(Name))
      printNote(fmt::format(
          "no kernel that was analysed has a number '{}' as argument (--arg)",
          Name));
}

/// Says why \p S has no times and gains.
static void sayIfUnpriced(const std::string &Where, const Session &S) {
  if (S.Options.Quiet)
    return;
  if (const price::KnownRates Rates = price::ratesOf(S.Device); !Rates.Rates)
    printNote(fmt::format("{}: there are no times and gains, because {}", Where,
                          Rates.Missing));
}

using GatherKernels = std::function<std::vector<advice::KernelSummary>(
    const std::vector<UnitReport> &)>;

/// --what-if: the times of the session's kernels beside those of others.
static int printWhatIf(const Session &S,
                       std::vector<advice::KernelSummary> AsIs,
                       CheckConfig &Configs, const GatherKernels &KernelsOf) {
  auto All = suppose(S, Suppositions);
  if (!All) {
    printError(All.takeError());
    return ExitError;
  }
  std::vector<Column> Columns = {{"as it is", std::move(AsIs)}};
  for (const Supposition &One : *All) {
    sayIfUnpriced(One.Text, One.Changed);
    const std::vector<UnitReport> Reports =
        analyzeAgain(One.Changed, [&](const pipeline::AnalyzeResult &R) {
          return judge(R, One.Changed.Device, Configs.checksOf(R.Result.File));
        });
    Columns.push_back({One.Text, KernelsOf(Reports)});
  }
  return writeResult(Output,
                     [&](llvm::raw_ostream &Out) {
                       for (const std::string &Line : compare(Columns))
                         Out << Line << '\n';
                     })
             ? ExitDone
             : ExitError;
}

/// Says what is wrong and returns the status for it.
static int fail(llvm::Error Problem) {
  printError(std::move(Problem));
  return ExitError;
}

int runCheck() {
  setColors(Color);
  CheckConfig Configs(Checks);
  auto Run = Configs.ofRun(Paths);
  if (!Run)
    return fail(Run.takeError());
  if (VerifyConfig || DumpConfig)
    return showConfig(Configs, *Run);
  llvm::Expected<double> Threshold = failureThreshold(
      FailOn.getNumOccurrences() ? FailOn : Run->FailOn.value_or(FailOn));
  if (!Threshold)
    return fail(Threshold.takeError());
  // Before any file is looked at: it is the user's own word.
  if (advice::ParsedChecks Own =
          advice::parseChecks(Checks, rules::ruleNames());
      !Own) {
    printError(Own.Error);
    return ExitError;
  }
  std::vector<std::string> LeftOut = Run->Exclude;
  LeftOut.insert(LeftOut.end(), Excluded.begin(), Excluded.end());
  llvm::Expected<FileFilter> Filter = FileFilter::create(
      HeaderFilter.empty() ? Run->HeaderFilter.value_or("") : HeaderFilter,
      LeftOut);
  if (!Filter)
    return fail(Filter.takeError());
  llvm::Expected<Session> S = openSession(
      Paths,
      {.IsExcluded =
           [&](const std::string &File) { return Filter->isExcluded(File); },
       .Gpu = Run->Gpu.value_or("")});
  if (!S)
    return fail(S.takeError());
  if (llvm::Error Problem = addLaunchFacts(*Run, S->Options))
    return fail(std::move(Problem));
  if (llvm::Error Problem = Configs.readFor(S->From.Units))
    return fail(std::move(Problem));

  const Summary Summarize = [&](const pipeline::AnalyzeResult &R) {
    return judge(R, S->Device, Configs.checksOf(R.Result.File));
  };
  SessionResult Result = analyzeSession(*S, Summarize);
  bool Failed = Result.FilesFailed || Result.KernelsFailed;
  fix::Analysed All = gather(*S, Result.Reports, *Filter, Failed);
  const advice::SourceText ReadOpened = sourcesOf(Result.Reports);
  advice::Suppressions NoLint(ReadOpened);
  const size_t Suppressed = NoLint.removeFrom(All.Findings);
  All.Findings = advice::joinCauses(std::move(All.Findings));
  sayIfUnpriced("profile " + S->Device.Name, *S);
  if (!S->Options.Quiet)
    printUnmatched(*S, Result.Reports, All.Kernels);
  if (!Suppositions.empty())
    return printWhatIf(*S, std::move(All.Kernels), Configs,
                       [&](const std::vector<UnitReport> &Reports) {
                         return gather(*S, Reports, *Filter, Failed).Kernels;
                       });
  const std::vector<advice::Finding> Unworthy =
      takeUnworthy(All.Findings, Configs);
  order(All.Findings);
  const bool TriesFixes = Fix || FixNotes || !ExportFixes.empty();
  fix::Texts Edited;
  if (TriesFixes) {
    auto Texts = tryFixes(
        *S, Result.Reports, All, Summarize,
        [&](const std::vector<UnitReport> &Reports) {
          return gather(*S, Reports, *Filter, Failed);
        },
        [&](const std::string &File) { return isLeftOut(*S, *Filter, File); },
        ReadOpened, FixNotes);
    if (!Texts) {
      printError(Texts.takeError());
      return ExitError;
    }
    Edited = std::move(*Texts);
  }
  const output::FindingsReport Report = {
      .Findings = std::move(All.Findings),
      .Suppressed = Suppressed,
      .Profile = S->Device.Name,
      .Gpu = S->Device.Gpu,
      .Origin = S->Device.Origin,
      .Source = ReadOpened,
      .WorkingDirectory = workingDirectory(),
      .Kernels = std::move(All.Kernels),
      .Errors = Result.Errors,
      .TriedFixes = TriesFixes,
      .Explain = Explain,
      .Color = Output.empty() ? colorsOnOutput() : Color == ColorChoice::Always,
  };
  if (!writeResult(Output,
                   [&](llvm::raw_ostream &Out) { Format->Write(Report, Out); }))
    return ExitError;
  if (!ExportFixes.empty() &&
      !writeResult(ExportFixes, [&](llvm::raw_ostream &Out) {
        Out << fix::writeFixes(Report.Findings, Report.WorkingDirectory,
                               ReadOpened);
      }))
    return ExitError;
  if ((Fix || FixNotes) && !writeFixes(Edited))
    return ExitError;
  if (!S->Options.Quiet) {
    if (Fix || FixNotes)
      printNote(Edited.empty()
                    ? std::string("no file was rewritten")
                    : fmt::format("{} rewritten: measure before and after",
                                  rewritten(Edited)));
    printSilence(Unworthy, NoLint, *S, Configs);
    printSummary(Result.Reports, Report);
  }
  if (Failed)
    return ExitError;
  return llvm::any_of(Report.Findings,
                      [&](const advice::Finding &F) {
                        return F.ExtraCycles > *Threshold;
                      })
             ? ExitWanted
             : ExitDone;
}

} // namespace warpwise::tool
