//===- BlockLaunch.cu - How fast an SM gets new blocks --------------------===//
//
// A kernel of many small blocks can be no faster than blocks are handed out.
// Two grids of blocks that do nothing, one twice the other: the difference is
// the time of the blocks alone.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Queued.h"
#include "kernels/harness/Session.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace warpwise::harness {
namespace {

__global__ void nothing() {}

/// Blocks for each SM: enough that the ends of the grid are a percent of it.
constexpr unsigned BlocksPerSm = 400;

/// Nanoseconds between two blocks of an SM, for blocks of \p Threads.
inference::Estimate interval(const Device &D, unsigned Threads) {
  const unsigned Blocks = BlocksPerSm * D.SmCount;
  const auto timeOf = [&](unsigned Count) {
    return queuedMilliseconds([&] { nothing<<<Count, Threads>>>(); });
  };
  timeOf(2 * Blocks);
  return inference::untilStable(
      [&] { return (timeOf(2 * Blocks) - timeOf(Blocks)) * 1e6 / BlocksPerSm; },
      {.Relative = 0.01});
}

void run(Session &S) {
  std::vector<std::array<double, 2>> Points;
  for (unsigned Threads = 32; Threads <= 1024; Threads *= 2) {
    S.Progress(fmt::format("{} threads", Threads));
    const inference::Estimate Each = interval(S.device(), Threads);
    Points.push_back({double(Threads), Each.Value});
    if (Threads == 256)
      S.measured(paths::device_launch_block_interval, "ns", Each,
                 "time between two blocks of an SM, blocks of 256 threads that "
                 "do nothing, a grid against one of half its size, by events");
  }
  S.curve(paths::device_launch_block_interval_by_threads, "threads of a block",
          "time between two blocks of an SM [ns]", std::move(Points),
          "blocks that do nothing, a grid against one of half its size, by "
          "events");
}

const Registration Registered({
    .Name = "block-launch",
    .Measures = "how fast an SM gets new blocks",
    .When = Stage::Bandwidth,
    .Provides = {{paths::device_launch_block_interval, "ns"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
