//===- FindingJson.h - Findings as JSON -------------------------*- C++ -*-===//
//
// "warpwise-findings/1": what --format=json prints, and how a worker process
// hands its findings to the parent. docs/reading-a-finding.md describes it for
// users.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGJSON_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGJSON_H

#include "analyzer/advice/Finding.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace warpwise::advice {

// In the namespace of Finding, where llvm::json looks for them.
llvm::json::Value toJSON(const Note &N);
llvm::json::Value toJSON(const Finding &F);
bool fromJSON(const llvm::json::Value &V, Note &N, llvm::json::Path P);
/// Every member has to be there; the error names the one at fault.
bool fromJSON(const llvm::json::Value &V, Finding &F, llvm::json::Path P);

} // namespace warpwise::advice

namespace warpwise::output {

/// What a document says about itself.
struct FindingsHead {
  std::string Profile; ///< "nvidia-h100"
  std::string Gpu;     ///< "NVIDIA H100 PCIe"
  std::string Origin;  ///< where the profile's numbers come from
  size_t Suppressed = 0;
};

/// Writes one document and a newline, the findings in the order given.
void writeFindings(const FindingsHead &Head,
                   const std::vector<advice::Finding> &Findings,
                   llvm::raw_ostream &Out);

/// The findings of a document, or what is wrong with it.
llvm::Expected<std::vector<advice::Finding>>
readFindings(llvm::StringRef Document);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGJSON_H
