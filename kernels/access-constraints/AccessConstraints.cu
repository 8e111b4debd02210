//===- AccessConstraints.cu - Must lanes be aligned or consecutive? -------===//
//
// Fang et al. 2017, section 4.3: the latency of a warp's load when its lanes
// are in order, in random order within the same words (their case 2), off the
// line's start by 4 to 124 bytes, and each in another line (case 3).
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Sweep.cuh"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <list>

namespace warpwise::harness {
namespace {

constexpr Space Spaces[] = {Space::Shared, Space::L1, Space::L2,
                            Space::Texture};

/// Random instances of a pattern.
constexpr unsigned Instances = 8;

/// The three cases by the names that they have in the profile.
enum Case : size_t { Aligned, Misaligned, NonConsecutive };
constexpr std::string_view CaseNames[] = {"aligned", "misaligned",
                                          "nonconsecutive"};
constexpr std::string_view CaseMeanings[] = {
    "lane by lane along the line", "lanes in random order within the line",
    "each lane in another line, banks without conflict"};

std::string pathOf(Space At, std::string_view Rest) {
  return paths::ofWarp(nameOf(At), Rest);
}

/// The latency of one warp in each case; the random ones averaged.
template <Space At>
std::vector<inference::Estimate> measureCases(Session &S, Chase<At, 4> &Probe) {
  // Random, but the same in every run: what one permutation costs is not quite
  // what another does.
  std::mt19937_64 Random(1);
  std::vector<Pattern> Patterns = {strided(1, 4)};
  for (unsigned I = 0; I != Instances; ++I)
    Patterns.push_back(permuted(Random));
  for (unsigned I = 0; I != Instances; ++I)
    Patterns.push_back(nonConsecutive(Random));
  const std::vector<inference::Estimate> Each =
      untilAllStable([&] { return Probe.latencies(Patterns); }, OneWarp);
  const auto At0 = Each.begin() + 1, At1 = At0 + Instances;
  return {Each.front(), meanOf({At0, At1}), meanOf({At1, Each.end()})};
}

/// Latency against the distance of lane 0 from the line's start.
template <Space At> void measureOffsets(Session &S, Chase<At, 4> &Probe) {
  std::vector<double> Offsets;
  std::vector<Pattern> Patterns;
  for (unsigned Offset = 0; Offset != RowBytes; Offset += 4) {
    Offsets.push_back(Offset);
    Patterns.push_back(strided(1, 4, Offset));
  }
  const std::vector<double> Latencies = valuesOf(
      untilAllStable([&] { return Probe.latencies(Patterns); }, OneWarp));
  S.curve(pathOf(At, "constraint.offset"), "offset from the line's start [B]",
          "latency of a warp's load [clk]", points(Offsets, Latencies),
          "pointer chase of one warp, lanes consecutive");
  S.trace(fmt::format("{}-offset", nameOf(At)),
          {{"offset [B]", Offsets}, {"latency [clk]", Latencies}});
}

/// Records the ends of a sweep for the cases that the guidelines compare.
void recordEnds(Session &S, Space At, std::string_view Where,
                std::string_view End,
                const std::vector<inference::Estimate> &Each,
                const std::string &Method) {
  for (Case C : {Aligned, NonConsecutive})
    S.measured(pathOf(At, fmt::format("{}.{}_{}", Where, CaseNames[C], End)),
               "clk", Each[C], fmt::format("{}, {}", Method, CaseMeanings[C]));
}

template <Space At> void sweep(Session &S, Chase<At, 4> &Probe) {
  std::mt19937_64 Random(1);
  const std::vector<Pattern> Patterns = {strided(1, 4), permuted(Random),
                                         nonConsecutive(Random)};
  const Swept Threads = sweepThreads(Probe, Patterns);
  const Swept Blocks = sweepBlocks(Probe, Patterns, S.device().SmCount);
  const std::string InOneBlock = "pointer chase of every warp, one block";
  const std::string InBlocks = fmt::format(
      "pointer chase of every warp, blocks of {} threads", BlockThreads);
  for (Case C : {Aligned, Misaligned, NonConsecutive}) {
    S.curve(pathOf(At, fmt::format("constraint_by_threads.{}", CaseNames[C])),
            "threads per block [1]", "latency of a warp's load [clk]",
            curveOf(Threads, C), InOneBlock);
    S.curve(pathOf(At, fmt::format("constraint_by_blocks.{}", CaseNames[C])),
            "blocks [1]", "latency of a warp's load [clk]", curveOf(Blocks, C),
            InBlocks);
  }
  recordEnds(S, At, "threads", "32", Threads.begin()->second, InOneBlock);
  recordEnds(S, At, "threads", "1024", Threads.rbegin()->second, InOneBlock);
  recordEnds(S, At, "blocks", "1", Blocks.begin()->second, InBlocks);
  recordEnds(S, At, "blocks", "full", Blocks.rbegin()->second,
             InBlocks + ", two per SM");
}

template <Space At> std::vector<inference::Estimate> measure(Session &S) {
  Chase<At, 4> Probe;
  const std::vector<inference::Estimate> Each = measureCases(S, Probe);
  for (Case C : {Aligned, Misaligned, NonConsecutive})
    S.measured(pathOf(At, fmt::format("constraint.{}", CaseNames[C])), "clk",
               Each[C],
               fmt::format("pointer chase of one warp, {}", CaseMeanings[C]));
  S.check(pathOf(At, "constraint.misaligned"),
          "as many sectors and wavefronts as the aligned access has",
          Each[Aligned].Value, 0.03);
  measureOffsets(S, Probe);
  sweep(S, Probe);
  return Each;
}

/// Records how many times the aligned access's latency the non-consecutive
/// one's is.
void recordRatio(Session &S, Space At,
                 const std::vector<inference::Estimate> &Each) {
  S.inferred(pathOf(At, "nonconsecutive_ratio"), "1",
             Each[NonConsecutive].Value / Each[Aligned].Value,
             fmt::format("warp.{0}.constraint.nonconsecutive over "
                         "warp.{0}.constraint.aligned",
                         nameOf(At)));
}

void run(Session &S) {
  measure<Space::Shared>(S);
  recordRatio(S, Space::L1, measure<Space::L1>(S));
  recordRatio(S, Space::L2, measure<Space::L2>(S));
  const std::vector<inference::Estimate> Texture = measure<Space::Texture>(S);
  S.inferred(
      paths::warp_texture_nonconsecutive_extra, "clk",
      std::max(0.0, Texture[NonConsecutive].Value - Texture[Aligned].Value),
      "warp.texture.constraint.nonconsecutive less "
      "warp.texture.constraint.aligned");
}

std::vector<Benchmark::Promise> promises() {
  static std::list<std::string> Paths; // their texts have to stay in place
  std::vector<Benchmark::Promise> Promises = {
      {paths::warp_global_nonconsecutive_ratio, "1"},
      {paths::warp_l2_nonconsecutive_ratio, "1"},
      {paths::warp_texture_nonconsecutive_extra, "clk"}};
  auto Add = [&](std::string Path) {
    Promises.push_back({Paths.emplace_back(std::move(Path)), "clk"});
  };
  for (Space At : Spaces) {
    for (std::string_view Name : CaseNames)
      Add(pathOf(At, fmt::format("constraint.{}", Name)));
    for (Case C : {Aligned, NonConsecutive})
      for (std::string_view End : {"1024", "32"})
        Add(pathOf(At, fmt::format("threads.{}_{}", CaseNames[C], End)));
    for (Case C : {Aligned, NonConsecutive})
      for (std::string_view End : {"1", "full"})
        Add(pathOf(At, fmt::format("blocks.{}_{}", CaseNames[C], End)));
  }
  return Promises;
}

const Registration Registered({
    .Name = "access-constraints",
    .Measures = "loads of a warp that are not aligned or not consecutive",
    .When = Stage::Warp,
    .Provides = promises(),
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
