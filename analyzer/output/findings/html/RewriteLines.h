//===- RewriteLines.h - A rewrite as lines before and after -----*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_REWRITELINES_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_REWRITELINES_H

#include "analyzer/advice/Rewrite.h"
#include "analyzer/output/findings/SourcePositions.h"

#include <string>
#include <vector>

namespace warpwise::output {

/// Lines that follow each other and change.
struct ChangedLines {
  std::string File;
  unsigned Line = 0; ///< the first one
  std::string Before, After;
};

/// What \p Rewrite makes of the files, by file and line. Changes that do not
/// fit the files, which may have been edited since, are left out.
std::vector<ChangedLines> changedLines(const advice::Rewrite &Rewrite,
                                       ReportSources &Sources);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_REWRITELINES_H
