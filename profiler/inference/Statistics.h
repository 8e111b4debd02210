//===- Statistics.h - From samples to values with intervals -----*- C++ -*-===//
//
// Robust statistics: medians and order-statistic intervals, because timings on
// a GPU have rare, large and one-sided outliers.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_STATISTICS_H
#define WARPWISE_PROFILER_INFERENCE_STATISTICS_H

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace warpwise::inference {

/// The \p Q quantile (0 to 1) with linear interpolation; \p Samples must not
/// be empty, order is free.
double quantile(std::span<const double> Samples, double Q);
double median(std::span<const double> Samples);
double mean(std::span<const double> Samples);

/// A value with its 95 % confidence interval.
struct Estimate {
  double Value = 0; ///< median of the samples
  double Low = 0;   ///< 95 % interval of the median
  double High = 0;
  unsigned N = 0;        ///< samples
  bool Converged = true; ///< whether the stopping rule was met

  double halfWidth() const { return (High - Low) / 2; }
};

/// Median of \p Samples, of which there are some, and the interval of it by
/// order statistics (the binomial interval; for fewer than six samples the
/// whole range).
Estimate estimate(std::span<const double> Samples);

/// The stopping rule of every repeated measurement: at least Least samples,
/// then until the interval's half width is at most Relative of the median or
/// at most Absolute, but no more than Most samples.
struct StopRule {
  unsigned Least = 5;
  unsigned Most = 40;
  double Relative = 0.005;
  double Absolute = 0;
};

/// Calls \p Sample until \p Rule is met; Converged says whether it was.
Estimate untilStable(const std::function<double()> &Sample,
                     const StopRule &Rule = {});

/// Values of which each belongs to one of a few levels, such as the latencies
/// of hits and misses.
struct Levels {
  std::vector<double> Centers;    ///< ascending medians of the levels
  std::vector<double> Thresholds; ///< one fewer: between neighbouring levels
  std::vector<double> Shares;     ///< of the samples in each, sums to 1

  /// Index of the level that \p Value belongs to.
  unsigned of(double Value) const;
};

/// Splits \p Samples where the gaps are: two neighbouring levels are at least
/// \p MinGap apart, and every level holds at least \p MinShare of the samples
/// (smaller groups are outliers and join the nearest level).
Levels splitLevels(std::span<const double> Samples, double MinGap,
                   double MinShare = 0.005);

/// The value that parts \p Values into two heaps at least \p Apart apart, with
/// few in between; nothing when they are one heap. Unlike splitLevels it
/// forgives strays in the gap, of which tens of thousands of readings have
/// some.
std::optional<double> parting(std::span<const double> Values, double Apart);

/// Least squares of Y over the columns of X (each as long as Y); a column of
/// ones is the constant term. Coefficients in the order of the columns.
struct Fit {
  std::vector<double> Coefficients;
  double RSquared = 0;
  double MedianError = 0; ///< median of |residual| / |y|
  double P95Error = 0;    ///< 95th percentile of it
  double MaxResidual = 0; ///< largest |residual|, in the unit of Y
};
/// Nothing when there are fewer points than columns or the columns depend on
/// one another.
std::optional<Fit> leastSquares(std::span<const std::vector<double>> X,
                                std::span<const double> Y);

/// Y = Intercept + Slope * X.
struct Line {
  double Intercept = 0, Slope = 0, RSquared = 0;

  double at(double X) const { return Intercept + Slope * X; }
};
/// By least squares; nothing when all \p X are alike.
std::optional<Line> fitLine(const std::vector<double> &X,
                            const std::vector<double> &Y);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_STATISTICS_H
