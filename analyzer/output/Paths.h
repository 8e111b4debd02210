//===- Paths.h - Paths as people read them ----------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_OUTPUT_PATHS_H
#define WARPWISE_ANALYZER_OUTPUT_PATHS_H

#include <string>

namespace warpwise::output {

/// \p Path relative to \p Folder when that is shorter, else as it is.
std::string shortenPath(const std::string &Path, const std::string &Folder);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_PATHS_H
