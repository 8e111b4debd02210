//===- RequestProbes.cu - Random address patterns of a warp ---------------===//

#include "kernels/harness/Chase.cuh"
#include "kernels/harness/CostFit.h"
#include "kernels/harness/Estimates.h"
#include "kernels/validation/Validation.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

namespace warpwise::harness {
namespace {

constexpr unsigned PatternsEach = 12;
constexpr unsigned SpanBytes = 4096;

/// Patterns of another kind than those of the fit's design, from fresh random
/// numbers: partly strided, partly scattered, in groups of lanes.
Pattern mixed(std::mt19937_64 &Random, unsigned Bytes) {
  const Pattern Scattered = scattered(Random, Bytes, SpanBytes);
  const Pattern Duplicated =
      duplicated(Random, 1u << Random() % 5, Bytes, SpanBytes);
  const unsigned Stride = 1 + unsigned(Random() % 8);
  const unsigned Split = unsigned(Random() % (WarpLanes + 1));
  const bool Strided = Random() % 2;
  return patternOf([&](unsigned Lane) {
    if (Lane >= Split)
      return Scattered[Lane];
    return Strided ? uint64_t(Lane) * Stride * Bytes % SpanBytes
                   : Duplicated[Lane];
  });
}

template <Space At, unsigned Bytes>
void probe(Session &S, CostRules Rules, std::string_view Memory,
           std::vector<ValidationProbe> &Probes) {
  const std::optional<RecordedCost> Cost = recordedCost(
      S.results(),
      {Rules, paths::ofWarp(Memory, fmt::format("b{}.latency", Bytes)), "",
       Bytes});
  if (!Cost)
    return;
  std::vector<Pattern> Patterns;
  for (unsigned I = 0; I != PatternsEach; ++I)
    Patterns.push_back(mixed(S.random(), Bytes));
  Chase<At, Bytes> OneWarpChase;
  const std::vector<double> Cycles = valuesOf(untilAllStable(
      [&] { return OneWarpChase.latencies(Patterns); }, OneWarp));
  for (unsigned I = 0; I != PatternsEach; ++I)
    Probes.push_back({fmt::format("latency of one warp's load of {} bytes per "
                                  "lane, {}, random pattern",
                                  Bytes, Memory),
                      Cost->predict(Patterns[I]), Cycles[I]});
}

} // namespace

void validateRequests(Session &S) {
  std::vector<ValidationProbe> Probes;
  probe<Space::Shared, 4>(S, CostRules::Shared, "shared", Probes);
  probe<Space::Shared, 8>(S, CostRules::Shared, "shared", Probes);
  probe<Space::Shared, 16>(S, CostRules::Shared, "shared", Probes);
  probe<Space::L1, 4>(S, CostRules::Global, "global", Probes);
  probe<Space::L1, 8>(S, CostRules::Global, "global", Probes);
  probe<Space::L1, 16>(S, CostRules::Global, "global", Probes);
  recordProbes(S, "requests", "clk", Probes);
}

} // namespace warpwise::harness
