//===- Check.h - One look at the user's files -------------------*- C++ -*-===//
//
// What `check` and the language server share: from options, wherever they come
// from, to the findings that are worth saying.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_CHECK_H
#define WARPWISE_ANALYZER_TOOL_CHECK_H

#include "analyzer/advice/Suppression.h"
#include "analyzer/fix/Trial.h"
#include "analyzer/tool/CheckConfig.h"
#include "analyzer/tool/FileFilter.h"
#include "analyzer/tool/Session.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpwise::tool {

/// What the user says, apart from `.warpwise` files.
struct CheckOptions {
  AnalysisOptions Analysis;
  std::string Checks, HeaderFilter;
  std::vector<std::string> Arguments, Excluded;
  std::optional<double> MinGain;
  /// Remarks, too: what the source alone does not settle.
  bool Remarks = false;
  /// Of a file with several compile commands only the first.
  bool OnePerFile = false;
  /// What earlier runs have found.
  KeptReports Kept;
  /// What an editor has in place of files, by absolute path; null: nothing.
  frontend::EditedTexts Edited;
  /// The files that it has open; unset: there is no editor.
  std::optional<std::vector<std::string>> Open;
  /// Adds to what a unit's process hands over; null: nothing.
  std::function<void(const pipeline::AnalyzeResult &, llvm::json::Object &)>
      AlsoAsk;
};

class Check {
public:
  /// Reads the configuration and finds the units. The error is one sentence.
  static llvm::Expected<std::unique_ptr<Check>>
  open(const std::vector<std::string> &Paths, CheckOptions Options);

  struct Result {
    SessionResult Analysed;
    /// Less what is suppressed, merged and joined; as the code has them.
    fix::Analysed All;
    size_t Suppressed = 0;
    advice::Suppressions NoLint;
    /// The texts that the compiler has read, and nothing else.
    advice::SourceText Read;
    /// What was taken out of All, as it is known not to pay.
    std::vector<advice::Finding> Unworthy;
    size_t RemarksLeftOut = 0;
    bool Failed = false;
  };

  /// Begins the analysis in this process: looks at other texts go on with it,
  /// in processes that are copies of this one.
  void begin() {
    beginAnalysis(S);
    rememberKernels(S);
  }
  /// Looks at \p Edited from now on. False when what was begun does not help
  /// with it.
  bool edit(const frontend::EditedTexts &Edited);

  /// Of the units only those of \p Files; the others may launch their kernels.
  void keepOnly(const std::set<std::string> &Files) { S.From.keepOnly(Files); }
  /// The run has failed at something, which is said with what it finds.
  void addProblem(std::string Sentence) {
    S.From.Problems.push_back(std::move(Sentence));
  }

  /// Analyses the units, after one line about the profile.
  Result run();

  /// Tries the rewrites of \p Found. The result is the texts to write.
  /// \p MayNotGain: also those whose gain is not known.
  llvm::Expected<fix::Texts> tryFixes(Result &Found, bool MayNotGain) const;

  /// The same, and then what the rewritten code is found to have, until nothing
  /// more comes: what hid behind a slower thing pays once that is gone. Such
  /// findings are added to those of \p Found. \p Keep leaves out what nobody
  /// has asked for. The session looks at the rewritten code from then on.
  llvm::Expected<fix::Texts> tryFixesToTheEnd(
      Result &Found, bool MayNotGain,
      const std::function<void(std::vector<advice::Finding> &)> &Keep);

  /// What a unit is asked when it is judged for \p Device.
  Summary judgeFor(const profile::Profile &Device) const;
  /// The findings of all units that are wanted, merged, and their kernels. A
  /// payload that cannot be read is an error of ours and said as one.
  fix::Analysed gather(const std::vector<UnitReport> &Reports,
                       bool &Failed) const;

  const Session &session() const { return S; }
  const CheckConfig &configs() const { return Configs; }

private:
  Check(CheckOptions Options, CheckConfig Configs, FileFilter Filter)
      : Options(std::move(Options)), Configs(std::move(Configs)),
        Filter(std::move(Filter)) {}

  /// What the units of \p Analysed come to.
  Result resultOf(SessionResult Analysed);
  llvm::Error openStore();
  llvm::Error addLaunchFacts(const config::Config &Run);
  bool isLeftOut(const std::string &File) const;
  std::vector<advice::Finding>
  takeUnworthy(std::vector<advice::Finding> &Findings);
  size_t removeRemarks(std::vector<advice::Finding> &Findings) const;

  CheckOptions Options;
  CheckConfig Configs;
  FileFilter Filter;
  Session S;
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_CHECK_H
