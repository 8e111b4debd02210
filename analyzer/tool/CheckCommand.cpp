//===- CheckCommand.cpp - warpwise check ----------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/advice/Fingerprint.h"
#include "analyzer/advice/Merge.h"
#include "analyzer/advice/Wording.h"
#include "analyzer/fix/FixesYaml.h"
#include "analyzer/lowering/KernelNames.h"
#include "analyzer/output/findings/Json.h"
#include "analyzer/output/findings/Sarif.h"
#include "analyzer/output/findings/Summary.h"
#include "analyzer/price/DeviceRates.h"
#include "analyzer/tool/Check.h"
#include "analyzer/tool/CheckCommand.h"
#include "analyzer/tool/Fixes.h"
#include "analyzer/tool/LineFilter.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/NinjaFile.h"
#include "analyzer/tool/RulePages.h"
#include "analyzer/tool/WhatIf.h"
#include "analyzer/tool/reference/CommandTable.h"
#include "profiler/io/ReadFile.h"
#include "rules/RunRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"
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

static cl::opt<const output::FindingsFormat *>
    Format("format", cl::desc("Form of the findings"),
           FormatNames(output::findingsFormats()),
           cl::init(&output::findingsFormats().front()),
           cl::cat(optionCategory()), cl::sub(checkCommand()));
