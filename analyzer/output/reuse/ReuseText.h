//===- ReuseText.h - The cache model's results for people -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_OUTPUT_REUSE_REUSETEXT_H
#define WARPWISE_ANALYZER_OUTPUT_REUSE_REUSETEXT_H

#include "analyzer/reuse/launches/LaunchReport.h"

namespace warpwise::output {

/// The table of one launch, the lines of the source with most traffic, and,
/// where they were made, its curves and variants. Places below
/// \p WorkingDirectory are shortened.
std::string reuseText(const reuse::LaunchReport &Report,
                      const std::vector<reuse::Axis> &Axes,
                      const std::string &WorkingDirectory);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_REUSE_REUSETEXT_H
