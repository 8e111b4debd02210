//===- ThreadIndices.h - Where a kernel asks for its thread -----*- C++ -*-===//
//
// Plain data: where threadIdx.x and threadIdx.y stand, so that a rewrite can
// swap them. In a block that is as wide as high every thread then does what
// its mirror image did.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_SOURCE_THREADINDICES_H
#define WARPWISE_ANALYZER_SOURCE_THREADINDICES_H

#include "analyzer/source/DeclaredArray.h"

#include <string>
#include <vector>

namespace warpwise {

struct ThreadIndices {
  Place Kernel;           ///< no column, as debug information
  std::vector<Span> X, Y; ///< of the letter alone
  /// Why a swap would not do, as half a sentence, or empty.
  std::string Obstacle;
};

} // namespace warpwise

#endif // WARPWISE_ANALYZER_SOURCE_THREADINDICES_H
