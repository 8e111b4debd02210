//===- ConstantGeometry.cu - The two levels of constant caches ------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/CudaProbe.h"
#include "profiler/inference/CacheGeometry.h"
#include "profiler/inference/Curves.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::harness {
namespace {

constexpr uint64_t ConstantBytes = 65536;
constexpr uint64_t WalkStep = 16;

/// Latencies of a cold walk with small steps: where they rise, a new line of
/// one of the levels begins.
std::vector<double> coldWalk(CudaProbe &Probe, uint64_t Bytes) {
  std::vector<uint64_t> Offsets;
  for (uint64_t At = 0; At < Bytes; At += WalkStep)
    Offsets.push_back(At);
  const std::vector<float> Times = Probe.time(Offsets);
  return {Times.begin(), Times.end()};
}

void recordLines(Session &S, CudaProbe &Probe) {
  const std::vector<double> Walk = coldWalk(Probe, ConstantBytes / 2);
  const inference::Levels Levels = inference::splitLevels(Walk, 20, 0.02);
  auto Record = [&](profile::EntryPath Path, unsigned Level) {
    std::vector<bool> Slow;
    for (double Cycles : Walk)
      Slow.push_back(Levels.of(Cycles) >= Level);
    if (const std::optional<size_t> Accesses = inference::period(Slow))
      S.exact(Path, "B", double(*Accesses * WalkStep),
              "distance between the slower accesses of a cold walk in steps of "
              "16 bytes",
              unsigned(Walk.size()));
    else
      S.notMeasurable(Path, "B",
                      "the cold walk shows no regular distance between slower "
                      "accesses");
  };
  Record(paths::levels_constant_line, 1);
  Record(paths::levels_constant_l15_line, 2);
}

/// Misses of a warm traversal against lines.
void recordFirstLevel(Session &S, CudaProbe &Probe, uint64_t Line) {
  const std::optional<inference::HitRule> Rule =
      inference::hitRule(Probe, 8 * Line, Line);
  if (!Rule)
    throw Skip("hits and misses of the constant cache cannot be told apart");
  const std::optional<inference::Capacity> Usable =
      inference::capacity(Probe, *Rule, Line, 4 * Line, 256 * Line);
  if (!Usable) {
    S.notMeasurable(paths::levels_constant_capacity, "B",
                    "no footprint up to 256 lines overflows it");
    return;
  }
  std::vector<std::array<double, 2>> Points;
  uint64_t AllMiss = 0;
  for (uint64_t Lines = 4; Lines <= 4 * Usable->Bytes / Line; ++Lines) {
    const uint64_t Misses =
        inference::missesOfPass(Probe, *Rule, Lines, Line, 4);
    Points.push_back({double(Lines * Line), double(Misses)});
    if (Misses == Lines && AllMiss == 0)
      AllMiss = Lines;
    if (AllMiss && Lines > AllMiss + 8)
      break;
  }
  S.curve(paths::levels_constant_misses_by_footprint, "footprint [B]",
          "misses of a warm traversal [1]", Points,
          "constant loads in order, every load timed, last of four rounds");
  S.exact(paths::levels_constant_capacity_usable, "B", double(Usable->Bytes),
          "largest footprint that is traversed again without a recurring miss; "
          "the kernel's parameters take the rest",
          2);
  const inference::Organisation O =
      inference::organisation(Probe, *Rule, Line, Usable->Bytes);
  if (O.Policy)
    S.word(paths::levels_constant_replacement,
           std::string(inference::replacementName(*O.Policy)),
           fmt::format("predicts {:.1f} % of the accesses to one set",
                       100 * O.PolicyAgreement));
  else
    S.notMeasurable(paths::levels_constant_replacement, "name",
                    O.Unknown.empty() ? "no policy predicts what hits"
                                      : O.Unknown);
  if (O.Ways.empty()) {
    S.notMeasurable(paths::levels_constant_ways, "1", O.Unknown);
    return;
  }
  // The kernel's own parameters lie in another constant bank and take lines of
  // the same cache, so a set may seem to have fewer ways than it has.
  const double Ways = *std::max_element(O.Ways.begin(), O.Ways.end());
  S.exact(paths::levels_constant_ways, "1", Ways,
          "lines of an eviction set that fit together, the set without "
          "parameters in it",
          unsigned(O.Ways.size()));
  if (AllMiss == 0)
    return;
  // Then each set has one line more than ways.
  S.inferred(
      paths::levels_constant_capacity, "B",
      double(AllMiss * Line) * Ways / (Ways + 1),
      fmt::format("from {} lines on every access of a round misses: each "
                  "set then has one line more than its ways",
                  AllMiss));
  uint64_t Power = Line;
  while (Power < Usable->Bytes)
    Power *= 2;
  S.check(paths::levels_constant_capacity,
          "the next power of two above what is usable", double(Power), 0);
}

void recordSecondLevel(Session &S, CudaProbe &Probe, uint64_t Line) {
  // Everything that the 64 KiB of one kernel's constants reach.
  std::vector<std::array<double, 2>> Points;
  for (uint64_t Bytes = 4096; Bytes <= ConstantBytes; Bytes += 4096) {
    std::vector<uint64_t> Offsets;
    for (unsigned Round = 0; Round != 3; ++Round)
      for (uint64_t At = 0; At < Bytes; At += Line)
        Offsets.push_back(At);
    const std::vector<float> Times = Probe.time(Offsets);
    const std::vector<double> Warm(Times.end() - long(Bytes / Line),
                                   Times.end());
    Points.push_back({double(Bytes), inference::mean(Warm)});
  }
  S.curve(paths::levels_constant_l15_latency_by_footprint, "footprint [B]",
          "latency with the bracket's bias [clk]", Points,
          "constant loads in order, one per line of the first level");
  if (const std::optional<double> Flat = inference::lastFlat(Points))
    S.exact(paths::levels_constant_l15_capacity, "B", *Flat,
            "largest footprint whose latency is that of the smallest, in steps "
            "of 4 KiB");
  else
    S.notMeasurable(paths::levels_constant_l15_capacity, "B",
                    "at least 65536 B, all that a kernel's constant array can "
                    "reach, and no miss there");
}

void run(Session &S) {
  CudaProbe Probe(S.device(),
                  {.Path = ProbedPath::Constant, .Bytes = ConstantBytes});
  recordLines(S, Probe);
  const auto Line = uint64_t(S.need(paths::levels_constant_line));
  recordFirstLevel(S, Probe, Line);
  recordSecondLevel(S, Probe, Line);
}

const Registration Registered({
    .Name = "constant-geometry",
    .Measures = "lines, capacity and sets of the constant caches",
    .When = Stage::Geometry,
    .Provides = {{paths::levels_constant_line, "B"},
                 {paths::levels_constant_capacity, "B"},
                 {paths::levels_constant_ways, "1"},
                 {paths::levels_constant_replacement, "name"},
                 {paths::levels_constant_l15_line, "B"},
                 {paths::levels_constant_l15_capacity, "B"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
