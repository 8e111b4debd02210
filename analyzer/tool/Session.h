//===- Session.h - What check and accesses do first -------------*- C++ -*-===//
//
// Options, inputs and device profile belong together: the profile picks the
// architecture of a command that lists several, and the first command picks
// the profile when the user named none.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_SESSION_H
#define WARPWISE_ANALYZER_TOOL_SESSION_H

#include "analyzer/nvcc/Nvcc.h"
#include "analyzer/tool/CommandLine.h"
#include "analyzer/tool/Inputs.h"
#include "analyzer/tool/ProjectAnalysis.h"
#include "profiler/profile/Profile.h"

#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::tool {

struct Session {
  AnalysisOptions Options;
  profile::Profile Device;
  Inputs From;
  /// What has been begun of the first unit, or null.
  std::shared_ptr<pipeline::BegunAnalysis> Begun = nullptr;
  /// What earlier looks have found out, or null.
  std::shared_ptr<pipeline::KernelResults> Known = nullptr;
  /// What earlier runs have found; null: nothing is kept.
  std::shared_ptr<ReportStore> Store = nullptr;
};

/// What a sub-command wants of its files besides their names.
struct FileWishes {
  /// Of a file with several compile commands only the first.
  bool OnePerFile = false;
  /// True for files that are left out; unset: none are.
  std::function<bool(const std::string &File)> IsExcluded = nullptr;
  /// The GPU to judge for where the command line names none.
  std::string Gpu = {};
  /// What is read in place of files; null: nothing.
  frontend::EditedTexts Edited = nullptr;
  /// The files that an editor has open; unset: there is no editor.
  std::optional<std::vector<std::string>> Open = {};
};

/// Finds the files and the profile.
llvm::Expected<Session> openSession(const std::vector<std::string> &Paths,
                                    AnalysisOptions Options,
                                    const FileWishes &Wishes);

/// The same with what the command line says.
llvm::Expected<Session> openSession(const std::vector<std::string> &Paths,
                                    const FileWishes &Wishes);

/// The user's nvcc, as far as it may be asked. Never one that a compile command
/// names: checking a stranger's code must not run the stranger's programs.
std::optional<nvcc::Nvcc> compilerOf(const Session &S);

/// Notes where this system cannot confine the session's tasks.
void sayIfNotConfined(const Session &S);

/// How the session's tasks are run, which get \p Seconds of CPU time each where
/// the user did not say.
PoolOptions poolOptions(const AnalysisOptions &Options, unsigned Seconds);

struct SessionResult {
  std::vector<UnitReport> Reports; ///< as the session's units
  /// A file could not be read, translated or analysed at all.
  bool FilesFailed = false;
  /// A kernel does not compile. The others were analysed.
  bool KernelsFailed = false;
  /// Why what was not analysed was not, as printed.
  std::vector<std::string> Errors;
};

/// Analyses the session's units, after one line about the profile, and says
/// what is wrong with the inputs and what could not be analysed.
SessionResult analyzeSession(const Session &S, const Summary &Summarize);

/// Begins the analysis of the first unit in this process (BegunAnalysis.h),
/// which the session's analyses go on with.
void beginAnalysis(Session &S);

/// Has the session's analyses from here on, which run in copies of this
/// process, remember what they find out about kernels.
void rememberKernels(Session &S);

/// Analyses all units again, after what of \p S may have changed, and says
/// nothing.
std::vector<UnitReport> analyzeAgain(const Session &S,
                                     const Summary &Summarize);

/// Analyses those units again that read one of the files of \p Edited, with its
/// text in place of the file. The reports are as the session's units; those of
/// the others are as before.
std::vector<UnitReport>
analyzeEdited(const Session &S, const std::vector<UnitReport> &Before,
              const std::map<std::string, std::string> &Edited,
              const Summary &Summarize);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_SESSION_H
