//===- Session.h - What check and accesses do first -------------*- C++ -*-===//
//
// Options, inputs and device profile belong together: the profile picks the
// architecture of a command that lists several, and the first command picks
// the profile when the user named none.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_SESSION_H
#define WARPWISE_ANALYZER_TOOL_SESSION_H

#include "analyzer/tool/CommandLine.h"
#include "analyzer/tool/Inputs.h"
#include "analyzer/tool/ProjectAnalysis.h"
#include "profiler/profile/Profile.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace warpwise::tool {

struct Session {
  AnalysisOptions Options;
  profile::Profile Device;
  Inputs From;
};

/// What a sub-command wants of its files besides their names.
struct FileWishes {
  /// Of a file with several compile commands only the first.
  bool OnePerFile = false;
  /// True for files that are left out; unset: none are.
  std::function<bool(const std::string &File)> IsExcluded = nullptr;
};

/// Reads the shared options, the files and the profile.
llvm::Expected<Session> openSession(const std::vector<std::string> &Paths,
                                    const FileWishes &Wishes);

struct SessionResult {
  std::vector<UnitReport> Reports; ///< as the session's units
  /// A file could not be read, translated or analysed at all.
  bool FilesFailed = false;
  /// A kernel does not compile. The others were analysed.
  bool KernelsFailed = false;
};

/// Analyses the session's units, after one line about the profile, and says
/// what is wrong with the inputs and what could not be analysed.
SessionResult analyzeSession(const Session &S, const Summary &Summarize);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_SESSION_H
