//===- CheckCommand.cpp - warpwise check ----------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/advice/Merge.h"
#include "analyzer/advice/Suppression.h"
#include "analyzer/output/FindingJson.h"
#include "analyzer/output/TextWriter.h"
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

enum class Format { Text, Json };
static cl::opt<Format>
    OutputFormat("format", cl::desc("Form of the findings"),
                 cl::values(clEnumValN(Format::Text, "text", "as clang-tidy"),
                            clEnumValN(Format::Json, "json", "for programs")),
                 cl::init(Format::Text), cl::cat(optionCategory()),
                 cl::sub(checkCommand()));

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
static llvm::json::Value judge(const access::AnalyzeResult &Result,
                               const profile::Profile &Device,
                               const advice::CheckGlobs &Enabled) {
  return llvm::json::Array(rules::runRules(Result.Result, Device, Enabled));
}

/// The findings of all units, merged. A payload that cannot be read is an
/// error of ours and said as one.
static std::vector<advice::Finding>
gather(const std::vector<UnitReport> &Reports, bool &Failed) {
  std::vector<advice::Finding> All;
  for (const UnitReport &Report : Reports) {
    if (!Report.Failure.empty())
      continue;
    std::vector<advice::Finding> Findings;
    llvm::json::Path::Root Root("findings");
    if (!fromJSON(Report.Payload, Findings, Root)) {
      printError(Root.getError());
      Failed = true;
    }
    All.insert(All.end(), std::make_move_iterator(Findings.begin()),
               std::make_move_iterator(Findings.end()));
  }
  return advice::mergeFindings(std::move(All));
}

static std::string summarize(const std::vector<UnitReport> &Reports,
                             size_t Findings, size_t Suppressed) {
  std::set<std::string> Kernels;
  std::set<LeftOut> Skipped;
  for (const UnitReport &Report : Reports) {
    Kernels.insert(Report.Kernels.begin(), Report.Kernels.end());
    for (const LeftOut &L : Report.Missing)
      if (L.IsKernel)
        Skipped.insert(L);
  }
  return output::summaryLine(
      {Findings, Suppressed, Kernels.size(), Skipped.size()});
}

static bool writeFindings(const Session &S,
                          const std::vector<advice::Finding> &Findings,
                          size_t Suppressed) {
  return writeResult(Output, [&](llvm::raw_ostream &Out) {
    if (OutputFormat == Format::Json) {
      output::writeFindings(
          {S.Device.Name, S.Device.Gpu, S.Device.Origin, Suppressed}, Findings,
          Out);
      return;
    }
    bool Colored =
        Output.empty() ? colorsOnOutput() : Color == ColorChoice::Always;
    output::TextWriter Writer(Out, {Colored, workingDirectory(), readSource});
    for (const advice::Finding &F : Findings)
      Writer.write(F);
  });
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
  llvm::Expected<Session> S = openSession(Paths);
  if (!S) {
    printError(S.takeError());
    return 1;
  }

  SessionResult Result =
      analyzeSession(*S, [&](const access::AnalyzeResult &R) {
        return judge(R, S->Device, *Enabled.Value);
      });
  bool Failed = Result.FilesFailed || Result.KernelsFailed;
  std::vector<advice::Finding> Findings = gather(Result.Reports, Failed);
  advice::Suppressions NoLint(readSource);
  size_t Suppressed = NoLint.removeFrom(Findings);
  if (!writeFindings(*S, Findings, Suppressed))
    return 1;
  if (!S->Options.Quiet) {
    for (const advice::Note &Unmatched : NoLint.unmatched())
      printNoteAt(Unmatched.Where, Unmatched.Message);
    for (const auto &[Rule, Why] : rules::quietRules(S->Device, *Enabled.Value))
      printNote(fmt::format("{} keeps quiet: {}", Rule, Why));
    printNote(summarize(Result.Reports, Findings.size(), Suppressed));
  }
  for (const advice::Finding &F : Findings)
    Failed |= F.ExtraCycles > *Threshold;
  return Failed ? 1 : 0;
}

} // namespace warpwise::tool
