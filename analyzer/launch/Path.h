//===- Path.h - The way through the host code -------------------*- C++ -*-===//
//
// Conditions that are not known part the walk of the host code into paths. What
// their sides leave different is lost where they meet again; a walk that takes
// one side only has it. So each value tells the last condition that it was lost
// at, and walks that decide those give the launches that are alternatives.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_PATH_H
#define WARPWISE_ANALYZER_LAUNCH_PATH_H

#include "analyzer/launch/Value.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace clang {
class Stmt;
}

namespace warpwise::launch {

/// Names one execution of a condition: the statement, the calls and the
/// iterations of loops that lead to it. The same in every walk of a root. 0: of
/// several executions, which one is not known.
using ForkKey = uint64_t;

/// What a walk takes for granted: the side of each condition.
using Decisions = std::map<ForkKey, unsigned>;

/// A condition that a path has passed, and the side that it took.
struct Turn {
  std::shared_ptr<const Turn> Earlier;
  unsigned Depth = 0;
  ForkKey Key = 0;
  /// An `if`, `switch` or `?:`.
  const clang::Stmt *Where = nullptr;
  /// 0: the condition holds; of a switch the label, or the number of labels
  /// when none matches.
  unsigned Side = 0;
  /// Names the calls that led to it.
  uint64_t Callers = 0;
};

/// The last turn, or null at the beginning.
using Path = std::shared_ptr<const Turn>;

/// As far as both go the same way.
Path commonPath(Path A, Path B);

/// The conditions of one walk.
class Forks {
public:
  struct Point {
    ForkKey Key = 0;
    unsigned Sides = 0;
  };

  /// \p Chosen outlives the walk.
  void start(const Decisions *Chosen);
  /// The walk has come to a condition: the side to take, if that is decided.
  std::optional<unsigned> reach(ForkKey Key, unsigned Sides);
  /// The last of the conditions that parted \p A from \p B and that a walk can
  /// decide.
  ForkNumber partedBy(const Path &A, const Path &B) const;
  /// Null for 0.
  const Point *find(ForkNumber Number) const {
    return Number == 0 ? nullptr : &InOrder[Number - 1];
  }

private:
  const Decisions *Chosen = nullptr;
  std::vector<Point> InOrder;
  std::map<ForkKey, ForkNumber> Numbers;
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_PATH_H
