//===- BankConflicts.cu - What sharing a bank costs -----------------------===//
//
// Mei et al. 2014, Figs. 5 and 7: latency of shared memory against stride 0 to
// 64, here for 4, 8 and 16 bytes per lane. Fang et al. 2017, Fig. 12: latency
// against the degree of the conflict. The price of a further wavefront is the
// slope of the line through the degrees; the strides test it.
//
//===----------------------------------------------------------------------===//

#include "kernels/bank-conflicts/StoreStream.cuh"
#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Estimates.h"
#include "kernels/harness/Stream.cuh"
#include "profiler/inference/ConflictLaw.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <numeric>

namespace warpwise::harness {
namespace {

constexpr unsigned MostStride = 64;
/// The law that is tested: that of every GPU since Maxwell.
constexpr warp::RequestLaw Usual;
/// A latency this far from the law contradicts it.
constexpr double LawTolerance = 1; // clk
/// Warps on the SM when throughput is measured.
constexpr unsigned ThroughputWarps = 16;

/// Patterns with the x of their plot.
struct Family {
  std::vector<double> X;
  std::vector<Pattern> Patterns;

  void add(unsigned At, const Pattern &P) {
    X.push_back(At);
    Patterns.push_back(P);
  }
  /// What each costs by the bank rules.
  template <typename Rule> std::vector<double> wavefronts(Rule Of) const {
    std::vector<double> Counts;
    for (const Pattern &P : Patterns)
      Counts.push_back(Of(P));
    return Counts;
  }
  std::vector<double> loadWavefronts(unsigned Bytes) const {
    return wavefronts([=](const Pattern &P) {
      return warp::wavefronts(Usual, P, AllLanes, Bytes);
    });
  }
};

Family strides(unsigned Bytes) {
  Family F;
  for (unsigned Stride = 0; Stride <= MostStride; ++Stride)
    F.add(Stride, strided(Stride, Bytes));
  return F;
}

Family degrees() {
  Family F;
  for (unsigned Degree = 1; Degree <= WarpLanes; ++Degree)
    F.add(Degree, conflicting(Degree));
  return F;
}

Family distances() {
  Family F;
  // Twice the period of 32 banks of 8 bytes, the widest there were.
  for (unsigned Distance = 4; Distance <= 4 * RowBytes + 8; Distance += 4)
    F.add(Distance, twoWords(Distance));
  return F;
}

/// Latencies of a family, and the line through them as often as they were
/// measured.
struct Measured {
  std::vector<inference::Estimate> Each;
  inference::Line Fit;
  inference::Estimate Slope;

