//===- Axis.h - Scales and their ticks --------------------------*- C++ -*-===//
//
// From the values of a chart to a scale: linear or logarithmic, with ticks at
// round numbers, which for bytes are powers of two.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_CHARTS_AXIS_H
#define WARPWISE_PROFILER_CHARTS_AXIS_H

#include "profiler/charts/Text.h"

#include <string>
#include <vector>

namespace warpwise::charts {

/// Whether \p Value can be drawn: finite, and of a size that arithmetic with it
/// stays finite.
bool plottable(double Value);

struct Tick {
  double At;
  std::string Text;
};

struct Axis {
  double Low = 0, High = 1; ///< Low < High; positive when Logarithmic
  bool Logarithmic = false;
  std::vector<Tick> Ticks;

  /// Where \p Value lies: 0 at Low, 1 at High.
  double place(double Value) const;
};

/// The horizontal axis: logarithmic to base 2 for bytes and for values that
/// are spaced that way, without padding.
Axis horizontalAxis(std::vector<double> Values, const AxisLabel &Label);
/// The vertical axis: from zero unless the values lie close together, and
/// logarithmic to base 10 when they span two to six decades; beyond, the
/// small ones are rather nothing.
Axis verticalAxis(std::vector<double> Values, const AxisLabel &Label);
/// For bars: linear and from zero.
Axis barAxis(std::vector<double> Values);

} // namespace warpwise::charts

#endif // WARPWISE_PROFILER_CHARTS_AXIS_H
