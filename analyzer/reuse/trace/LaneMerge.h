//===- LaneMerge.h - All lanes' entries as a warp's requests ----*- C++ -*-===//
//
// Puts the entries of a warp's lanes together by loop rounds and positions:
// lanes whose next events are the same, in the same rounds of all loops, make
// one request. Only the next event of each lane has to be known.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_LANEMERGE_H
#define WARPWISE_ANALYZER_REUSE_TRACE_LANEMERGE_H

#include "analyzer/reuse/trace/LaneRunner.h"
#include "analyzer/reuse/trace/RequestWriter.h"

namespace warpwise::reuse {

/// What all merges of a launch have in common.
class LoopNest {
public:
  explicit LoopNest(const LaneCode &Code);
  const LaneCode &Code;

  /// Counts a round of a loop; those in it begin anew.
  void enterRound(std::vector<uint32_t> &Rounds, int32_t Loop) const {
    ++Rounds[Loop];
    for (uint32_t Inner : InnerLoops[Loop])
      Rounds[Inner] = 0;
  }

private:
  std::vector<std::vector<uint32_t>> InnerLoops; ///< by loop
};

class LaneMerge {
public:
  /// Where further entries come from.
  class Feed {
  public:
    virtual ~Feed() = default;
    /// The next entries of a lane; none at its end. Those before are used up.
    virtual LanePiece refill(unsigned Lane) = 0;
  };

  explicit LaneMerge(const LoopNest &Loops);

  /// Begins with \p Lanes lanes, all of them in \p Rounds of the loops; empty
  /// for none.
  void begin(unsigned Lanes, const std::vector<uint32_t> &Rounds);
  void set(unsigned Lane, LanePiece Entries) {
    Cursors[Lane].At = Entries.Begin;
    Cursors[Lane].End = Entries.End;
  }
  /// Writes requests until \p Out has \p Most accesses; false when all lanes
  /// are at their end. Without \p More what was set is all.
  bool run(RequestWriter &Out, size_t Most, Feed *More);

private:
  /// Where a lane is.
  struct Cursor {
    const uint64_t *At = nullptr, *End = nullptr;
    std::vector<uint32_t> Rounds; ///< by loop
  };
  /// Lanes in the same rounds of all loops whose next event is the earliest.
  struct Group {
    std::vector<uint8_t> Lanes;
    const Cursor *Waiting = nullptr; ///< the first of the others
  };

  const LoopNest &Loops;
  unsigned Lanes = 0;
  std::array<Cursor, LanesOfWarp> Cursors;
  Group G;
  std::vector<LaneRow> Together;

  int order(const Cursor &A, const Cursor &B) const;
  bool hasNext(unsigned Lane, Feed *More);
  bool findGroup(Feed *More);
  bool staysTogether(Feed *More);
  void step(RequestWriter &Out);
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_LANEMERGE_H
