//===- WarpPieces.h - A warp's trace piece by piece -------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_WARPPIECES_H
#define WARPWISE_ANALYZER_REUSE_TRACE_WARPPIECES_H

#include "analyzer/reuse/trace/WarpRunner.h"

namespace warpwise::reuse {

/// Lanes of a long warp. As long as three lanes of each row tell all, they go
/// on side by side, and what they make is used up at once. When they part, the
/// other lanes run up to there.
class WarpRunner::Pieces : public WarpStream, LaneMerge::Feed {
public:
  Pieces(WarpRunner &Warps, const WarpPlace &Warp);

  std::string next(WarpTrace &Out) override;
  bool atEnd() const { return AtEnd; }

private:
  WarpRunner &Warps;
  const WarpPlace Warp;
  std::vector<LaneProgress> Lanes;
  /// While three lanes tell all: the rounds of all lanes, and how many entries
  /// of each were used.
  std::vector<uint32_t> Rounds;
  uint64_t Passed = 0;
  /// After that: what each lane has made and not used.
  std::unique_ptr<LaneMerge> Merge;
  std::vector<std::vector<uint64_t>> Unused;
  /// Entries since the last access, and where the accesses go.
  uint64_t Idle = 0;
  size_t Written = 0;
  const WarpTrace *Into = nullptr;
  bool AtEnd = false, Endless = false;

  bool runRows(bool &Affine);
  void runOthers();
  LanePiece refill(unsigned Lane) override;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_WARPPIECES_H
