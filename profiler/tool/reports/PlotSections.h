//===- PlotSections.h - The charts in reading order -------------*- C++ -*-===//
//
// Which question a chart answers, by what its axes show.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_PLOTSECTIONS_H
#define WARPWISE_PROFILER_TOOL_REPORTS_PLOTSECTIONS_H

#include "profiler/charts/Svg.h"
#include "profiler/profile/Profile.h"

#include <string_view>
#include <vector>

namespace warpwise::reports {

struct ChartSection {
  std::string_view Id, Title;
  std::string_view Question; ///< what a reader looks for
  std::vector<charts::BarChart> Bars;
  std::vector<charts::Chart> Charts;
};

/// The sections of \p P that have charts, in reading order; every curve of
/// \p P that has a point to draw is in one chart.
std::vector<ChartSection>
chartSections(const profile::Profile &P,
              const std::vector<profile::Profile> &Literature);

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_PLOTSECTIONS_H
