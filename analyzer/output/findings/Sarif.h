//===- Sarif.h - Findings as SARIF 2.1.0 ------------------------*- C++ -*-===//
//
// The form that code scanning services and editors exchange. What they need to
// show a finding without this program is in it: the page of each rule, where
// else to look, the rewrite. docs/ci.md describes it for users.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_SARIF_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_SARIF_H

#include "analyzer/output/findings/Format.h"

#include "llvm/Support/Error.h"

#include <set>
#include <string>

namespace warpwise::output {

/// Writes one document with one run, and a newline. Paths below the report's
/// working directory are relative to SRCROOT, which it stands for.
void writeFindingsAsSarif(const FindingsReport &Report, llvm::raw_ostream &Out);

/// The fingerprints of all places in \p Text, which writeFindingsAsSarif()
/// wrote; runs of other tools are passed over. The error is the half of a
/// sentence that says what is wrong with the text.
llvm::Expected<std::set<std::string>> readFingerprints(llvm::StringRef Text);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_SARIF_H
