//===- Curves.cpp - Where a measured curve bends or levels out ------------===//

#include "profiler/inference/Curves.h"

#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <cassert>

namespace warpwise::inference {

std::optional<double> bend(std::span<const double> X,
                           std::span<const double> Y) {
  // Joints are tried at the points and half way between.
  std::vector<double> Joints;
  for (size_t I = 2; I + 2 < X.size(); ++I) {
    Joints.push_back(X[I]);
    Joints.push_back((X[I] + X[I + 1]) / 2);
  }
  const auto Beyond = [&](double Joint) {
    std::vector<double> Column(X.begin(), X.end());
    for (double &Value : Column)
      Value = std::max(0.0, Value - Joint);
    return Column;
  };
  std::optional<double> Best;
  double Most = 0;
  for (size_t I = 0; I != Joints.size(); ++I)
    for (size_t J = I + 2; J < Joints.size(); ++J) {
      const std::vector<double> Columns[] = {std::vector<double>(X.size(), 1.0),
                                             {X.begin(), X.end()},
                                             Beyond(Joints[I]),
                                             Beyond(Joints[J])};
      const std::optional<Fit> F = leastSquares(Columns, Y);
      if (!F || F->RSquared <= Most)
        continue;
      Most = F->RSquared;
      const double First = F->Coefficients[2], Second = F->Coefficients[3];
      Best.reset();
      // A gain that does not grow first is no cache that fills.
      if (F->Coefficients[1] > 0 && std::min(First, Second) < 0)
        Best = First < Second ? Joints[I] : Joints[J];
    }
  return Best;
}

std::pair<size_t, size_t> plateau(std::span<const CurvePoint> Points,
                                  size_t Peak, double Share) {
  const double Least = Share * Points[Peak][1];
  size_t From = Peak, To = Peak;
  while (From != 0 && Points[From - 1][1] >= Least)
    --From;
  while (To + 1 != Points.size() && Points[To + 1][1] >= Least)
    ++To;
  return {From, To};
}

double firstReaching(std::span<const CurvePoint> Points, double Share) {
  double Most = 0;
  for (const auto &[X, Y] : Points)
    Most = std::max(Most, Y);
  const auto First =
      std::find_if(Points.begin(), Points.end(),
                   [&](const CurvePoint &P) { return P[1] >= Share * Most; });
  assert(First != Points.end() && "the highest point reaches any share");
  return (*First)[0];
}

std::optional<double> lastFlat(std::span<const CurvePoint> Points) {
  constexpr double ClearlyAbove = 1.1, Noise = 1.05;
  const double First = Points.front()[1];
  if (Points.back()[1] < ClearlyAbove * First)
    return std::nullopt;
  const auto Rise =
      std::find_if(Points.begin(), Points.end(),
                   [&](const CurvePoint &P) { return P[1] > Noise * First; });
  return (*(Rise - 1))[0];
}

std::optional<size_t> period(const std::vector<bool> &Slow) {
  constexpr size_t Few = 8;
  constexpr double MostAreAlike = 0.8;
  std::vector<double> Distances;
  size_t Last = 0;
  for (size_t I = 1; I < Slow.size(); ++I)
    if (Slow[I]) {
      Distances.push_back(double(I - Last));
      Last = I;
    }
  if (Distances.size() < Few)
    return std::nullopt;
  const double Typical = median(Distances);
  const auto Alike = std::count(Distances.begin(), Distances.end(), Typical);
  if (double(Alike) < MostAreAlike * double(Distances.size()))
    return std::nullopt;
  return size_t(Typical);
}

} // namespace warpwise::inference
