//===- SharedTag.h - Whether neighbours are one entry -----------*- C++ -*-===//
//
// Shared by what asks for the size of a line and what asks for that of a page.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_SHAREDTAG_H
#define WARPWISE_PROFILER_INFERENCE_SHAREDTAG_H

#include "profiler/inference/FitTest.h"

namespace warpwise::inference {

/// Whether two words that are \p Distance apart within an aligned block of
/// twice as much take one tag together; nothing where \p Most blocks all fit.
/// No mapping of blocks to sets is taken for granted.
std::optional<bool> shareTag(FitTest &Test, uint64_t Distance, uint64_t Most,
                             std::mt19937_64 &Random);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_SHAREDTAG_H
