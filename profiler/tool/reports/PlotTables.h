//===- PlotTables.h - The tables of the page --------------------*- C++ -*-===//
//
// Every quantity with where it comes from, the guidelines, the validation and
// what the profile was measured under, as HTML.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_PLOTTABLES_H
#define WARPWISE_PROFILER_TOOL_REPORTS_PLOTTABLES_H

#include "profiler/profile/Profile.h"

#include <string>
#include <vector>

namespace warpwise::reports {

/// Each returns a table, or an empty string when there is nothing to show.
std::string quantityTable(const profile::Profile &P,
                          const std::vector<profile::Profile> &Literature);
std::string guidelineTable(const profile::Profile &P);
/// Probes with predicted, measured and error; what else the section holds is
/// in the quantities' table.
std::string validationTable(const profile::Profile &P);
std::string environmentTable(const profile::Profile &P);

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_PLOTTABLES_H
