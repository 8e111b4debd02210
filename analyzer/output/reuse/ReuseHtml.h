//===- ReuseHtml.h - The cache model's results as one page ------*- C++ -*-===//
//
// For people: what each launch asks of L1, L2 and DRAM, which lines of the
// source that comes from, and how other caches would do. Made from the JSON
// document (ReuseJson.h), so that whatever the page shows programs can read.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEHTML_H
#define WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEHTML_H

#include "analyzer/advice/Suppression.h"

#include "llvm/Support/JSON.h"

#include <string>

namespace warpwise::output {

/// One self-contained HTML document without scripts for \p Document, which is
/// of reuseDocument(). \p Source gives the text of the files that sites name.
/// Every text is escaped, whatever it holds. Places below \p WorkingDirectory
/// are shortened.
std::string reuseHtml(const llvm::json::Object &Document,
                      const advice::SourceText &Source,
                      const std::string &WorkingDirectory);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEHTML_H
