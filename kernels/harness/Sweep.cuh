//===- Sweep.cuh - Latency against threads and blocks -----------*- C++ -*-===//
//
// The x axes of Fang et al. 2017, Figs. 5 to 11: a warp's latency when more
// warps do the same in its block, and in more blocks.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_SWEEP_CUH
#define WARPWISE_KERNELS_HARNESS_SWEEP_CUH

#include "kernels/harness/Chase.cuh"
#include "kernels/harness/Estimates.h"

#include <map>
#include <set>
#include <string>

namespace warpwise::harness {
namespace { // see Requests.cuh

/// What the profile calls a memory below "warp".
constexpr std::string_view nameOf(Space At) {
  switch (At) {
  case Space::Shared:
    return "shared";
  case Space::L1:
    return "global";
  case Space::L2:
    return "l2";
  case Space::Constant:
    return "constant";
  case Space::Texture:
    return "texture";
  }
  return "";
}

/// Warps start one step of the ring apart; those of constant memory share their
/// words, lest they leave its small L1.
constexpr uint32_t shiftOf(Space At) {
  return At == Space::Constant ? 0 : ringOf(At).Step;
}

/// Threads per block of the paper's sweeps over blocks.
constexpr unsigned BlockThreads = 256;

/// Estimates of all patterns for each x.
using Swept = std::map<unsigned, std::vector<inference::Estimate>>;

/// One block of 32 to 1024 threads.
template <Space At>
Swept sweepThreads(Chase<At, 4> &Probe, const std::vector<Pattern> &Patterns) {
  Swept Result;
  for (unsigned Threads :
       {32, 64, 96, 128, 192, 256, 384, 512, 640, 768, 896, 1024})
    Result[Threads] = untilAllStable(
        [&] { return Probe.latencies(Patterns, {1, Threads, shiftOf(At)}); },
        ManyWarps);
  return Result;
}

/// One to twice as many blocks as SMs.
template <Space At>
Swept sweepBlocks(Chase<At, 4> &Probe, const std::vector<Pattern> &Patterns,
                  unsigned SmCount, unsigned Threads = BlockThreads) {
  std::set<unsigned> Counts = {1};
  for (unsigned Eighth = 1; Eighth <= 16; Eighth += Eighth < 8 ? 1 : 2)
    Counts.insert(std::max(1u, SmCount * Eighth / 8));
  Swept Result;
  for (unsigned Blocks : Counts)
    Result[Blocks] = untilAllStable(
        [&] {
          return Probe.latencies(Patterns, {Blocks, Threads, shiftOf(At)});
        },
        ManyWarps);
  return Result;
}

/// The curve of pattern \p Which.
inline std::vector<std::array<double, 2>> curveOf(const Swept &Of,
                                                  size_t Which) {
  std::vector<std::array<double, 2>> Points;
  for (const auto &[X, Estimates] : Of)
    Points.push_back({double(X), Estimates[Which].Value});
  return Points;
}

} // namespace
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_SWEEP_CUH
