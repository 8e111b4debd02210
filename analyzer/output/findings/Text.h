//===- Text.h - Findings as compiler warnings -------------------*- C++ -*-===//
//
// The form that every editor and every CI system already reads: clang's, with
// the rule in brackets as clang-tidy puts it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_TEXT_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_TEXT_H

#include "analyzer/output/findings/Format.h"

namespace warpwise::output {

/// A warning for each finding, with its source line and notes.
void writeFindingsAsText(const FindingsReport &Report, llvm::raw_ostream &Out);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_TEXT_H
