//===- ReuseJson.h - The cache model's results as JSON ----------*- C++ -*-===//
//
// "warpwise-reuse/1": for scripts and for scoring against hardware counters
// (docs/reuse.md describes every member).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEJSON_H
#define WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEJSON_H

#include "analyzer/reuse/launches/LaunchReport.h"

#include "llvm/Support/JSON.h"

namespace llvm {
class raw_ostream;
}

namespace warpwise::output {

/// One element of "launches". \p Axes: of its variants.
llvm::json::Object reuseLaunch(const reuse::LaunchReport &Report,
                               const std::vector<reuse::Axis> &Axes);

/// The whole document. \p Launches: of reuseLaunch().
llvm::json::Object reuseDocument(const reuse::ReuseRun &Run,
                                 llvm::json::Array Launches);

/// Writes a document and a newline.
void writeReuse(llvm::json::Object Document, llvm::raw_ostream &Out);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEJSON_H
