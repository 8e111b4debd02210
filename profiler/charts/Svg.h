//===- Svg.h - Charts as inline SVG -----------------------------*- C++ -*-===//
//
// What a chart shows, and its drawing as one HTML <figure>. Colours are CSS
// classes, so that one drawing serves the light and the dark scheme.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_CHARTS_SVG_H
#define WARPWISE_PROFILER_CHARTS_SVG_H

#include "profiler/charts/Text.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::charts {

/// A published value or curve beside the own ones; Source picks the shape of
/// its marks.
struct Published {
  size_t Source = 0;
  std::string Name; ///< of the GPU
};

struct Series {
  std::string Name;
  std::vector<std::array<double, 2>> Points; ///< finite; sorted by x
  /// As many as Points, or none.
  std::vector<std::optional<std::array<double, 2>>> Intervals;
  std::optional<Published> From; ///< unset: one of the own
};

/// A value of the literature that has no x: a mark on the vertical axis.
struct LevelMark {
  double At;
  Published From;
  std::string Tooltip;
};

/// A place on the horizontal axis that has a name: "capacity 248 KiB".
struct Landmark {
  double At;
  std::string Name;
};

struct Chart {
  std::string Title;
  std::string Path;   ///< where the data is found, or ""
  std::string Method; ///< one line
  std::string Badge;  ///< a status that needs a word, or ""
  AxisLabel X, Y;
  /// What the vertical axis shows at least, such as 0 to 100 %.
  std::vector<double> YAtLeast;
  std::vector<Series> Lines;
  std::vector<LevelMark> Levels;
  std::vector<Landmark> Landmarks;
  bool Ordered = false; ///< the series are a sequence, such as 1, 2, 4 loads
  bool Dots = false;    ///< neighbours on the x axis have nothing in common
};

struct Bar {
  std::string Name;
  double Value = 0;
  std::optional<std::array<double, 2>> Interval;
  std::string Tooltip;
  std::vector<LevelMark> Marks;
};

struct BarChart {
  std::string Title, Path, Method;
  std::string Unit;
  std::vector<Bar> Bars;
};

/// The figure with title, drawing, legend and method. Texts are escaped here.
std::string drawChart(const Chart &C);
std::string drawBars(const BarChart &C);

} // namespace warpwise::charts

#endif // WARPWISE_PROFILER_CHARTS_SVG_H
