//===- CostPatterns.h - Requests that the cost model sees -------*- C++ -*-===//
//
// A designed set, in which one property changes at a time, and random patterns,
// in which they mix as in real code.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_WARP_COST_COSTPATTERNS_H
#define WARPWISE_KERNELS_WARP_COST_COSTPATTERNS_H

#include "kernels/harness/LanePatterns.h"

#include <vector>

namespace warpwise::harness {

/// Strides, offsets, broadcasts, permutations, scattered and duplicated
/// elements of \p Bytes, some 50 patterns, all within \p Span bytes.
std::vector<Pattern> costPatterns(std::mt19937_64 &Random, unsigned Bytes,
                                  unsigned Span);

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_WARP_COST_COSTPATTERNS_H
