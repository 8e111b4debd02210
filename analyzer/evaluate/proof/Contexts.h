//===- Contexts.h - When a lane that may run does run -----------*- C++ -*-===//
//
// A branch that nobody can decide sends lanes both ways. Whether a lane really
// takes part in what follows then hangs on that branch, and often the lanes of
// a warp hang on it together: all of them run, or none. A context is the list
// of such branches around a lane; contexts form a tree with the certain run at
// its root.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_CONTEXTS_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_CONTEXTS_H

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace warpwise::access::proof {

using Context = uint32_t;
constexpr Context Certain = 0;

/// A branch, by its block, and which of its targets is taken.
using Way = std::pair<uint32_t, uint32_t>;
using Ways = llvm::SmallVector<Way, 2>;

class Contexts {
  struct Node {
    Context Parent = Certain;
    /// Where the lanes that were parted are together again.
    uint32_t Until = 0;
    /// Each lane goes its own way.
    bool Own = false;
    /// Where all warps of a thread block go the same: which.
    std::optional<Way> OfBlock;
    unsigned Depth = 0;
  };
  std::vector<Node> Nodes{Node{}};
  std::map<std::pair<Context, Context>, Context> Merged;

public:
  Context child(Context Parent, uint32_t Until, bool Own,
                std::optional<Way> OfBlock = std::nullopt);
  /// A lane that arrives in either of two contexts.
  Context merge(Context A, Context B);
  /// The context after everything that ends at \p Block.
  Context leave(Context C, uint32_t Block) const;
  bool isOwn(Context C) const { return Nodes[C].Own; }
  /// The ways that lead to \p C, if each is one that all warps of a block go or
  /// none does.
  std::optional<Ways> waysOfBlock(Context C) const;

  /// The lanes of \p Active that take part whenever any lane does; \p Common is
  /// set to what that hangs on.
  uint32_t sureLanes(const std::array<Context, 32> &Of, uint32_t Active,
                     Context &Common) const;

private:
  Context commonOf(Context A, Context B) const;
  /// The ancestor of \p C just below \p Above.
  Context below(Context C, Context Above) const;
};

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_CONTEXTS_H
