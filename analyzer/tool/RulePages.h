//===- RulePages.h - Where the pages of the rules lie -----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_TOOL_RULEPAGES_H
#define WARPWISE_ANALYZER_TOOL_RULEPAGES_H

#include "rules/Rule.h"

#include <string>

namespace warpwise::tool {

/// The page of the rule of that name as it was installed beside this program,
/// or as it lies in the sources that the program was built from; else empty.
std::string rulePageFile(const std::string &Rule);

/// Where others find the page: the place that the build was told, if it is not
/// a folder of the machine that built it, else the file.
std::string rulePageUri(const rules::Entry &Rule);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_RULEPAGES_H
