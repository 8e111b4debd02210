//===- Broadcast.cu - Warps whose lanes load the same word ----------------===//
//
// Fang et al. 2017, section 4.2: the latency of a warp's load when groups of 1,
// 2, 4 .. 32 lanes ask for the same word, in every memory, against threads per
// block and against blocks.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Sweep.cuh"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <list>

namespace warpwise::harness {
namespace {

constexpr unsigned Degrees[] = {1, 2, 4, 8, 16, 32};
/// Their places in Degrees: 32 different words, and one word.
constexpr size_t Parallel = 0, Broadcast = std::size(Degrees) - 1;

std::string pathOf(Space At, std::string_view Rest) {
  return paths::ofWarp(nameOf(At), Rest);
}

/// The same memory's latency for a single thread, from the first stage.
std::string_view threadLatencyOf(Space At) {
  switch (At) {
  case Space::Shared:
    return paths::levels_shared_latency;
  case Space::L1:
    return paths::levels_l1_latency;
  case Space::L2:
    return paths::levels_l2_latency;
  case Space::Constant:
    return paths::levels_constant_latency;
  case Space::Texture:
    return paths::levels_texture_latency;
  }
  return "";
}

/// Records \p Name_1 or the like, for 32 different words and for one word.
void recordEnds(Session &S, Space At, std::string_view Where,
                std::string_view End,
                const std::vector<inference::Estimate> &Each,
                const std::string &Method) {
  S.measured(pathOf(At, fmt::format("{}.broadcast_{}", Where, End)), "clk",
             Each[Broadcast], Method + ", one word per warp");
  S.measured(pathOf(At, fmt::format("{}.parallel_{}", Where, End)), "clk",
             Each[Parallel], Method + ", 32 words per warp");
}

/// Fang's Fig. 7(b): blocks of different sizes whose warps read one word.
void sweepConstantBlocks(Session &S, Chase<Space::Constant, 4> &Probe) {
  const std::vector<Pattern> OneWord = {broadcast(WarpLanes)};
  for (unsigned Threads : {32, 256, 512, 1024})
    S.curve(
        fmt::format("warp.constant.broadcast_by_blocks.threads_{}", Threads),
        "blocks [1]", "latency of a warp's load [clk]",
        curveOf(sweepBlocks(Probe, OneWord, S.device().SmCount, Threads), 0),
        fmt::format("pointer chase of every warp, {} threads per block, one "
                    "word per warp",
                    Threads));
}

template <Space At>
void sweep(Session &S, Chase<At, 4> &Probe,
           const std::vector<Pattern> &Patterns) {
  const Swept Threads = sweepThreads(Probe, Patterns);
  const Swept Blocks = sweepBlocks(Probe, Patterns, S.device().SmCount);
  const std::string InOneBlock = "pointer chase of every warp, one block";
  const std::string InBlocks = fmt::format(
      "pointer chase of every warp, blocks of {} threads", BlockThreads);
  for (size_t I = 0; I != std::size(Degrees); ++I) {
    S.curve(
        pathOf(At, fmt::format("broadcast_by_threads.degree_{}", Degrees[I])),
        "threads per block [1]", "latency of a warp's load [clk]",
        curveOf(Threads, I), InOneBlock);
    S.curve(
        pathOf(At, fmt::format("broadcast_by_blocks.degree_{}", Degrees[I])),
        "blocks [1]", "latency of a warp's load [clk]", curveOf(Blocks, I),
        InBlocks);
  }
  recordEnds(S, At, "threads", "32", Threads.begin()->second, InOneBlock);
  recordEnds(S, At, "threads", "1024", Threads.rbegin()->second, InOneBlock);
  recordEnds(S, At, "blocks", "1", Blocks.begin()->second, InBlocks);
  recordEnds(S, At, "blocks", "full", Blocks.rbegin()->second,
             InBlocks + ", two per SM");
}

template <Space At> void measure(Session &S) {
  std::vector<Pattern> Patterns;
  for (unsigned Degree : Degrees)
    Patterns.push_back(broadcast(Degree));
  Chase<At, 4> Probe;
  const std::vector<inference::Estimate> Each =
      untilAllStable([&] { return Probe.latencies(Patterns); }, OneWarp);
  for (size_t I = 0; I != std::size(Degrees); ++I)
    S.measured(pathOf(At, fmt::format("broadcast.degree_{}", Degrees[I])),
               "clk", Each[I],
               fmt::format("pointer chase of one warp whose lanes load {} "
                           "different words",
                           WarpLanes / Degrees[I]));
  if (const auto Thread = S.value(threadLatencyOf(At)))
    S.check(pathOf(At, "broadcast.degree_32"),
            fmt::format("{}, a single thread's", threadLatencyOf(At)), *Thread,
            0.05);
  S.trace(std::string(nameOf(At)),
          {{"degree [1]", {std::begin(Degrees), std::end(Degrees)}},
           {"latency [clk]", valuesOf(Each)}});
  if (S.quick())
    return;
  sweep(S, Probe, Patterns);
  if constexpr (At == Space::Constant)
    sweepConstantBlocks(S, Probe);
}

void run(Session &S) {
  measure<Space::Shared>(S);
  measure<Space::Constant>(S);
  measure<Space::L1>(S);
  measure<Space::L2>(S);
  measure<Space::Texture>(S);
}

std::vector<Benchmark::Promise> promises() {
  static std::list<std::string> Paths; // their texts have to stay in place
  for (Space At :
       {Space::Shared, Space::Constant, Space::L1, Space::L2, Space::Texture}) {
    for (unsigned Degree : Degrees)
      Paths.push_back(pathOf(At, fmt::format("broadcast.degree_{}", Degree)));
    for (std::string_view Which : {"broadcast", "parallel"})
      for (std::string_view Where : {"threads.{}_32", "threads.{}_1024",
                                     "blocks.{}_1", "blocks.{}_full"})
        Paths.push_back(pathOf(At, fmt::format(fmt::runtime(Where), Which)));
  }
  std::vector<Benchmark::Promise> Promises;
  for (const std::string &Path : Paths)
    Promises.push_back({Path, "clk"});
  return Promises;
}

const Registration Registered({
    .Name = "broadcast",
    .Measures = "loads of a warp whose lanes want the same words",
    .When = Stage::Warp,
    .Quick = true,
    .Provides = promises(),
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
