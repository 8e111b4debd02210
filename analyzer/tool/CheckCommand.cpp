//===- CheckCommand.cpp - warpwise check ----------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/advice/Merge.h"
#include "analyzer/advice/Suppression.h"
#include "analyzer/output/findings/Json.h"
#include "analyzer/output/findings/Text.h"
#include "analyzer/tool/FileFilter.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/Session.h"
#include "analyzer/tool/SourceFiles.h"
#include "rules/RunRules.h"

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
  std::vector<advice::Finding> Findings =
      rules::runRules(Result.Result, Device, Enabled);
  // No frame of the user's leads there: nobody can change or silence it.
  std::erase_if(Findings, [&](const advice::Finding &F) {
    return Result.Files.System.contains(F.Where.File);
  });
  return llvm::json::Array(Findings);
}

/// The findings of all units that \p Filter lets through, merged. A payload
/// that cannot be read is an error of ours and said as one.
static std::vector<advice::Finding>
gather(const Session &S, const std::vector<UnitReport> &Reports,
       const FileFilter &Filter, bool &Failed) {
  std::vector<advice::Finding> All;
  for (size_t I = 0; I != Reports.size(); ++I) {
    const UnitReport &Report = Reports[I];
    if (!Report.Failure.empty())
      continue;
    const FilesOfUnit Asked = S.From.askedOf(I);
    std::vector<advice::Finding> Findings;
    llvm::json::Path::Root Root("findings");
    if (!fromJSON(Report.Payload, Findings, Root)) {
      printError(Root.getError());
      Failed = true;
    }
    std::erase_if(Findings, [&](const advice::Finding &F) {
      const std::string &File = F.Where.File;
      return !Asked.contains(File) || Filter.isExcluded(File) ||
             (!Asked.isMain(File) && !Filter.wantsHeader(File));
    });
    All.insert(All.end(), std::make_move_iterator(Findings.begin()),
               std::make_move_iterator(Findings.end()));
  }
  return advice::mergeFindings(std::move(All));
}

/// Leaves out what is known not to pay, and returns how many that were.
static size_t removeUnworthy(std::vector<advice::Finding> &Findings) {
  return std::erase_if(Findings, [](const advice::Finding &F) {
    return F.Faster && F.Faster->High < MinGain;
  });
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

static std::string summarize(const std::vector<UnitReport> &Reports,
                             size_t Findings, size_t Suppressed) {
  std::set<std::string> Kernels;
  std::set<LeftOut> Skipped;
  output::RunSummary Summary = {.Findings = Findings, .Suppressed = Suppressed};
  for (const UnitReport &Report : Reports) {
    Kernels.insert(Report.Kernels.begin(), Report.Kernels.end());
    Summary.Accesses += Report.Accesses;
    Summary.Judged += Report.Judged;
    for (const LeftOut &L : Report.Missing)
      if (L.IsKernel)
        Skipped.insert(L);
  }
  Summary.Kernels = Kernels.size();
  Summary.SkippedKernels = Skipped.size();
  return output::summaryLine(Summary);
}

int runCheck() {
  setColors(Color);
  llvm::Expected<double> Threshold = failureThreshold(FailOn);
  if (!Threshold) {
    printError(Threshold.takeError());
    return 1;
  }
  advice::ParsedChecks Enabled =
      advice::parseChecks(Checks, rules::ruleNames());
  if (!Enabled) {
    printError(Enabled.Error);
    return 1;
  }
  llvm::Expected<FileFilter> Filter =
      FileFilter::create(HeaderFilter, Excluded);
  if (!Filter) {
    printError(Filter.takeError());
    return 1;
  }
  llvm::Expected<Session> S =
      openSession(Paths, {.IsExcluded = [&](const std::string &File) {
                    return Filter->isExcluded(File);
                  }});
  if (!S) {
    printError(S.takeError());
    return 1;
  }

  SessionResult Result =
      analyzeSession(*S, [&](const pipeline::AnalyzeResult &R) {
        return judge(R, S->Device, *Enabled.Value);
      });
  bool Failed = Result.FilesFailed || Result.KernelsFailed;
  std::vector<advice::Finding> Findings =
      gather(*S, Result.Reports, *Filter, Failed);
  const advice::SourceText ReadOpened = sourcesOf(Result.Reports);
  advice::Suppressions NoLint(ReadOpened);
  size_t Suppressed = NoLint.removeFrom(Findings);
  Findings = advice::joinCauses(std::move(Findings));
  const size_t Unworthy = removeUnworthy(Findings);
  order(Findings);
  const output::FindingsReport Report = {
      .Findings = std::move(Findings),
      .Suppressed = Suppressed,
      .Profile = S->Device.Name,
      .Gpu = S->Device.Gpu,
      .Origin = S->Device.Origin,
      .Source = ReadOpened,
      .WorkingDirectory = workingDirectory(),
      .Color = Output.empty() ? colorsOnOutput() : Color == ColorChoice::Always,
  };
  if (!writeResult(Output,
                   [&](llvm::raw_ostream &Out) { Format->Write(Report, Out); }))
    return 1;
  if (!S->Options.Quiet) {
    for (const advice::Note &Unmatched : NoLint.unmatched())
      printNoteAt(Unmatched.Where, Unmatched.Message);
    for (const auto &[Rule, Why] : rules::quietRules(S->Device, *Enabled.Value))
      printNote(fmt::format("{} keeps quiet: {}", Rule, Why));
    if (Unworthy > 0)
      printNote(fmt::format("{} left out: with the advice followed the kernel "
                            "would be less than {:g} times faster "
                            "(--min-gain=0 shows {})",
                            Unworthy == 1
                                ? std::string("1 finding is")
                                : fmt::format("{} findings are", Unworthy),
                            double(MinGain), Unworthy == 1 ? "it" : "them"));
    printNote(summarize(Result.Reports, Report.Findings.size(), Suppressed));
  }
  for (const advice::Finding &F : Report.Findings)
    Failed |= F.ExtraCycles > *Threshold;
  return Failed ? 1 : 0;
}

} // namespace warpwise::tool
