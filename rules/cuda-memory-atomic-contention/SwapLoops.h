//===- SwapLoops.h - Loops that do what one atomic does ---------*- C++ -*-===//

#ifndef WARPWISE_RULES_ATOMIC_CONTENTION_SWAPLOOPS_H
#define WARPWISE_RULES_ATOMIC_CONTENTION_SWAPLOOPS_H

#include "rules/Rule.h"

namespace warpwise::rules {

/// Reports where \p A, a compare-and-swap of \p Kernel, is repeated until it
/// has done what one atomic does at once.
void checkSwapLoop(const access::Kernel &Kernel, const access::Access &A,
                   const profile::Profile &Device, const Sink &Report);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_ATOMIC_CONTENTION_SWAPLOOPS_H
