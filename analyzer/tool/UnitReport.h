//===- UnitReport.h - What one translation unit gave ------------*- C++ -*-===//
//
// The message from the process that analysed a translation unit to the one
// that puts the results of all of them together.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_UNITREPORT_H
#define WARPWISE_ANALYZER_TOOL_UNITREPORT_H

#include "analyzer/pipeline/Analyze.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace warpwise::tool {

/// A kernel or device function that was not analysed.
struct LeftOut {
  std::string Name;
  bool IsKernel = false;
  /// True when the user's code is at fault: it does not compile.
  bool IsError = false;
  access::Place Where;
  std::string Cause;

  auto operator<=>(const LeftOut &) const = default;
};

struct UnitReport {
  /// One sentence when nothing could be analysed; the rest is then empty.
  std::string Failure;
  /// What the command made of the access model.
  llvm::json::Value Payload = nullptr;
  /// Kernels that were analysed, and those of them for which the unit has no
  /// launch; mangled.
  std::vector<std::string> Kernels, KernelsWithoutLaunch;
  std::vector<std::string> KernelFiles; ///< where each of Kernels stands
  /// Accesses of these kernels, private arrays aside, and those that rules can
  /// judge.
  uint64_t Accesses = 0, Judged = 0;
  std::vector<launch::Launch> Launches;
  /// Sentences on what the host code may launch beyond those.
  std::vector<std::string> LaunchNotes;
  std::vector<LeftOut> Missing;
  /// Errors outside of device code: how many, and the first as a sentence.
  uint64_t HostErrors = 0;
  std::string FirstHostError;
  std::vector<std::string> MissingHeaders;
  /// There are private arrays on which nvcc has the last word, and it has not
  /// been asked yet. Of a result it is only true if the run was interrupted.
  bool AsksNvcc = false;
  /// The process of the analysis did not live to give a result, which Failure
  /// says.
  bool IsLost = false;
  /// The user has stopped the run before there was one.
  bool IsInterrupted = false;
  /// Why private arrays were not judged, as a sentence, or empty.
  std::string ArraysLost;
  /// The user's files that the compiler has read, and the others.
  std::vector<std::string> Files, SystemFiles;
  /// The user's files of units that launch this one's kernels, call what does,
  /// or define what its kernels call.
  std::vector<std::string> OtherFiles;
  std::vector<frontend::KernelTemplate> UnusedTemplates;
};

/// The names in a set, sorted.
std::vector<std::string> sortedNames(const llvm::StringSet<> &Names);

/// Takes everything but the payload from \p Result.
UnitReport makeReport(const pipeline::AnalyzeResult &Result);

/// The report as one line of JSON, and back. A text that is no report becomes
/// one with a Failure.
std::string writeReport(const UnitReport &Report);
UnitReport readReport(llvm::StringRef Text);
/// The same; a text that is no report is an error.
llvm::Expected<UnitReport> parseReport(llvm::StringRef Text);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_UNITREPORT_H
