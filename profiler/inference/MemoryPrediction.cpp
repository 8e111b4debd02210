//===- MemoryPrediction.cpp - What the profile says will happen -----------===//

#include "profiler/inference/MemoryPrediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace warpwise;
using namespace warpwise::inference;
using profile::Profile;

namespace {

std::string below(std::string_view Level, std::string_view Name) {
  return fmt::format("{}.{}", Level, Name);
}

} // namespace

std::optional<LatencyPrediction>
inference::warmLatency(const Profile &P, std::string_view Level,
                       uint64_t FootprintBytes) {
  const auto *Curve = P.curve(below(Level, "latency_by_footprint"));
  if (!Curve)
    return std::nullopt;
  auto Points = Curve->Points;
  std::sort(Points.begin(), Points.end());
  const auto X = double(FootprintBytes);
  if (Points.empty() || X < Points.front()[0] || X > Points.back()[0])
    return std::nullopt;
  const auto After = std::lower_bound(
      Points.begin(), Points.end(), X,
      [](const auto &Point, double Value) { return Point[0] < Value; });
  const auto [X1, Y1] = *After;
  if (X1 == X)
    return LatencyPrediction{Y1, Y1, Y1};
  const auto [X0, Y0] = *std::prev(After);
  // A footprint of nothing has no logarithm; nor is there one before it.
  const double Share = X0 > 0 ? std::log(X / X0) / std::log(X1 / X0) : X / X1;
  return LatencyPrediction{Y0 + Share * (Y1 - Y0), std::min(Y0, Y1),
                           std::max(Y0, Y1)};
}
