//===- PlotCharts.h - From a profile to charts ------------------*- C++ -*-===//
//
// Curves below the same path with the same axes share a chart. Quantities that
// count something in their names ("degree_2", "degree_4") are a curve as well.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_PLOTCHARTS_H
#define WARPWISE_PROFILER_TOOL_REPORTS_PLOTCHARTS_H

#include "profiler/charts/Svg.h"
#include "profiler/profile/Profile.h"

#include <functional>
#include <string>
#include <vector>

namespace warpwise::reports {

/// Refers to the profiles that it was made from.
class ChartBuilder {
public:
  ChartBuilder(const profile::Profile &P,
               const std::vector<profile::Profile> &Literature);

  /// One chart for each group of curves; every curve that has a point to draw
  /// is in one.
  std::vector<charts::Chart> curves() const;
  /// One chart for each group of at least three counted quantities.
  std::vector<charts::Chart> counted() const;
  /// Bars of the quantities in \p Unit to whose path \p NameOf gives a name.
  charts::BarChart
  bars(std::string Title, std::string Path, std::string Unit,
       const std::function<std::string(const std::string &)> &NameOf) const;

private:
  struct Line; ///< one curve with its path
  struct Counted;

  std::vector<charts::LevelMark> marksFor(const std::string &Path,
                                          const std::string &Unit) const;
  void addPublishedCurves(charts::Chart &C, const std::string &Path) const;
  void addKnownPlaces(charts::Chart &C, const std::string &Parent,
                      std::string_view Leaf) const;
  charts::Chart chartOf(const std::string &Parent,
                        const std::vector<Line> &Lines) const;
  charts::Chart countedChart(const std::string &Stem, const std::string &Unit,
                             std::vector<Counted> &Members) const;
  static std::vector<std::vector<Line>> split(const std::vector<Line> &Lines);

  const profile::Profile &P;
  std::vector<const profile::Profile *> Sources; ///< without P itself
};

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_PLOTCHARTS_H
