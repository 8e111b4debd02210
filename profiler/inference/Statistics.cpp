//===- Statistics.cpp - From samples to values with intervals -------------===//

#include "profiler/inference/Statistics.h"

#include <Eigen/QR>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace warpwise::inference {

static std::vector<double> sorted(std::span<const double> Samples) {
  std::vector<double> Values(Samples.begin(), Samples.end());
  std::sort(Values.begin(), Values.end());
  return Values;
}

static double quantileOfSorted(std::span<const double> Values, double Q) {
  const double At = Q * double(Values.size() - 1);
  const auto Below = size_t(At);
  if (Below + 1 >= Values.size())
    return Values.back();
  return std::lerp(Values[Below], Values[Below + 1], At - double(Below));
}

double quantile(std::span<const double> Samples, double Q) {
  assert(!Samples.empty() && Q >= 0 && Q <= 1);
  return quantileOfSorted(sorted(Samples), Q);
}

double median(std::span<const double> Samples) {
  return quantile(Samples, 0.5);
}

double mean(std::span<const double> Samples) {
  assert(!Samples.empty());
  return std::accumulate(Samples.begin(), Samples.end(), 0.0) /
         double(Samples.size());
}

Estimate estimate(std::span<const double> Samples) {
  assert(!Samples.empty());
  const std::vector<double> Values = sorted(Samples);
  const size_t N = Values.size();
  Estimate E;
  E.Value = quantileOfSorted(Values, 0.5);
  E.N = unsigned(N);
  // The median lies outside of the order statistics K and N - 1 - K with
  // probability 2 P(binomial(N, 1/2) <= K); take the largest K that leaves 95
  // %, and for few samples the whole range.
  size_t K = 0;
  double Term = std::pow(0.5, double(N));
  for (double Tail = Term; K + 1 < N / 2; ++K) {
    Term *= double(N - K) / double(K + 1);
    Tail += Term;
    if (Tail > 0.025)
      break;
  }
  E.Low = Values[K];
  E.High = Values[N - 1 - K];
  return E;
}

Estimate untilStable(const std::function<double()> &Sample,
                     const StopRule &Rule) {
  assert(Rule.Least != 0 && Rule.Least <= Rule.Most && "would never end");
  std::vector<double> Samples;
  while (true) {
    Samples.push_back(Sample());
    if (Samples.size() < Rule.Least)
      continue;
    Estimate E = estimate(Samples);
    const double Allowed =
        std::max(Rule.Relative * std::abs(E.Value), Rule.Absolute);
    E.Converged = E.halfWidth() <= Allowed;
    if (E.Converged || Samples.size() >= Rule.Most)
      return E;
  }
}

unsigned Levels::of(double Value) const {
  return unsigned(
      std::upper_bound(Thresholds.begin(), Thresholds.end(), Value) -
      Thresholds.begin());
}

Levels splitLevels(std::span<const double> Samples, double MinGap,
                   double MinShare) {
  Levels Found;
  const std::vector<double> Values = sorted(Samples);
  if (Values.empty())
    return Found;
  // Runs of values without a gap, as [begin, end) indices.
  std::vector<std::pair<size_t, size_t>> Runs = {{0, 1}};
  for (size_t I = 1; I != Values.size(); ++I) {
    if (Values[I] - Values[I - 1] >= MinGap)
      Runs.push_back({I, I});
    Runs.back().second = I + 1;
  }
  // Small runs are outliers and carry no level.
  const double Least = std::max(1.0, MinShare * double(Values.size()));
  std::erase_if(Runs, [&](const auto &Run) {
    return double(Run.second - Run.first) < Least;
  });
  if (Runs.empty())
    Runs = {{0, Values.size()}};
  for (const auto &[From, To] : Runs) {
    Found.Centers.push_back(
        quantileOfSorted(std::span(Values).subspan(From, To - From), 0.5));
    if (Found.Centers.size() > 1)
      Found.Thresholds.push_back(
          (Values[Runs[Found.Centers.size() - 2].second - 1] + Values[From]) /
          2);
  }
  Found.Shares.assign(Found.Centers.size(), 0);
  for (double V : Values)
    Found.Shares[Found.of(V)] += 1.0 / double(Values.size());
  return Found;
}