  std::vector<double> values() const { return valuesOf(Each); }
};

/// Repeats \p Sample until stable. Fit is the line through the medians, Slope
/// the median of the samples' lines.
Measured measureLine(const std::function<std::vector<double>()> &Sample,
                     const std::vector<double> &Wavefronts) {
  Measured M;
  std::vector<double> Slopes;
  M.Each = untilAllStable(
      [&] {
        const std::vector<double> Cycles = Sample();
        Slopes.push_back(lineOver(Wavefronts, Cycles).Slope);
        return Cycles;
      },
      OneWarp);
  M.Fit = lineOver(Wavefronts, M.values());
  M.Slope = inference::estimate(Slopes);
  M.Slope.Converged = M.Slope.halfWidth() <= 0.015 * std::abs(M.Slope.Value);
  return M;
}

/// The strides of one width, tested against \p Law or the line through
/// themselves.
template <unsigned Bytes>
std::vector<double> measureStrides(Session &S, const inference::Line *Law) {
  const Family F = strides(Bytes);
  const std::vector<double> Wavefronts = F.loadWavefronts(Bytes);
  Chase<Space::Shared, Bytes> Probe;
  const Measured M =
      measureLine([&] { return Probe.latencies(F.Patterns); }, Wavefronts);
  const std::vector<double> Latencies = M.values();
  S.curve(fmt::format("warp.shared.latency_by_stride.b{}", Bytes),
          fmt::format("stride [{} B]", Bytes), "latency of a warp's load [clk]",
          points(F.X, Latencies),
          "pointer chase of one warp, lane L at element L x stride");
  S.trace(fmt::format("stride-b{}", Bytes), {{"stride [1]", F.X},
                                             {"wavefronts [1]", Wavefronts},
                                             {"latency [clk]", Latencies}});
  S.exact(Law ? std::string(paths::warp_shared_conflict_law_errors)
              : fmt::format("warp.shared.b{}.conflict_law_errors", Bytes),
          "1",
          inference::pointsOff(Law ? *Law : M.Fit, Wavefronts, Latencies,
                               LawTolerance),
          Law ? "strides 0 to 64 that differ by more than 1 clk from the line "
                "through the conflict degrees at the wavefronts that the banks "
                "predict"
              : "strides 0 to 64 that differ by more than 1 clk from the line "
                "over the wavefronts that the banks predict",
          unsigned(Latencies.size()));
  if (!Law)
    S.measured(fmt::format("warp.shared.b{}.latency_per_wavefront", Bytes),
               "clk", M.Slope,
               fmt::format("least squares of latency over wavefronts, strides "
                           "0 to 64 of {} bytes, one warp",
                           Bytes));
  return Latencies;
}

/// Fang's Fig. 12 and the line through it.
Measured measureDegrees(Session &S) {
  const Family F = degrees();
  Chase<Space::Shared, 4> Probe;
  const Measured M = measureLine([&] { return Probe.latencies(F.Patterns); },
                                 F.loadWavefronts(4));
  for (unsigned Degree = 1; Degree <= WarpLanes; Degree *= 2)
    S.measured(fmt::format("warp.shared.conflict.degree_{}", Degree), "clk",
               M.Each[Degree - 1],
               fmt::format("pointer chase of one warp, {} lanes in each bank "
                           "that is used",
                           Degree));
  S.curve(paths::warp_shared_conflict_by_degree, "lanes per bank [1]",
          "latency of a warp's load [clk]", points(F.X, M.values()),
          "pointer chase of one warp");
  S.measured(paths::warp_shared_latency_per_wavefront, "clk", M.Slope,
             "least squares of latency over conflict degree 1 to 32, one warp");
  S.inferred(paths::warp_shared_conflict_intercept, "clk", M.Fit.Intercept,
             "latency at no wavefront of the same line");
  S.inferred(paths::warp_shared_conflict_r_squared, "1", M.Fit.RSquared,
             "of the same line");
  return M;
}

/// The banks from pairs of words, checked by the period of the strides.
void measureBanks(Session &S, const std::vector<double> &ByStride,
                  double Slope) {
  const Family F = distances();
  Chase<Space::Shared, 4> Probe;
  const std::vector<double> Latencies = valuesOf(
      untilAllStable([&] { return Probe.latencies(F.Patterns); }, OneWarp));
  S.curve(paths::warp_shared_latency_by_distance, "distance of two words [B]",
          "latency of a warp's load [clk]", points(F.X, Latencies),
          "pointer chase of one warp, lane 0 at the distance, the others at 0");
  const auto Found = inference::banksOf(F.X, Latencies, Slope);
  if (!Found) {
    for (auto [Path, Unit] : {std::pair(paths::levels_shared_banks, "1"),
                              std::pair(paths::levels_shared_bank_width, "B")})
      S.notMeasurable(Path, Unit,
                      "two words do not conflict at regular distances");
    return;
  }
  S.inferred(paths::levels_shared_banks, "1", Found->Count,
             "least distance of two conflicting words over the bank's width");
  S.inferred(paths::levels_shared_bank_width, "B", Found->Width,
             "neighbouring words that conflict with the same word");
  const std::vector<double> FromOne(ByStride.begin() + 1, ByStride.end());
  if (const auto Period = inference::periodOf(FromOne, Slope / 2))
    S.check(paths::levels_shared_banks,
            "period of the latency over the stride, over the bank's width",
            *Period * 4.0 / Found->Width, 0);
}

/// Records the slope of \p Sample over the degrees.
void measureThroughput(Session &S, const std::string &Path,
                       const std::string &Curve, const std::string &What,
                       const Family &F, const std::vector<double> &Wavefronts,
                       const std::function<std::vector<double>()> &Sample) {
  const Measured M = measureLine(Sample, Wavefronts);
  S.measured(Path, "clk", M.Slope,
             fmt::format("least squares of SM cycles per {} over conflict "
                         "degree 1 to 32, {} warps that do not wait",
                         What, ThroughputWarps));
  S.curve(Curve, "lanes per bank [1]",
          fmt::format("SM cycles per {} of a warp [clk]", What),
          points(F.X, M.values()),
          fmt::format("{} warps of one block", ThroughputWarps));
}

void measureThroughputs(Session &S) {
  const Family F = degrees();
  Stream<Space::Shared, 4> Loads({1, ThroughputWarps});
  // What the rules multiply with: the time that the SM's shared memory is busy
  // for, which is what other warps wait for. One warp alone waits longer.
  measureThroughput(S, paths::warp_shared_cycles_per_wavefront,
                    paths::warp_shared_throughput_by_degree, "load", F,
                    F.loadWavefronts(4),
                    [&] { return Loads.cycles(F.Patterns); });
  StoreStream<false> Stores(ThroughputWarps);
  measureThroughput(S, paths::warp_shared_store_cycles_per_wavefront,
                    paths::warp_shared_store_by_degree, "store", F,
                    F.wavefronts([](const Pattern &P) {
                      return warp::storeWavefronts(Usual, P, AllLanes, 4);
                    }),
                    [&] { return Stores.cycles(F.Patterns); });
  StoreStream<true> Atomics(ThroughputWarps);
  measureThroughput(S, paths::warp_shared_atomic_cycles_per_wavefront,
                    paths::warp_shared_atomic_by_degree, "atomic addition", F,
                    F.wavefronts([](const Pattern &P) {
                      return warp::atomicWavefronts(Usual, P, AllLanes, 4);
                    }),
                    [&] { return Atomics.cycles(F.Patterns); });
}

void run(Session &S) {
  const Measured Degrees = measureDegrees(S);
  const std::vector<double> ByStride = measureStrides<4>(S, &Degrees.Fit);
  measureBanks(S, ByStride, Degrees.Fit.Slope);
  measureStrides<8>(S, nullptr);
  measureStrides<16>(S, nullptr);
  measureThroughputs(S);
  S.check(paths::warp_shared_cycles_per_wavefront,
          "warp.shared.store.cycles_per_wavefront, stores instead of loads",
          S.need(paths::warp_shared_store_cycles_per_wavefront), 0.05);
}

const Registration Registered({
    .Name = "bank-conflicts",
    .Measures = "shared memory against stride and degree of conflict",
    .When = Stage::Warp,
    .Quick = true,
    .Provides = {{paths::levels_shared_bank_width, "B"},
                 {paths::levels_shared_banks, "1"},
                 {paths::warp_shared_atomic_cycles_per_wavefront, "clk"},
                 {paths::warp_shared_b16_conflict_law_errors, "1"},
                 {paths::warp_shared_b16_latency_per_wavefront, "clk"},
                 {paths::warp_shared_b8_conflict_law_errors, "1"},
                 {paths::warp_shared_b8_latency_per_wavefront, "clk"},
                 {paths::warp_shared_conflict_degree_1, "clk"},
                 {paths::warp_shared_conflict_degree_16, "clk"},
                 {paths::warp_shared_conflict_degree_2, "clk"},
                 {paths::warp_shared_conflict_degree_32, "clk"},
                 {paths::warp_shared_conflict_degree_4, "clk"},
                 {paths::warp_shared_conflict_degree_8, "clk"},
                 {paths::warp_shared_conflict_intercept, "clk"},
                 {paths::warp_shared_conflict_law_errors, "1"},
                 {paths::warp_shared_conflict_r_squared, "1"},
                 {paths::warp_shared_cycles_per_wavefront, "clk"},
                 {paths::warp_shared_latency_per_wavefront, "clk"},
                 {paths::warp_shared_store_cycles_per_wavefront, "clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
