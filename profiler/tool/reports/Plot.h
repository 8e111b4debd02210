//===- Plot.h - A profile as one page with charts ---------------*- C++ -*-===//
//
// The page of `warpwise profiles plot`: every curve of a profile beside what
// the literature says, and every quantity with where it comes from.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_PLOT_H
#define WARPWISE_PROFILER_TOOL_REPORTS_PLOT_H

#include "profiler/profile/Profile.h"

#include <string>
#include <vector>

namespace warpwise::reports {

/// One self-contained HTML document for \p P: inline SVG and CSS, no script, no
/// network. Curves and quantities of \p Literature (usually the built-in
/// profiles) that have the same paths are drawn beside those of \p P; a profile
/// there with the name of \p P is ignored. Texts of the profiles are escaped,
/// whatever they hold. Never fails; an empty profile gives a page that says so.
std::string plotPage(const profile::Profile &P,
                     const std::vector<profile::Profile> &Literature);

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_PLOT_H
