//===- PlotNames.h - Names of the lines of one chart ------------*- C++ -*-===//
//
// Paths of curves that share a chart have most words in common: those become
// the title, the others tell the lines apart.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_PLOTNAMES_H
#define WARPWISE_PROFILER_TOOL_REPORTS_PLOTNAMES_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::reports {

struct Naming {
  std::string Common;           ///< the words at both ends that all share
  std::vector<std::string> Own; ///< one per leaf; empty for a single one
};

/// "latency_unique_loads_1", "latency_unique_loads_2" are "latency unique" with
/// "loads 1" and "loads 2". \p Leaves must not be empty.
Naming nameLines(const std::vector<std::string_view> &Leaves);

/// The number in a name such as "4 loads", when there is just one.
std::optional<double> countIn(std::string_view Name);

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_PLOTNAMES_H
