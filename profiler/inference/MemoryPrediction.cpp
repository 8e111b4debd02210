//===- MemoryPrediction.cpp - What the profile says will happen -----------===//

#include "profiler/inference/MemoryPrediction.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

using namespace warpwise;
using namespace warpwise::inference;
using profile::Profile;

namespace {

std::string below(std::string_view Level, std::string_view Name) {
  return fmt::format("{}.{}", Level, Name);
}

/// A whole number at \p Path, or 0.
uint64_t count(const Profile &P, const std::string &Path) {
  const double Value = P.value(Path).value_or(0);
  return Value >= 1 ? uint64_t(std::llround(Value)) : 0;
}

std::optional<Replacement> replacementOf(std::string_view Word) {
  for (Replacement R :
       {Replacement::Lru, Replacement::Fifo, Replacement::Random,
        Replacement::TreePlru, Replacement::NotMru})
    if (replacementName(R) == Word)
      return R;
  return std::nullopt;
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

PredictedCache inference::predictedCache(const Profile &P,
                                         std::string_view Level) {
  PredictedCache Result;
  const uint64_t Capacity = count(P, below(Level, "capacity"));
  const uint64_t Line = count(P, below(Level, "line"));
  if (Capacity == 0 || Line == 0 || Capacity < Line) {
    Result.Reason = fmt::format("{} is missing",
                                below(Level, Line == 0 ? "line" : "capacity"));
    return Result;
  }
  CacheShape Shape;
  Shape.LineBytes = Line;
  uint64_t Sector = count(P, below(Level, "sector"));
  if (Sector == 0)
    Sector = count(P, paths::levels_sector);
  Shape.SectorBytes = Sector == 0 ? Line : std::min(Sector, Line);

  const uint64_t Lines = Capacity / Line;
  const uint64_t Ways = count(P, below(Level, "ways"));
  uint64_t Sets = count(P, below(Level, "sets"));
  if (Sets == 0 && Ways != 0)
    Sets = (Lines + Ways - 1) / Ways;
  Sets = std::clamp<uint64_t>(Sets, 1, Lines);
  for (uint64_t Set = 0; Set != Sets; ++Set)
    Shape.Ways.push_back(unsigned(Lines / Sets + (Set < Lines % Sets)));

  if (const auto *Q = P.find(below(Level, "replacement"));
      Q && !Q->Word.empty()) {
    const auto Policy = replacementOf(Q->Word);
    const bool Fits =
        Policy != Replacement::TreePlru ||
        std::all_of(Shape.Ways.begin(), Shape.Ways.end(),
                    [](unsigned W) { return std::has_single_bit(W); });
    if (!Policy || !Fits) {
      Result.Reason =
          fmt::format("{} is '{}', which the profile does not describe fully",
                      below(Level, "replacement"), Q->Word);
      return Result;
    }
    Shape.Policy = *Policy;
  }
  const auto *Index = P.find(below(Level, "index"));
  Result.MappingKnown = Sets == 1 || (Index && Index->Word == "modulo");
  Result.Shape = std::move(Shape);
  return Result;
}

uint64_t inference::predictedMisses(const CacheShape &Shape,
                                    std::span<const uint64_t> Offsets,
                                    unsigned Passes, uint64_t Seed) {
  Cache Simulated(Shape, Seed);
  uint64_t Misses = 0;
  for (unsigned Pass = 0; Pass != Passes; ++Pass) {
    Misses = 0;
    for (uint64_t Offset : Offsets)
      Misses += Simulated.load(Offset) != Cache::Outcome::Hit;
  }
  return Misses;
}
