//===- Tlb.cu - Levels, reach and penalty of the TLB ----------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/CudaProbe.h"
#include "profiler/inference/TlbGeometry.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <memory>

namespace warpwise::harness {
namespace {

/// Pages of the driver's large allocations, and of all strides the largest that
/// can be one (cuMemGetAllocationGranularity gives 2 MiB from sm_60 on).
constexpr uint64_t Stride = uint64_t(2) << 20;

/// An array over most of the free memory; the driver may have less in one piece
/// than it says is free.
std::unique_ptr<CudaProbe> largeProbe(const Device &D, uint64_t &Bytes) {
  size_t Free = 0, Total = 0;
  check(cudaMemGetInfo(&Free, &Total));
  for (Bytes = Free / 10 * 9 / Stride * Stride; Bytes > 64 * Stride;
       Bytes = Bytes / 2 / Stride * Stride)
    try {
      return std::make_unique<CudaProbe>(
          D, ProbeOptions{.Path = ProbedPath::GlobalL2, .Bytes = Bytes});
    } catch (const CudaFailure &) {
      cudaGetLastError();
    }
  throw Skip("no large array could be allocated");
}

void recordLevel(Session &S, const inference::TlbLevel &Level,
                 unsigned Number) {
  const std::string Path = fmt::format("levels.tlb.l{}_", Number);
  const std::string Rise =
      fmt::format("a tenth of the penalty at {} MiB, nine tenths at {} MiB{}",
                  Level.RiseBegins >> 20, Level.RiseEnds >> 20,
                  Level.Ends ? "" : ", the curve does not end there");
  if (Level.isSharp()) {
    S.exact(Path + "reach", "B", double(Level.ReachBytes),
            fmt::format("{}; {}",
                        Level.Exact
                            ? "largest footprint without a recurring miss"
                            : "last footprint before the latency rises",
                        Rise));
    S.exact(Path + "entries", "1", double(Level.Entries),
            "pages of the stride that the reach holds");
  } else {
    S.notMeasurable(Path + "reach", "B", "there is no sharp end: " + Rise);
    S.notMeasurable(Path + "entries", "1", "there is no sharp end: " + Rise);
  }
  inference::Estimate Penalty;
  Penalty.Value = Penalty.Low = Penalty.High = Level.Penalty;
  Penalty.N = 1;
  // Then more is to come beyond the memory that there is.
  Penalty.Converged = Level.Ends;
  S.measured(Path + "miss_penalty", "clk", Penalty,
             fmt::format("mean excess of a load that hits L2 over its own "
                         "latency with the translation at hand; {}",
                         Rise));
  S.exact(Path + "full", "B", double(Level.RiseEnds),
          "footprint with nine tenths of the penalty");
  if (!Level.SetSizes.empty()) {
    std::vector<std::array<double, 2>> Points;
    for (size_t I = 0; I != Level.SetSizes.size(); ++I)
      Points.push_back({double(I), double(Level.SetSizes[I])});
    S.curve(Path + "sets", "set", "entries [1]", Points,
            "growth of the misses with the number of pages");
  }
}

void run(Session &S) {
  uint64_t Bytes = 0;
  const std::unique_ptr<CudaProbe> Probe = largeProbe(S.device(), Bytes);
  const inference::TlbGeometry G =
      inference::tlbGeometry(*Probe, {.Stride = Stride});
  std::vector<std::array<double, 2>> Points;
  for (const auto &[Footprint, Excess] : G.Curve)
    Points.push_back({double(Footprint), Excess});
  S.curve(
      paths::levels_tlb_extra_by_footprint, "footprint [B]",
      "extra latency [clk]", Points,
      "a line in each 2 MiB, random order, hits in L2; less each line's own "
      "latency with its translation at hand");
  for (size_t I = 0; I != G.Levels.size(); ++I)
    recordLevel(S, G.Levels[I], unsigned(I) + 1);
  const std::string None = fmt::format(
      "no further step up to {} GiB, most of the free memory", Bytes >> 30);
  for (size_t I = G.Levels.size(); I < 2; ++I) {
    const std::string Path = fmt::format("levels.tlb.l{}_", I + 1);
    S.notMeasurable(Path + "reach", "B", None);
    S.notMeasurable(Path + "entries", "1", None);
    S.notMeasurable(Path + "miss_penalty", "clk", None);
  }
  if (G.PageBytes)
    S.exact(paths::levels_tlb_page, "B", double(*G.PageBytes),
            "what one entry translates, but no more than the stride of 2 MiB");
  else
    S.inferred(paths::levels_tlb_page, "B", double(Stride),
               "the driver's granularity of large allocations; no level of the "
               "TLB has a sharp end that would show it");
}

const Registration Registered({
    .Name = "tlb",
    .Measures = "levels, reach and penalty of the TLB",
    // global-patterns builds on it.
    .When = Stage::Latency,
    .Provides = {{paths::levels_tlb_page, "B"},
                 {paths::levels_tlb_l1_reach, "B"},
                 {paths::levels_tlb_l1_entries, "1"},
                 {paths::levels_tlb_l1_miss_penalty, "clk"},
                 {paths::levels_tlb_l2_reach, "B"},
                 {paths::levels_tlb_l2_entries, "1"},
                 {paths::levels_tlb_l2_miss_penalty, "clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