/// Two medians from the quantiles \p Start and 1 - Start on; a long tail does
/// not move them as it would two means.
static std::optional<double> partingFrom(std::span<const double> Values,
                                         double Apart, double Start) {
  double Low = quantile(Values, Start);
  double High = quantile(Values, 1 - Start);
  double Between = 0;
  for (unsigned Round = 0; Round != 30; ++Round) {
    Between = (Low + High) / 2;
    std::vector<double> Lower, Upper;
    for (double V : Values)
      (V <= Between ? Lower : Upper).push_back(V);
    if (Lower.empty() || Upper.empty())
      return std::nullopt;
    Low = median(Lower);
    High = median(Upper);
  }
  const double Gap = High - Low;
  size_t Upper = 0, Middle = 0;
  for (double V : Values) {
    Upper += V > Between;
    Middle += std::abs(V - Between) < 0.15 * Gap;
  }
  const size_t Smaller = std::min(Upper, Values.size() - Upper);
  // Fewer than one in a hundred are outliers, not a heap.
  if (Gap < Apart || Smaller * 100 < Values.size() || Middle * 5 > Smaller)
    return std::nullopt;
  return Between;
}

std::optional<double> parting(std::span<const double> Values, double Apart) {
  // A tail of a few percent is a heap of its own from an early start, and a
  // small heap is missed from a late one.
  for (double Start : {0.1, 0.01})
    if (const auto Found = partingFrom(Values, Apart, Start))
      return Found;
  return std::nullopt;
}

std::optional<Fit> leastSquares(std::span<const std::vector<double>> X,
                                std::span<const double> Y) {
  const size_t Columns = X.size(), Points = Y.size();
  assert(std::all_of(X.begin(), X.end(),
                     [&](const auto &C) { return C.size() == Points; }) &&
         "a column without a value for each point");
  if (Columns == 0 || Points < Columns)
    return std::nullopt;
  Eigen::MatrixXd A(Points, Columns);
  for (size_t C = 0; C != Columns; ++C)
    A.col(Eigen::Index(C)) = Eigen::VectorXd::Map(X[C].data(), A.rows());
  // Columns are scaled to length 1, so that "singular" means the same for all.
  const Eigen::RowVectorXd Scale = A.colwise().norm();
  if (Scale.minCoeff() == 0)
    return std::nullopt;
  A.array().rowwise() /= Scale.array();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> Solver(A);
  Solver.setThreshold(1e-5);
  if (Solver.rank() != A.cols())
    return std::nullopt;
  const Eigen::VectorXd Found =
      Solver.solve(Eigen::VectorXd::Map(Y.data(), A.rows()))
          .cwiseQuotient(Scale.transpose());
  Fit Result;
  Result.Coefficients.assign(Found.begin(), Found.end());
  const double Center = mean(Y);
  double Left = 0, Total = 0;
  std::vector<double> Errors;
  for (size_t P = 0; P != Points; ++P) {
    double Predicted = 0;
    for (size_t C = 0; C != Columns; ++C)
      Predicted += Result.Coefficients[C] * X[C][P];
    const double Residual = Y[P] - Predicted;
    Left += Residual * Residual;
    Total += (Y[P] - Center) * (Y[P] - Center);
    Result.MaxResidual = std::max(Result.MaxResidual, std::abs(Residual));
    if (Y[P] != 0)
      Errors.push_back(std::abs(Residual / Y[P]));
  }
  Result.RSquared = Total > 0 ? 1 - Left / Total : 1;
  if (!Errors.empty()) {
    Result.MedianError = median(Errors);
    Result.P95Error = quantile(Errors, 0.95);
  }
  return Result;
}

std::optional<Line> fitLine(const std::vector<double> &X,
                            const std::vector<double> &Y) {
  const std::vector<std::vector<double>> Columns = {
      std::vector<double>(X.size(), 1), X};
  const auto Found = leastSquares(Columns, Y);
  if (!Found)
    return std::nullopt;
  return Line{Found->Coefficients[0], Found->Coefficients[1], Found->RSquared};
}

} // namespace warpwise::inference
