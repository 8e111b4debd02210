//===- LaneRows.h - A warp told by three lanes of each row ------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_LANEROWS_H
#define WARPWISE_ANALYZER_REUSE_TRACE_LANEROWS_H

#include "analyzer/reuse/trace/LaneMerge.h"

namespace warpwise::reuse {

/// The rows of a warp: lanes with the same threadIdx.y and z. Of each row the
/// first, second and last lane are run.
class LaneRows {
public:
  struct Row {
    unsigned FirstLane = 0, Lanes = 0;
    /// Of the first, second and last lane, as far as there are so many.
    std::array<LanePiece, 3> Pieces;

    unsigned runs() const { return std::min(Lanes, 3u); }
    /// The lane of the warp that Pieces[N] is of.
    unsigned lane(unsigned N) const {
      return FirstLane + (N == 2 ? Lanes - 1 : N);
    }
  };

  /// Splits a warp where threadIdx.y changes.
  void split(const LaneRunner &Runner, unsigned Warp);

  Row *begin() { return Rows.data(); }
  Row *end() { return Rows.data() + Count; }

  /// True when the pieces of a row are affine in the lane.
  static bool isAffine(const Row &R);
  /// True when all affine rows go the same way.
  bool takeSamePath() const;
  /// The number of entries of each lane.
  size_t size() const { return Rows[0].Pieces[0].size(); }

  void write(RequestWriter &Out);
  /// Counts the rounds of all loops.
  void countRounds(const LoopNest &Loops, std::vector<uint32_t> &Rounds) const;

private:
  std::array<Row, LanesOfWarp> Rows;
  std::array<LaneRow, LanesOfWarp> Together;
  unsigned Count = 0;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_LANEROWS_H
