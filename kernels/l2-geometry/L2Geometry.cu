//===- L2Geometry.cu - Capacity, lines and fills of L2 --------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/CudaProbe.h"
#include "profiler/inference/ReplacementPolicy.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::harness {
namespace {

constexpr uint64_t Line = 128;
constexpr uint64_t Sector = 32;
constexpr unsigned Sample = 4096;

/// What separates hits in L2, near or far, from loads that DRAM answered.
struct Rule {
  double Threshold;
};

Rule missRule(Session &S) {
  const uint64_t Bytes = uint64_t(64) << 20;
  CudaProbe Cold(
      S.device(),
      {.Path = ProbedPath::GlobalL2, .FlushL2 = true, .Bytes = Bytes});
  std::vector<uint64_t> Offsets(Sample);
  // 17 lines apart: no two in one fill, few in one page of DRAM.
  for (unsigned I = 0; I != Sample; ++I)
    Offsets[I] = uint64_t(I) * 17 * Line % Bytes;
  const std::vector<float> Times = Cold.time(Offsets);
  CudaProbe Warm(S.device(), {.Path = ProbedPath::GlobalL2, .Bytes = Bytes});
  std::vector<uint64_t> Small(2 * Sample);
  for (unsigned I = 0; I != 2 * Sample; ++I)
    Small[I] = uint64_t(I % Sample) * Line;
  const std::vector<float> WarmTimes = Warm.time(Small);
  const std::vector<double> Miss(Times.begin(), Times.end());
  const std::vector<double> Hit(WarmTimes.begin() + Sample, WarmTimes.end());
  const double Slow = inference::quantile(Hit, 0.99);
  const double Fast = inference::quantile(Miss, 0.05);
  if (Fast <= Slow)
    throw Skip(fmt::format("hits and misses of L2 overlap: 99 % of the hits "
                           "take up to {:.0f} clk, 5 % of the misses less than "
                           "{:.0f}",
                           Slow, Fast));
  S.trace("cold", {{"latency [clk]", Miss}});
  S.trace("warm", {{"latency [clk]", Hit}});
  return {(Slow + Fast) / 2};
}

/// Share of misses among random loads that are Stride apart at least in the
/// first Bytes, after three rounds of touching them all.
double missShare(Session &S, CudaProbe &Probe, const Rule &R, uint64_t Bytes,
                 uint64_t Stride) {
  for (unsigned Round = 0; Round != 3; ++Round)
    Probe.touch(Bytes, Stride);
  std::vector<uint64_t> Offsets(Sample);
  const uint64_t Count = Bytes / Stride;
  for (uint64_t &At : Offsets)
    At = S.random()() % Count * Stride;
  const std::vector<float> Times = Probe.time(Offsets);
  return double(std::count_if(Times.begin(), Times.end(),
                              [&](float T) { return T > R.Threshold; })) /
         Sample;
}

/// The largest footprint, in parts of 1/32 of L2, of whose loads fewer than
/// \p Share miss. Misses begin softly, so finer steps would be noise.
uint64_t knee(Session &S, CudaProbe &Probe, const Rule &R, double Share) {
  const uint64_t Step = S.device().L2Bytes / 32 / Line * Line;
  uint64_t Low = 1, High = Probe.size() / Step;
  while (High - Low > 1) {
    const uint64_t Middle = (Low + High) / 2;
    (missShare(S, Probe, R, Middle * Step, Sector) >= Share ? High : Low) =
        Middle;
  }
  return Low * Step;
}

void recordCapacity(Session &S, CudaProbe &Probe, const Rule &R) {
  const uint64_t L2 = S.device().L2Bytes;
  std::vector<std::array<double, 2>> Points;
  for (uint64_t Part = 2; Part <= 32; Part += Part < 20 ? 1 : 2) {
    const uint64_t Bytes = L2 * Part / 16 / Line * Line;
    if (Bytes > Probe.size())
      break;
    Points.push_back({double(Bytes), missShare(S, Probe, R, Bytes, Sector)});
  }
  S.curve(
      paths::levels_l2_miss_share_by_footprint, "footprint [B]",
      "share of loads that DRAM answers [1]", Points,
      "random loads from one SM after it touched the footprint three times");
  const uint64_t Usable = knee(S, Probe, R, 0.04);
  S.exact(
      paths::levels_l2_capacity_one_sm, "B", double(Usable),
      "largest footprint of which fewer than 4 % of one SM's loads miss, in "
      "steps of 1/32 of L2");
  // A device whose partitions each keep a copy of what their SMs read shows one
  // SM no more than a partition's worth, and no LRU cache would let a cyclic
  // traversal of twice its size hit at all.
  const double Beyond = Points.back()[1];
  S.word(
      paths::levels_l2_replacement,
      std::string(inference::cyclicReplacement(Beyond)),
      fmt::format("{:.0f} % of the loads miss in a cyclic traversal of {:.1f} "
                  "x L2, where LRU misses all",
                  100 * Beyond, Points.back()[0] / double(L2)));
}

/// Bytes that one miss brings into L2.
uint64_t fillBytes(Session &S, const Rule &R) {
  CudaProbe Probe(S.device(), {.Path = ProbedPath::GlobalL2,
                               .FlushL2 = true,
                               .Bytes = uint64_t(64) << 20});
  constexpr unsigned Pairs = 256;
  for (uint64_t Distance = Sector; Distance <= 1024; Distance += Sector) {
    std::vector<uint64_t> Offsets;
    for (unsigned I = 0; I != Pairs; ++I) {
      const uint64_t At = uint64_t(I) * 16384 + (uint64_t(8) << 20);
      Offsets.insert(Offsets.end(), {At, At + Distance});
    }
    const std::vector<float> Times = Probe.time(Offsets);
    unsigned Misses = 0;
    for (unsigned I = 0; I != Pairs; ++I)
      Misses += Times[2 * I + 1] > R.Threshold;
    if (Misses > Pairs / 2)
      return Distance;
  }
  return 0;
}

void recordFill(Session &S, const Rule &R) {
  size_t Original = 0;
  check(cudaDeviceGetLimit(&Original, cudaLimitMaxL2FetchGranularity));
  std::vector<std::array<double, 2>> Points;
  for (size_t Hint : {32, 64, 128}) {
    check(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, Hint));
    Points.push_back({double(Hint), double(fillBytes(S, R))});
  }
  check(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, Original));
  S.curve(paths::levels_l2_fill_by_hint, "cudaLimitMaxL2FetchGranularity [B]",
          "bytes that hit after a miss [B]", Points,
          "first word of a cold block loaded, then one at a distance");
  const uint64_t Fill = fillBytes(S, R);
  if (Fill == 0) {
    S.notMeasurable(paths::levels_l2_fill, "B",
                    "a miss made everything within 1024 B hit");
    return;
  }
  S.exact(paths::levels_l2_fill, "B", double(Fill),
          fmt::format("distance from which a neighbour of a missed word misses "
                      "too, at the device's own limit of {} B",
                      Original),
          256);
}

