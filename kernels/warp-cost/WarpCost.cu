//===- WarpCost.cu - What a warp's request costs --------------------------===//
//
// Some fifty patterns of lane addresses per memory and width, each as the
// latency of one warp and as SM cycles of many; a model of what the request is
// made of is fitted to either. From the same kernels the prices that the
// advisor's rules multiply with.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/CostFit.h"
#include "kernels/harness/Estimates.h"
#include "kernels/harness/Stream.cuh"
#include "kernels/warp-cost/CostPatterns.h"
#include "kernels/warp-cost/LocalAccess.cuh"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <bit>
#include <list>

namespace warpwise::harness {
namespace {

/// L2 is shared, so that its latencies scatter more; a model does not need
/// better than its own errors.
constexpr inference::StopRule ModelRule{
    .Least = 5, .Most = 9, .Relative = 0.01, .Absolute = 0.2};

struct Memory {
  Space At;
  std::string_view Name;
  CostRules Rules;
};
constexpr Memory Memories[] = {
    {Space::Shared, "shared", CostRules::Shared},
    {Space::L1, "global", CostRules::Global},
    {Space::L2, "l2", CostRules::Global},
    {Space::Constant, "constant", CostRules::Constant}};

/// Constant memory has no 16-byte load: the compiler splits it.
constexpr bool canLoad(Space At, unsigned Bytes) {
  return At != Space::Constant || Bytes <= 8;
}

std::string pathOf(const Memory &M, unsigned Bytes, std::string_view Kind) {
  return paths::ofWarp(M.Name, fmt::format("b{}.{}", Bytes, Kind));
}

template <Space At, unsigned Bytes>
void measureModels(Session &S, const Memory &M) {
  // The same patterns in every run, so that profiles can be compared; the
  // validation draws others.
  std::mt19937_64 Random(1);
  const std::vector<Pattern> Patterns =
      costPatterns(Random, Bytes, std::min(spanOf(At), 4096u));
  Chase<At, Bytes> OneWarpChase;
  recordCost(S,
             {M.Rules, pathOf(M, Bytes, "latency"),
              "latency of one warp's load, pointer chase", Bytes},
             Patterns,
             valuesOf(untilAllStable(
                 [&] { return OneWarpChase.latencies(Patterns); }, ModelRule)));
  Stream<At, Bytes> ManyLoads;
  recordCost(S,
             {M.Rules, pathOf(M, Bytes, "throughput"),
              "SM cycles per load, 32 warps that do not wait", Bytes},
             Patterns,
             valuesOf(untilAllStable([&] { return ManyLoads.cycles(Patterns); },
                                     ModelRule)));
}

template <Space At> void measureWidths(Session &S, const Memory &M) {
  measureModels<At, 4>(S, M);
  measureModels<At, 8>(S, M);
  if constexpr (canLoad(At, 16))
    measureModels<At, 16>(S, M);
}

/// The slope of what \p Sample measures over \p Amounts.
inference::Estimate
measureSlope(const std::vector<double> &Amounts,
             const std::function<std::vector<double>()> &Sample) {
  return inference::untilStable(
      [&] { return lineOver(Amounts, Sample()).Slope; },
      {.Least = 5, .Most = 25, .Relative = 0.01});
}

/// Cycles per load against stride, and what a sector costs that L1 has.
void measureL1Price(Session &S) {
  Stream<Space::L1, 4> Loads;
  std::vector<double> Strides;
  std::vector<Pattern> ByStride;
  for (unsigned Stride = 0; Stride <= 32; ++Stride) {
    Strides.push_back(Stride);
    ByStride.push_back(strided(Stride, 4));
  }
  S.curve(paths::warp_global_l1_cycles_by_stride, "stride [float]",
          "SM cycles per warp load that hits L1 [clk]",
          points(Strides,
                 valuesOf(untilAllStable([&] { return Loads.cycles(ByStride); },
                                         ModelRule))),
          "32 warps of one SM that do not wait");

  // Strides that fill their lines: sectors and wavefronts grow alike.
  const std::vector<Pattern> Dense = {strided(1, 4), strided(2, 4),
                                      strided(4, 4), strided(8, 4)};
  S.measured(paths::warp_global_cycles_per_sector_l1, "clk",
             measureSlope({4, 8, 16, 32}, [&] { return Loads.cycles(Dense); }),
             "least squares of SM cycles per load over 4 to 32 sectors that "
             "hit L1, strides 1, 2, 4 and 8 of float");
  std::mt19937_64 Random(1);
  const std::vector<Pattern> Ends = {strided(1, 4), nonConsecutive(Random)};
  S.check(paths::warp_global_cycles_per_sector_l1,
          "one word in each of 32 lines against 32 words in one line",
          measureSlope({4, 32}, [&] { return Loads.cycles(Ends); }).Value,
          0.25);
}

/// How many bytes of L2 each SM may have to itself, as whole windows of warps.
template <unsigned Pitch> Load allSms(const Device &D) {
  const uint64_t Window = LoadsInFlight * Pitch;
  const uint64_t Warps = D.L2Bytes / 3 / D.SmCount / Window;
  return {D.SmCount,
          unsigned(std::bit_floor(std::clamp<uint64_t>(Warps, 1, 16)))};
}

/// What a sector from L2 costs an SM while all others load as well.
void measureL2Price(Session &S) {
  // As large as the densest pattern here, so that loads in flight do not ask
  // for the same sectors.
  constexpr unsigned Pitch = 1024;
  const Load All = allSms<Pitch>(S.device());
  Stream<Space::L2, 4, Pitch> Loads(All);
  const std::vector<Pattern> Dense = {strided(1, 4), strided(2, 4),
                                      strided(4, 4), strided(8, 4)};
  S.measured(
      paths::warp_global_cycles_per_sector, "clk",
      measureSlope({4, 8, 16, 32}, [&] { return Loads.cycles(Dense, 16); }),
      fmt::format("least squares of SM cycles per load over 4 to 32 "
                  "sectors from L2, {} warps on every SM",
                  All.Warps));
  Stream<Space::L2, 16, Pitch> Wide(All);
  const std::vector<Pattern> Vectors = {strided(1, 16), strided(2, 16)};
  S.check(
      paths::warp_global_cycles_per_sector,
      "loads of 16 bytes per lane, 16 and 32 sectors",
      measureSlope({16, 32}, [&] { return Wide.cycles(Vectors, 16); }).Value,
      0.1);
}

/// What a further word of constant memory costs.
void measureConstantPrice(Session &S) {
  std::vector<double> Words;
  std::vector<Pattern> Patterns;
  for (unsigned Degree : {32, 16, 8, 4, 2, 1}) {
    Words.push_back(WarpLanes / Degree);
    Patterns.push_back(broadcast(Degree));
  }
  Stream<Space::Constant, 4> Loads;
  S.measured(paths::warp_constant_cycles_per_word, "clk",
             measureSlope(Words, [&] { return Loads.cycles(Patterns); }),
             "least squares of SM cycles per load over 1 to 32 distinct words, "
             "32 warps that do not wait");
  S.curve(paths::warp_constant_cycles_by_words, "distinct words [1]",
          "SM cycles per warp load [clk]",
          points(Words, Loads.cycles(Patterns)),
          "32 warps of one SM that do not wait");
  const std::vector<double> Ends = {1, WarpLanes};
  S.check(
      paths::warp_constant_cycles_per_word,
      "one word against 32 consecutive ones",
      measureSlope(
          Ends,
          [&] { return Loads.cycles({broadcast(WarpLanes), strided(1, 4)}); })
          .Value,
      0.1);
}

void measureLocalPrice(Session &S) {
  S.measured(paths::warp_local_cycles_per_access, "clk",
             inference::untilStable(
                 [] { return privateStep<true>() - privateStep<false>(); },
                 {.Least = 5, .Most = 25, .Relative = 0.01}),
             "dependent accesses to an array in local memory that L1 holds, "
             "less the same steps in a register");
  if (const auto Latency = S.value(paths::levels_local_latency))
    S.check(paths::warp_local_cycles_per_access,
            "levels.local.latency, without the index's arithmetic", *Latency,
            0.3);
}

void run(Session &S) {
  measureL1Price(S);
  measureL2Price(S);
  measureConstantPrice(S);
  measureLocalPrice(S);
  if (S.quick())
    return;
  measureWidths<Space::Shared>(S, Memories[0]);
  measureWidths<Space::L1>(S, Memories[1]);
  measureWidths<Space::L2>(S, Memories[2]);
  measureWidths<Space::Constant>(S, Memories[3]);
  for (std::string_view Kind : {"latency", "throughput"})
    S.notMeasurable(pathOf(Memories[3], 16, Kind) + ".per_word", "clk",
                    "constant memory has no load of 16 bytes; the compiler "
                    "reads a vector word by word");
}

std::vector<Benchmark::Promise> promises() {
  static std::list<std::string> Paths; // their texts have to stay in place
  std::vector<Benchmark::Promise> Promises = {
      {paths::warp_constant_cycles_per_word, "clk"},
      {paths::warp_global_cycles_per_sector, "clk"},
      {paths::warp_global_cycles_per_sector_l1, "clk"},
      {paths::warp_local_cycles_per_access, "clk"}};
  for (const Memory &M : Memories)
    for (unsigned Bytes : {4, 8, 16})
      for (std::string_view Kind : {"latency", "throughput"})
        for (const std::string &Name : costQuantities(M.Rules))
          if (canLoad(M.At, Bytes))
            Promises.push_back(
                {Paths.emplace_back(pathOf(M, Bytes, Kind) + "." + Name),
                 "clk"});
  return Promises;
}

const Registration Registered({
    .Name = "warp-cost",
    .Measures = "cycles of a warp's request by what it is made of",
    .When = Stage::Warp,
    .Quick = true,
    .Provides = promises(),
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
