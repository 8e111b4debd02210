//===- Completion.h - Completions of shells ---------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_TOOL_REFERENCE_COMPLETION_H
#define WARPWISE_ANALYZER_TOOL_REFERENCE_COMPLETION_H

#include "analyzer/tool/reference/CommandTable.h"

#include <string>
#include <vector>

namespace warpwise::tool {

/// A script for the shell each. Names of rules and GPUs are asked of the
/// program when somebody wants them, and so are the options of commands that
/// are another program's.
std::string bashCompletion(const std::vector<CommandEntry> &Commands);
std::string zshCompletion(const std::vector<CommandEntry> &Commands);
std::string fishCompletion(const std::vector<CommandEntry> &Commands);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_REFERENCE_COMPLETION_H