/// The distance at which touching one sector each still fills L2 as touching
/// all of it does.
void recordLine(Session &S, CudaProbe &Probe, const Rule &R) {
  const double Usable = S.need(paths::levels_l2_capacity_one_sm);
  const auto Bytes =
      std::min<uint64_t>(Probe.size(), uint64_t(1.8 * Usable) / 4096 * 4096);
  const double All = missShare(S, Probe, R, Bytes, Sector);
  std::vector<std::array<double, 2>> Points = {{double(Sector), All}};
  uint64_t Found = 0;
  for (uint64_t Stride = 2 * Sector; Stride <= 1024; Stride *= 2) {
    const double Share = missShare(S, Probe, R, Bytes, Stride);
    Points.push_back({double(Stride), Share});
    if (Share > All / 2)
      Found = Stride;
    else
      break;
  }
  S.curve(paths::levels_l2_miss_share_by_stride, "stride [B]",
          "share of loads that DRAM answers [1]", Points,
          fmt::format("one sector per stride over {} B", Bytes));
  if (Found)
    S.exact(
        paths::levels_l2_line, "B", double(Found),
        "largest stride at which one sector each fills L2 as all of them do",
        Sample);
  else
    S.notMeasurable(paths::levels_l2_line, "B",
                    "no stride filled L2 as the full footprint did");
}

void run(Session &S) {
  const Rule R = missRule(S);
  CudaProbe Probe(S.device(), {.Path = ProbedPath::GlobalL2,
                               .Bytes = std::min(2 * S.device().L2Bytes,
                                                 S.device().FreeBytes / 4)});
  S.Progress("capacity");
  recordCapacity(S, Probe, R);
  S.Progress("line and fill");
  recordLine(S, Probe, R);
  recordFill(S, R);
  S.notMeasurable(
      paths::levels_l2_sets, "1",
      "lines are spread over slices by a hash of physical "
      "addresses, which a program does not see; eviction sets would "
      "have to be found page by page");
}

const Registration Registered({
    .Name = "l2-geometry",
    .Measures = "capacity, line, fill and replacement of L2",
    .When = Stage::Geometry,
    .Provides = {{paths::levels_l2_capacity_one_sm, "B"},
                 {paths::levels_l2_line, "B"},
                 {paths::levels_l2_fill, "B"},
                 {paths::levels_l2_replacement, "name"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
