//===- Dispatcher.h - When SMs with room get their next blocks --*- C++ -*-===//
//
// The order in which an H200 hands out blocks after the first wave: one at a
// time, to the SM that has waited longest; an SM with room for more queues up
// again. So blocks that follow one another hardly ever meet on an SM, even when
// all of its blocks end at once (docs/h200.md), and that decides what L1 finds
// of their neighbours.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_DISPATCHER_H
#define WARPWISE_ANALYZER_REUSE_DISPATCHER_H

#include "analyzer/reuse/SmModel.h"

#include <deque>
#include <optional>
#include <queue>

namespace warpwise::reuse {

class Dispatcher {
public:
  struct Turn {
    unsigned Sm;
    Cycle When;
  };

  /// \p GapCycles between two blocks that are handed out.
  Dispatcher(unsigned Sms, double GapCycles)
      : Room(Sms), GapCycles(GapCycles) {}

  /// A block ended there and then.
  void ended(Turn Where) { Ends.push(Where); }

  /// The SM that is next to get a block; nothing when none has room.
  std::optional<Turn> next();

private:
  struct Later {
    bool operator()(const Turn &A, const Turn &B) const {
      return std::pair(A.When, A.Sm) > std::pair(B.When, B.Sm);
    }
  };

  void queueUntil(double When);

  std::vector<unsigned> Room; ///< by SM: blocks it could take
  /// Those that are not in Room yet, the earliest first.
  std::priority_queue<Turn, std::vector<Turn>, Later> Ends;
  std::deque<unsigned> Queue; ///< SMs with room, each once
  double GapCycles;
  double FreeAt = 0; ///< when the next block can be handed out
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_DISPATCHER_H
