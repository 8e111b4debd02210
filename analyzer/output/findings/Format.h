//===- Format.h - The forms in which findings leave -------------*- C++ -*-===//
//
// What `check` writes. A new form is a file here and a line in Formats.cpp; the
// command line takes its name and description from there.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_FORMAT_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_FORMAT_H

#include "analyzer/advice/Finding.h"
#include "analyzer/advice/KernelSummary.h"
#include "analyzer/advice/Suppression.h"
#include "profiler/profile/RequestLaw.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace warpwise::output {

/// What a form may say of a rule.
struct RuleText {
  std::string Name, Summary;
  std::string Page; ///< Markdown
  std::string Uri;  ///< where the page can be read
};

/// What a run found, and what a form may say of the run.
struct FindingsReport {
  std::vector<advice::Finding> Findings; ///< in the order to write them
  size_t Suppressed = 0;                 ///< by NOLINT
  /// The device profile: "nvidia-h100-pcie", "NVIDIA H100 PCIe", and where its
  /// numbers come from.
  std::string Profile, Gpu, Origin;
  /// How that GPU splits a warp's request.
  profile::RequestLaw Law;
  std::string Version; ///< of this program
  std::vector<RuleText> Rules;
  /// Gives the source lines to show; unset: none are shown.
  advice::SourceText Source;
  /// Absolute paths below it may be written relative to it. Empty: as they are.
  std::string WorkingDirectory;
  /// All kernels that were analysed, and what was not, as sentences.
  std::vector<advice::KernelSummary> Kernels;
  std::vector<std::string> Errors;
  /// The rewrites were tried: what came of them is said.
  bool TriedFixes = false;
  /// The evidence for each finding, too.
  bool Explain = false;
  /// Escape sequences for colours and bold.
  bool Color = false;
};

struct FindingsFormat {
  llvm::StringLiteral Name;        ///< "json"
  llvm::StringLiteral Description; ///< "for programs"
  void (*Write)(const FindingsReport &Report, llvm::raw_ostream &Out);
  /// It has a place for rewrites, so that they are tried.
  bool HasFixes = false;
};

/// All forms, the usual one first.
llvm::ArrayRef<FindingsFormat> findingsFormats();

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_FORMAT_H
