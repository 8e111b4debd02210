//===- WarpRunner.h - Runs a warp's lanes one after the other ---*- C++ -*-===//
//
// For kernels whose threads need nothing from each other. Of a row of lanes
// that is known to be affine only the first, second and last one run. Otherwise
// all lanes run, and their entries are put together. Warps in a box of blocks
// whose corners tell all about it do not run at all.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_WARPRUNNER_H
#define WARPWISE_ANALYZER_REUSE_TRACE_WARPRUNNER_H

#include "analyzer/reuse/trace/BlockBoxes.h"

namespace warpwise::reuse {

class WarpRunner {
public:
  /// \p Sites: the site of each position. \p Name: the kernel's, for messages.
  WarpRunner(const LaneCode &Code, const LaunchShape &Shape,
             const AddressMap &Addresses, const std::vector<uint32_t> &Sites,
             uint64_t FrameBytes, const TraceLimits &Limits, std::string Name);

  /// Appends the accesses of a warp to \p Out; \p Rest gives those that follow.
  /// A warp that is like a model in \p Likes, which may be null, is told there
  /// instead. Returns an empty string, or one sentence when a thread does not
  /// come to an end.
  std::string run(const WarpPlace &Warp, WarpTrace &Out,
                  std::unique_ptr<WarpStream> &Rest, LikeTraces *Likes);

  /// Warps that three lanes of each row told all about, without those that are
  /// like others.
  uint64_t affineWarps() const { return AffineWarps; }

private:
  class Pieces;

  LaneRunner Runner;
  const AddressMap &Addresses;
  const std::vector<RequestKind> Kinds;
  const LoopNest Loops;
  const std::string Name;
  LaneRows Rows;      ///< of the warp that runs
  LaneMerge AllLanes; ///< of warps that are traced as a whole
  WarpModels Models;
  BlockBoxes Boxes;
  std::vector<WarpLanes> Ran; ///< of the warp that runs
  bool RanRows = false;       ///< those are lanes that tell rows
  uint64_t AffineWarps = 0;
  /// The last warp was too long to be traced as a whole: the next one is likely
  /// to be, too, and is not tried.
  bool WasLong = false;

  bool runWhole(const WarpPlace &Warp, WarpTrace &Out, LikeTraces *Likes);
  bool runLanes(const WarpPlace &Warp);
  bool runRows(const WarpPlace &Warp, bool &IsLong);
  void write(const WarpPlace &Warp, WarpTrace &Out);
  std::string endless() const;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_WARPRUNNER_H
