//===- LaneRunner.h - Runs threads of a launch, one at a time ---*- C++ -*-===//
//
// A thread is a call of a compiled slice. What it appends is either short
// enough to be had at once or comes piece by piece.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_LANERUNNER_H
#define WARPWISE_ANALYZER_REUSE_TRACE_LANERUNNER_H

#include "analyzer/execution/HostCalls.h"
#include "analyzer/reuse/Trace.h"
#include "analyzer/reuse/trace/LaneStack.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace warpwise::reuse {

/// How traces are cut into pieces. An entry is an event of a thread, one access
/// or one round of a loop.
struct TraceLimits {
  /// Warps whose lanes make no more are traced as a whole: three lanes' entries
  /// fit into an L2 cache, and a block's traces into 50 MiB.
  uint64_t WholeEntries = 1 << 16;
  /// Pieces of warps that three lanes of a row tell all about. Going on costs
  /// about as much as a hundred entries; and every resident warp has a piece.
  uint64_t RowEntries = 2048;
  /// Pieces of lanes when all run: each resident warp has 32 of them.
  uint64_t LaneEntries = 256;
  /// Of a lane; then its loops are taken to have no end.
  uint64_t MostEntries = uint64_t(1) << 27;
  /// Of a warp's lanes without an access among them.
  uint64_t MostIdle = uint64_t(1) << 28;
};

/// A warp of a launch.
struct WarpPlace {
  void **Arguments = nullptr;
  std::array<uint32_t, 3> Block{};
  unsigned Warp = 0;
};

/// Consecutive entries of a lane.
struct LanePiece {
  const uint64_t *Begin = nullptr, *End = nullptr;
  size_t size() const { return size_t(End - Begin); }
};

/// A lane that comes piece by piece.
struct LaneProgress {
  LaneFrame Frame;
  uint64_t Entries = 0; ///< so far
  bool Ended = false;
};

class LaneRunner {
public:
  LaneRunner(const LaneCode &Code, const LaunchShape &Shape,
             uint64_t FrameBytes, const TraceLimits &Limits);

  const LaneCode &code() const { return Code; }
  const LaunchShape &shape() const { return Shape; }
  const TraceLimits &limits() const { return Limits; }
  const std::array<uint32_t, 3> &threadIndex(unsigned Thread) const {
    return ThreadIndices[Thread];
  }
  unsigned lanes(unsigned Warp) const {
    return std::min(LanesOfWarp, Shape.threads() - Warp * LanesOfWarp);
  }

  /// Sets what all lanes of the warp have in common, for runWhole().
  void enterWarp(const WarpPlace &Warp);
  /// Runs a lane from begin to end. False when it makes more entries than are
  /// traced as a whole. The piece stays until the lane with this number runs
  /// again, in whatever warp.
  bool runWhole(const WarpPlace &Warp, unsigned Lane, LanePiece &Into);

  /// Lets a lane go on for about \p Most entries; that is RowEntries or
  /// LaneEntries. The piece stays as above. False when the lane has no end.
  bool runPiece(const WarpPlace &Warp, unsigned Lane, uint64_t Most,
                LaneProgress &Progress, LanePiece &Into);

private:
  const LaneCode &Code;
  const LaunchShape &Shape;
  const uint64_t FrameBytes;
  const TraceLimits Limits;
  std::vector<std::array<uint32_t, 3>> ThreadIndices; ///< of a block
  uint64_t Capacity = 0;                              ///< of a lane's buffer
  std::unique_ptr<uint64_t[]> Buffers;                ///< lane by lane
  std::optional<LaneStack> Stack; ///< made when it is needed

  void setRegister(execution::Register Which, uint32_t Value);
  void enterLane(unsigned Warp, unsigned Lane);
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_LANERUNNER_H
