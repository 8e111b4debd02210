//===- FindingsHtml.h - Findings as one page --------------------*- C++ -*-===//
//
// For people who did not run the program: one document that needs nothing else,
// to read, to send and to print. The kernels that waste most come first, each
// with its launches and findings; a finding has its source, what each lane of a
// warp asks for, the price as it is and repaired, the evidence and the cure.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_FINDINGSHTML_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_FINDINGSHTML_H

#include "analyzer/output/findings/Format.h"

namespace warpwise::output {

/// Writes one HTML document without scripts. Every text of the sources is
/// escaped, whatever it holds.
void writeFindingsAsHtml(const FindingsReport &Report, llvm::raw_ostream &Out);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_FINDINGSHTML_H
