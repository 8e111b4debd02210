//===- Manual.h - The manual page -------------------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_TOOL_REFERENCE_MANUAL_H
#define WARPWISE_ANALYZER_TOOL_REFERENCE_MANUAL_H

#include "analyzer/tool/reference/CommandTable.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace warpwise::tool {

/// The page warpwise(1) for man.
std::string manualPage(const std::vector<CommandEntry> &Commands,
                       llvm::StringRef Version);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_REFERENCE_MANUAL_H
