//===- Line.cpp - A straight line through points --------------------------===//

#include "kernels/warp-cost/Line.h"

#include "kernels/harness/Session.h"

namespace warpwise::harness {

Line lineOver(const std::vector<double> &X, const std::vector<double> &Y) {
  const std::vector<std::vector<double>> Columns = {
      std::vector<double>(X.size(), 1), X};
  const auto Fit = inference::leastSquares(Columns, Y);
  if (!Fit)
    throw Skip("the requests do not differ in what they ask for");
  return {Fit->Coefficients[0], Fit->Coefficients[1], Fit->RSquared};
}

} // namespace warpwise::harness
