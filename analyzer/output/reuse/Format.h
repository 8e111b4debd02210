//===- Format.h - The forms of the cache model's results --------*- C++ -*-===//
//
// What `reuse` writes. A new form is a file here and a line in Formats.cpp; the
// command line takes its name and description from there.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_REUSE_FORMAT_H
#define WARPWISE_ANALYZER_OUTPUT_REUSE_FORMAT_H

#include "analyzer/advice/Suppression.h"
#include "analyzer/reuse/launches/LaunchReport.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace warpwise::output {

/// What a run of the model found, and what a form may say of the run.
struct ReuseReport {
  reuse::ReuseRun Run;
  llvm::json::Array Launches;     ///< each of reuseLaunch()
  std::vector<std::string> Texts; ///< by kernel, of the form's TextOfLaunch
  /// Gives the source lines to show.
  advice::SourceText Source;
  /// Absolute paths below it may be written relative to it.
  std::string WorkingDirectory;
};

struct ReuseFormat {
  llvm::StringLiteral Name;        ///< "json"
  llvm::StringLiteral Description; ///< "for programs"
  /// May take the launches out of the report.
  void (*Write)(ReuseReport &&Report, llvm::raw_ostream &Out);
  /// Of forms that need more of a launch than the document has: made in the
  /// process of its kernel, which knows all. Null: none is made.
  std::string (*TextOfLaunch)(const reuse::LaunchReport &Report,
                              const std::vector<reuse::Axis> &Axes,
                              const std::string &WorkingDirectory) = nullptr;
};

/// All forms, the usual one first.
llvm::ArrayRef<ReuseFormat> reuseFormats();

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_REUSE_FORMAT_H
