//===- FootprintLatency.cu - Latency against footprint --------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/PointerChase.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpwise::harness {
namespace {

constexpr uint64_t Line = 128;
/// Loads that are timed where a footprint has more lines than that; they are
/// spread over all of it.
constexpr uint64_t Sample = 8192;

/// Footprints from \p Low to \p High, \p PerOctave steps to each doubling.
std::vector<uint64_t> footprints(uint64_t Low, uint64_t High,
                                 unsigned PerOctave) {
  std::vector<uint64_t> Sizes;
  for (double Size = double(Low); Size <= double(High) * 1.001;
       Size *= std::exp2(1.0 / PerOctave))
    Sizes.push_back(uint64_t(Size) / Line * Line);
  return Sizes;
}

void throughL1(Session &S) {
  const uint64_t Most = 2 * (uint64_t(256) << 10);
  PointerChase Chase(S.device(), Path::L1, Most);
  std::vector<std::array<double, 2>> Points;
  for (uint64_t Bytes : footprints(4096, Most, S.quick() ? 2 : 6)) {
    const uint64_t Lines = Bytes / Line;
    Chase.link(spreadLines(Lines, Lines, S.random()));
    Points.push_back(
        {double(Bytes),
         Chase.cycles(3 * Lines, std::max<uint64_t>(Lines, 4096))});
  }
  S.curve(paths::levels_l1_latency_by_footprint, "footprint [B]",
          "latency [clk]", Points,
          "pointer chase through every 128-byte line in random order, "
          "ld.global.ca, the smallest carve-out, after three warm rounds");
}

void throughL2(Session &S) {
  const Device &D = S.device();
  const uint64_t Most = std::min<uint64_t>(uint64_t(8) << 30, D.FreeBytes / 4);
  PointerChase Chase(D, Path::L2, Most);
  std::vector<std::array<double, 2>> Points;
  for (uint64_t Bytes :
       footprints(uint64_t(1) << 20, Most, S.quick() ? 1 : 4)) {
    const uint64_t Lines = Bytes / Line;
    Chase.link(spreadLines(Lines, std::min(Lines, Sample), S.random()));
    // What lies beyond four times L2 is evicted by the rest of the touch.
    Chase.touch(std::min(Bytes, 4 * D.L2Bytes));
    Points.push_back({double(Bytes), Chase.cycles(0, std::min(Lines, Sample))});
  }
  S.curve(paths::levels_l2_latency_by_footprint, "footprint [B]",
          "latency [clk]", Points,
          fmt::format("pointer chase through up to {} random lines, "
                      "ld.global.cg, after one SM touched the footprint in "
                      "order",
                      Sample));
}

void run(Session &S) {
  throughL1(S);
  throughL2(S);
}

const Registration Registered({
    .Name = "footprint-latency",
    .Measures = "latency against footprint, from L1 to DRAM",
    .When = Stage::Latency,
    .Quick = true,
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