static const KnownWords FormatWords(Format);

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
static const KnownWords ColorWords(Color);

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
    MinGain("min-gain", cl::value_desc("factor"),
            cl::init(advice::UsualMinGain), cl::ZeroOrMore,
            cl::desc("Leave out findings whose repair makes the kernel at most "
                     "so many times faster (1.05); 0: none"),
            cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<bool>
    Remarks("remarks",
            cl::desc("Say, too, what the source alone does not settle: what "
                     "places that data decide would cost"),
            cl::cat(optionCategory()), cl::sub(checkCommand()));

enum class Order { File, Gain };
static cl::opt<Order>
    Sort("sort", cl::desc("Order of the findings"),
         cl::values(clEnumValN(Order::File, "file", "by their place"),
                    clEnumValN(Order::Gain, "gain",
                               "by what their repair would gain")),
         cl::init(Order::File), cl::cat(optionCategory()),
         cl::sub(checkCommand()));
static const KnownWords SortWords(Sort);

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
    Baseline("baseline", cl::value_desc("old.sarif"),
             cl::desc("Leave out findings that an earlier run knew, which "
                      "wrote them with --format=sarif"),
             cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<std::string> Incremental(
    "incremental", cl::value_desc("dir"),
    cl::desc("Keep in this folder what was found, and analyse only what has "
             "changed since"),
    cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<std::string>
    DepFile("depfile", cl::value_desc("file"),
            cl::desc("Write which files the findings of --output rest on, as "
                     "compilers do for Ninja and make"),
            cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<std::string>
    Ninja("ninja", cl::value_desc("file"),
          cl::desc("Write a build file for Ninja that checks, with an edge for "
                   "each file, and do nothing else"),
          cl::cat(optionCategory()), cl::sub(checkCommand()));

static cl::opt<std::string>
    Lines("line-filter", cl::value_desc("json"),
          cl::desc("Only findings in these lines, as for clang-tidy: "
                   "[{\"name\":\"a.cu\",\"lines\":[[1,3],[8,8]]}]"),
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

/// Says what was left out.
static void explainSilence(const std::vector<advice::Finding> &Unworthy) {
  for (const advice::Finding &F : Unworthy)
    printNoteAt(F.Where, fmt::format("left out: {}; {}: {} [{}]", F.Message,
                                     advice::stateGain(F),
                                     advice::describeTime(*F.Faster), F.Rule));
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

/// One screen of what the run was about, on stderr.
static void printSummary(const std::vector<UnitReport> &Reports,
                         const output::FindingsReport &Report) {
  std::set<std::string> Kernels;
  std::set<LeftOut> Skipped;
  output::RunSummary Summary = {.Suppressed = Report.Suppressed};
  for (const advice::Finding &F : Report.Findings)
    ++(F.Level == advice::Severity::Remark ? Summary.Remarks
                                           : Summary.Warnings);
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
static void printSilence(const Check::Result &Found, const Check &Asked) {
  for (const advice::Note &Unmatched : Found.NoLint.unmatched())
    printNoteAt(Unmatched.Where, Unmatched.Message);
  std::set<std::pair<std::string_view, std::string>> Quiet;
  for (const frontend::DeviceCommand &Unit : Asked.session().From.Units)
    for (auto &Rule : rules::quietRules(Asked.session().Device,
                                        Asked.configs().checksOf(Unit.File)))
      Quiet.insert(std::move(Rule));
  for (const auto &[Rule, Why] : Quiet)
    printNote(fmt::format("{} keeps quiet: {}", Rule, Why));
  const std::vector<advice::Finding> &Unworthy = Found.Unworthy;
  if (ExplainSilence)
    explainSilence(Unworthy);
  else if (!Unworthy.empty())
    printNote(fmt::format(
        "{} left out: with the advice followed the kernel would gain too "
        "little (--min-gain; --explain-silence lists {})",
        Unworthy.size() == 1 ? std::string("1 finding is")
                             : fmt::format("{} findings are", Unworthy.size()),
        Unworthy.size() == 1 ? "it" : "them"));
  if (Found.RemarksLeftOut)
    printNote(
        fmt::format("{} left out (--remarks shows {})",
                    Found.RemarksLeftOut == 1
                        ? std::string("1 remark is")
                        : fmt::format("{} remarks are", Found.RemarksLeftOut),
                    Found.RemarksLeftOut == 1 ? "it" : "them"));
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

/// --what-if: the times of the kernels beside those of others.
static int printWhatIf(const Check &Asked,
                       std::vector<advice::KernelSummary> AsIs) {
  auto All = suppose(Asked.session(), Suppositions);
  if (!All) {
    printError(All.takeError());
    return ExitError;
  }
  std::vector<Column> Columns = {{"as it is", std::move(AsIs)}};
  bool Failed = false; // which the run has seen
  for (const Supposition &One : *All) {
    sayIfUnpriced(One.Text, One.Changed);
    const std::vector<UnitReport> Reports =
        analyzeAgain(One.Changed, Asked.judgeFor(One.Changed.Device));
    Columns.push_back({One.Text, Asked.gather(Reports, Failed).Kernels});
  }
  return writeResult(Output,
                     [&](llvm::raw_ostream &Out) {
                       for (const std::string &Line : compare(Columns))
                         Out << Line << '\n';
                     })
             ? ExitDone
             : ExitError;
}

/// The fingerprints of --baseline. The error is one sentence.
static llvm::Expected<std::set<std::string>> readBaseline() {
  if (Baseline.empty())
    return std::set<std::string>();
  const auto Text = io::readFile(Baseline);
  if (!Text)
    return llvm::createStringError(fmt::format(
        "cannot read '{}': {}", Baseline.getValue(), Text.reason()));
  auto Known = output::readFingerprints(*Text);
  if (!Known)
    return llvm::createStringError(
        fmt::format("'{}' is no baseline: {}", Baseline.getValue(),
                    llvm::toString(Known.takeError())));
  return Known;
}

static std::vector<output::RuleText> ruleTexts() {
  std::vector<output::RuleText> Texts;
  for (const rules::Entry &E : rules::registry())
    Texts.push_back({std::string(E.Name), std::string(E.Summary),
                     std::string(E.Page), rulePageUri(E)});
  return Texts;
}

/// Says what is wrong and returns the status for it.
static int fail(llvm::Error Problem) {
  printError(std::move(Problem));
  return ExitError;
}

/// A path in a rule of make.
static std::string makeWord(llvm::StringRef Path) {
  std::string Word;
  for (const char C : Path) {
    if (C == ' ' || C == '#')
      Word += '\\';
    Word += C == '$' ? "$$" : std::string(1, C);
  }
  return Word;
}

/// --depfile: what the compiler has read, and what says how to look at it.
static bool writeDependencies(const Check &Asked,
                              const std::vector<UnitReport> &Reports) {
  const AnalysisOptions &Said = Asked.session().Options;
  std::set<std::string> Files(Asked.configs().read().begin(),
                              Asked.configs().read().end());
  if (!Said.Database.empty())
    Files.insert(frontend::databaseFile(Said.Database));
  if (!Said.ProfileFile.empty())
    Files.insert(Said.ProfileFile);
  if (!Baseline.empty())
    Files.insert(Baseline);
  for (const UnitReport &Report : Reports)
    for (const std::vector<std::string> *Each :
         {&Report.Files, &Report.SystemFiles, &Report.OtherFiles})
      Files.insert(Each->begin(), Each->end());
  return writeResult(DepFile, [&](llvm::raw_ostream &Out) {
    Out << makeWord(Output) << ':';
    for (const std::string &File : Files)
      // Not those that are built in.
      if (llvm::sys::fs::exists(File))
        Out << " \\\n  " << makeWord(File);
    Out << '\n';
  });
}

static std::string absolute(llvm::StringRef Path) {
  llvm::SmallString<256> Whole(Path);
  if (llvm::sys::fs::make_absolute(Whole))
    return Path.str(); // there is no current folder
  llvm::sys::path::remove_dots(Whole, /*remove_dot_dot=*/false);
  return Whole.str().str();
}

/// --ninja
static int writeNinja(const Session &S) {
  if (S.Options.Database.empty() || !S.Options.ExtraArguments.empty())
    return fail(llvm::createStringError(
        "--ninja writes edges for the files of a compile database, which -p "
        "names, and flags after '--' have no place in them"));
  NinjaProject Its;
  Its.File = absolute(Ninja);
  Its.Program = siblingProgram("warpwise");
  Its.Folder = workingDirectory();
  Its.Database = absolute(frontend::databaseFile(S.Options.Database));
  Its.Arguments =
      checkArguments({"ninja", "output", "format", "incremental", "depfile",
                      "fail-on", "quiet", "p", "profile", "baseline"});
  // Ninja runs in another folder and has to know them by their names there.
  Its.Arguments.push_back("-p=" + absolute(S.Options.Database));
  if (llvm::sys::fs::exists(S.Options.ProfileFile))
    Its.Arguments.push_back("--profile=" + absolute(S.Options.ProfileFile));
  else if (!S.Options.ProfileFile.empty())
    Its.Arguments.push_back("--profile=" + S.Options.ProfileFile);
  if (!Baseline.empty())
    Its.Arguments.push_back("--baseline=" + absolute(Baseline));
  Its.Paths.assign(Paths.begin(), Paths.end());
  std::set<std::string> Seen;
  for (const frontend::DeviceCommand &Unit : S.From.Units)
    if (Seen.insert(Unit.File).second)
      Its.Units.push_back(Unit.File);
  Its.Format = Format->Name;
  Its.Report =
      absolute(!Output.empty()
                   ? Output
                   : llvm::sys::path::parent_path(Ninja).str() +
                         (llvm::sys::path::has_parent_path(Ninja) ? "/" : "") +
                         "warpwise." + Its.Format);
  Its.FailOn = FailOn.getNumOccurrences() ? FailOn : std::string();
  const bool Written = writeResult(
      Its.File, [&](llvm::raw_ostream &Out) { Out << ninjaText(Its); });
  return Written ? ExitDone : ExitError;
}

static llvm::Expected<CheckOptions> checkOptions(const KeptReports &Kept) {
  llvm::Expected<AnalysisOptions> Analysis = analysisOptions();
  if (!Analysis)
    return Analysis.takeError();
  CheckOptions Options;
  Options.Analysis = std::move(*Analysis);
  Options.Analysis.AllNotes = Explain;
  Options.Checks = Checks;
  Options.HeaderFilter = HeaderFilter;
  Options.Arguments = Arguments;
  Options.Excluded = Excluded;
  Options.Kept = Kept;
  if (MinGain.getNumOccurrences() != 0)
    Options.MinGain = MinGain;
  Options.Remarks = Remarks;
  return Options;
}

llvm::Expected<std::unique_ptr<Check>> openCheck(const KeptReports &Kept) {
  llvm::Expected<CheckOptions> Options = checkOptions(Kept);
  if (!Options)
    return Options.takeError();
  return Check::open(Paths, std::move(*Options));
}

int runCheck() {
  return runCheck({.Folder = Incremental}, [](Check &) { return true; });
}

int runCheck(
    const KeptReports &Kept,
    llvm::function_ref<llvm::Expected<bool>(Check &Asked)> BeforeAnalysis) {
  setColors(Color);
  CheckConfig Configs(Checks);
  auto Run = Configs.ofRun(Paths);
  if (!Run)
    return fail(Run.takeError());
  if (VerifyConfig || DumpConfig)
    return showConfig(Configs, *Run);
  if (!DepFile.empty() && (Output.empty() || Output == "-"))
    return fail(llvm::createStringError(
        "--depfile says what a file rests on; --output names none"));
  llvm::Expected<double> Threshold = failureThreshold(
      FailOn.getNumOccurrences() ? FailOn : Run->FailOn.value_or(FailOn));
  if (!Threshold)
    return fail(Threshold.takeError());
  llvm::Expected<LineFilter> Wanted = LineFilter::create(Lines);
  if (!Wanted)
    return fail(Wanted.takeError());
  llvm::Expected<std::set<std::string>> Known = readBaseline();
  if (!Known)
    return fail(Known.takeError());
  llvm::Expected<std::unique_ptr<Check>> Opened = openCheck(Kept);
  if (!Opened)
    return fail(Opened.takeError());
  Check &Asked = **Opened;
  const Session &S = Asked.session();
  if (!Ninja.empty())
    return writeNinja(S);
  llvm::Expected<bool> GoesOn = BeforeAnalysis(Asked);
  if (!GoesOn)
    return fail(GoesOn.takeError());
  if (!*GoesOn)
    return ExitDone;

  Check::Result Found = Asked.run();
  bool &Failed = Found.Failed;
  fix::Analysed &All = Found.All;
  const std::vector<UnitReport> &Reports = Found.Analysed.Reports;
  sayIfUnpriced("profile " + S.Device.Name, S);
  if (!S.Options.Quiet)
    printUnmatched(S, Reports, All.Kernels);
  if (!Suppositions.empty())
    return printWhatIf(Asked, std::move(All.Kernels));
  // Returns how many the baseline knows.
  const auto Keep = [&](std::vector<advice::Finding> &Findings) {
    llvm::erase_if(Findings,
                   [&](const advice::Finding &F) { return !Wanted->wants(F); });
    return advice::removeKnown(Findings, *Known);
  };
  const size_t Old = Keep(All.Findings);
  order(All.Findings);
  const bool TriesFixes =
      Fix || FixNotes || !ExportFixes.empty() || Format->HasFixes;
  fix::Texts Edited;
  if (TriesFixes) {
    auto Texts = Asked.tryFixesToTheEnd(Found, FixNotes, Keep);
    if (!Texts)
      return fail(Texts.takeError());
    Edited = std::move(*Texts);
  }
  const output::FindingsReport Report = {
      .Findings = std::move(All.Findings),
      .Suppressed = Found.Suppressed,
      .Profile = S.Device.Name,
      .Gpu = S.Device.Gpu,
      .Origin = S.Device.Origin,
      .Law = profile::requestLaw(S.Device).Law,
      .Version = version().str(),
      .Rules = ruleTexts(),
      .Source = Found.Read,
      .WorkingDirectory = workingDirectory(),
      .Kernels = std::move(All.Kernels),
      .Errors = Found.Analysed.Errors,
      .TriedFixes = TriesFixes,
      .Explain = Explain,
      .Color = Output.empty() ? colorsOnOutput() : Color == ColorChoice::Always,
  };
  if (!writeResult(Output,
                   [&](llvm::raw_ostream &Out) { Format->Write(Report, Out); }))
    return ExitError;
  if (!DepFile.empty() && !writeDependencies(Asked, Reports))
    return ExitError;
  if (!ExportFixes.empty() &&
      !writeResult(ExportFixes, [&](llvm::raw_ostream &Out) {
        Out << fix::writeFixes(Report.Findings, Report.WorkingDirectory,
                               Found.Read);
      }))
    return ExitError;
  if ((Fix || FixNotes) && !writeFixes(Edited))
    return ExitError;
  if (!S.Options.Quiet) {
    if (Fix || FixNotes)
      printNote(Edited.empty()
                    ? std::string("no file was rewritten")
                    : fmt::format("{} rewritten: measure before and after",
                                  rewritten(Edited)));
    if (Old > 0)
      printNote(fmt::format("{} finding{} left out: '{}' knows {}", Old,
                            Old == 1 ? " is" : "s are", Baseline.getValue(),
                            Old == 1 ? "it" : "them"));
    printSilence(Found, Asked);
    printSummary(Reports, Report);
    if (S.Store)
      printNote(fmt::format("{} of {} analyses are from '{}'", S.Store->found(),
                            S.Store->found() + S.Store->made(),
                            S.Store->folder()));
  }
  if (S.Store)
    S.Store->removeOld();
  if (Failed)
    return ExitError;
  return llvm::any_of(Report.Findings,
                      [&](const advice::Finding &F) {
                        return F.Level == advice::Severity::Warning &&
                               F.ExtraCycles > *Threshold;
                      })
             ? ExitWanted
             : ExitDone;
}

} // namespace warpwise::tool
