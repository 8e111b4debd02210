//===- BlocksBeside.h - Blocks that walk over the same ----------*- C++ -*-===//

#ifndef WARPWISE_RULES_SINGLE_RESULT_BLOCKSBESIDE_H
#define WARPWISE_RULES_SINGLE_RESULT_BLOCKSBESIDE_H

#include "rules/Rule.h"

namespace warpwise::rules {

/// Reports where each block of \p Kernel walks over global memory for a result
/// of its own, and the next block along an axis over the same.
void checkBlocksBeside(const access::Kernel &Kernel,
                       const profile::Profile &Device, const Sink &Report);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_SINGLE_RESULT_BLOCKSBESIDE_H
