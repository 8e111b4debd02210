//===- Line.h - A straight line through points ------------------*- C++ -*-===//
//
// Plain C++, shared by the benchmarks whose result is a slope or an intercept.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_WARP_COST_LINE_H
#define WARPWISE_KERNELS_WARP_COST_LINE_H

#include <vector>

namespace warpwise::harness {

/// Y = Intercept + Slope * X.
struct Line {
  double Intercept = 0, Slope = 0, RSquared = 0;

  double at(double X) const { return Intercept + Slope * X; }
};

/// Least squares; a Skip when all \p X are alike.
Line lineOver(const std::vector<double> &X, const std::vector<double> &Y);

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_WARP_COST_LINE_H
