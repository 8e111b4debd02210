//===- Json.h - Findings as JSON --------------------------------*- C++ -*-===//
//
// "warpwise-findings/1": what --format=json prints, and how a worker process
// hands its findings to the parent. docs/reading-a-finding.md describes it for
// users.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_JSON_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_JSON_H

#include "analyzer/output/findings/Format.h"

#include "llvm/Support/JSON.h"

namespace warpwise::advice {

// In the namespace of Finding, where llvm::json looks for them.
llvm::json::Value toJSON(const Note &N);
llvm::json::Value toJSON(const Finding &F);
bool fromJSON(const llvm::json::Value &V, Note &N, llvm::json::Path P);
/// Every member has to be there; the error names the one at fault.
bool fromJSON(const llvm::json::Value &V, Finding &F, llvm::json::Path P);
llvm::json::Value toJSON(const KernelSummary &K);
bool fromJSON(const llvm::json::Value &V, KernelSummary &K, llvm::json::Path P);

} // namespace warpwise::advice

namespace warpwise::output {

/// Writes one document and a newline.
void writeFindingsAsJson(const FindingsReport &Report, llvm::raw_ostream &Out);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_JSON_H
