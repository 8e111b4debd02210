//===- Run.h - What the checks of one file have in common -------*- C++ -*-===//
//
// clang-tidy makes the checks of a file first, then asks plugins for consumers,
// then parses. The checks say what they want; the consumer makes device code
// when the file has been parsed, and a thread analyses it once for all checks
// while clang-tidy runs its own; then all findings are reported.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TIDY_RUN_H
#define WARPWISE_ANALYZER_TIDY_RUN_H

#include "analyzer/advice/Finding.h"
#include "analyzer/advice/Suppression.h"
#include "analyzer/fix/Trial.h"
#include "analyzer/pipeline/Analyze.h"
#include "profiler/profile/Profile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/thread.h"

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpwise::tidy {

/// What the options of a check say. Texts as in `.warpwise`.
struct Wishes {
  std::string Gpu, Profile;        ///< a name; a name or a file
  std::string BlockDim, Arguments; ///< "transpose*=32x8", "n=4096"; lists
  std::string MinGain;             ///< "1.05"
};

class Run {
public:
  /// The file that is being looked at.
  static Run &current();

  /// A check for \p Rule is made. What concerns all checks counts as the first
  /// of them says it.
  void want(const std::string &Rule, const Wishes &Its);

  /// The consumer for the file whose checks were made last.
  std::unique_ptr<clang::ASTConsumer> listen(clang::CompilerInstance &Compiler,
                                             llvm::StringRef File);

  /// Waits for what has begun when \p Compiler had parsed the file. What
  /// follows is known from then on.
  void finish(clang::CompilerInstance &Compiler);

  const std::vector<advice::Finding> &findings() const { return Findings; }
  /// What the checks want and cannot have, as sentences.
  const std::vector<std::string> &problems() const { return Problems; }
  /// The rewrites were tried, as clang-tidy was asked for fixes.
  bool triedFixes() const { return TriedFixes; }
  /// Whether nobody has asked for \p Change yet.
  bool isFirst(const advice::Replacement &Change) {
    return Changes.insert(Change).second;
  }
  const std::string &gpu() const { return Device.Gpu; }

private:
  std::string first(std::string Wishes::*Member) const;
  llvm::Error prepare();
  void judge(clang::CompilerInstance &Compiler);
  fix::Analysed analysed(const pipeline::AnalyzeResult &Of) const;
  void tryFixes(const advice::SourceText &Read);

  std::map<std::string, Wishes> Wanted; ///< by rule; of the next file
  std::map<std::string, Wishes> Rules;
  std::future<llvm::Expected<profile::Profile>> Loading;
  profile::Profile Device;
  pipeline::AnalyzeOptions Options;
  frontend::DeviceCommand Analysed;
  /// Fills the next two, and reads what is above.
  llvm::thread Beside;
  std::optional<pipeline::AnalyzeResult> Result;
  fix::Analysed Judged;
  std::vector<advice::Finding> Findings;
  std::vector<std::string> Problems;
  std::set<advice::Replacement> Changes;
  bool TriedFixes = false, SaidHostPass = false;
};

} // namespace warpwise::tidy

#endif // WARPWISE_ANALYZER_TIDY_RUN_H
