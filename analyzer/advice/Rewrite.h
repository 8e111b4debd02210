//===- Rewrite.h - A change of source that follows an advice ----*- C++ -*-===//
//
// Plain data: which bytes of which file become what. A rule proposes it;
// analyzer/fix applies it to a copy in memory, has that analysed and decides
// whether it is offered.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_ADVICE_REWRITE_H
#define WARPWISE_ANALYZER_ADVICE_REWRITE_H

#include "analyzer/source/DeclaredArray.h"

#include <string>
#include <vector>

namespace warpwise::advice {

/// Bytes that make place for a text.
struct Replacement {
  Span Old;
  std::string Was; ///< what stands there
  std::string Text;

  auto operator<=>(const Replacement &) const = default;
};

struct Rewrite {
  /// What it does: "pad the rows of 'Tile' to 33 elements".
  std::string Title;
  std::vector<Replacement> Changes;
  /// What has to be true for it and cannot be seen from the code, as half a
  /// sentence, or empty. Such a rewrite is offered only to who asks for it.
  std::string Presumes = {};
  /// Why it is not offered, as half a sentence, or empty. Without changes it
  /// says why there are none.
  std::string Withheld = {};
  /// What the analysis of the rewritten code says: "'transpose' takes about 78
  /// us before and 39 us after". Empty before it was tried.
  std::string Verified = {};

  bool operator==(const Rewrite &) const = default;
  bool isOffered() const { return Withheld.empty() && !Changes.empty(); }
};

} // namespace warpwise::advice

#endif // WARPWISE_ANALYZER_ADVICE_REWRITE_H
