//===- Curves.h - Where a measured curve bends or levels out ----*- C++ -*-===//
//
// What benchmarks read off curves of points {x, y}, in ascending order of x.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_CURVES_H
#define WARPWISE_PROFILER_INFERENCE_CURVES_H

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warpwise::inference {

using CurvePoint = std::array<double, 2>;

/// The x at which \p Y bends down most, where it grows, stops to grow, and may
/// fall back and level out, as the gain of a cache does that fills and then
/// thrashes: three straight pieces, whose two joints are those of the best
/// least-squares fit.
std::optional<double> bend(std::span<const double> X,
                           std::span<const double> Y);

/// The first and the last point of those around \p Peak that reach \p Share of
/// its height.
std::pair<size_t, size_t> plateau(std::span<const CurvePoint> Points,
                                  size_t Peak, double Share);

/// The least x with \p Share of the highest y.
double firstReaching(std::span<const CurvePoint> Points, double Share);

/// The last x before a curve leaves the height of its first point, by more than
/// noise; nothing where it does not end clearly above it.
std::optional<double> lastFlat(std::span<const CurvePoint> Points);

/// The number of accesses from one of \p Slow to the next, where it is always
/// the same but for the first and for a few that something else slowed down.
std::optional<size_t> period(const std::vector<bool> &Slow);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_CURVES_H
