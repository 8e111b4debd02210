//===- Text.h - Findings as compiler warnings -------------------*- C++ -*-===//
//
// The form that every editor and every CI system already reads: clang's, with
// the rule in brackets as clang-tidy puts it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_TEXT_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_TEXT_H

#include "analyzer/output/findings/Format.h"

#include <string>

namespace warpwise::output {

/// A warning for each finding, with its source line and notes.
void writeFindingsAsText(const FindingsReport &Report, llvm::raw_ostream &Out);

/// What one run did, for its last line.
struct RunSummary {
  size_t Findings = 0, Suppressed = 0;
  size_t Kernels = 0, SkippedKernels = 0;
  size_t Accesses = 0, Judged = 0; ///< those whose cost is known
};

/// "5 warnings in 12 kernels, 80 of 84 accesses judged (2 suppressed by NOLINT,
/// 1 kernel not analysed)"
std::string summaryLine(const RunSummary &S);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_TEXT_H
