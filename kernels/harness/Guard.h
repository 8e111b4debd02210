//===- Guard.h - When not to measure ----------------------------*- C++ -*-===//
//
// Checks before a run: whether what this build times is what it means to time,
// and whether the device is free for it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_GUARD_H
#define WARPWISE_KERNELS_HARNESS_GUARD_H

#include "kernels/harness/Session.h"
#include "profiler/inference/Idleness.h"

namespace warpwise::harness {

/// Throws Skip unless the clock bracket waits for the load: with the same
/// kernel, hits in L1 and hits in L2 have to differ, both have to take longer
/// than any register access, and the bracket's extra cycles over a pointer
/// chase without a clock have to be the same for both.
void guardTiming(const Device &D);

/// How a chase and equal short launches go, which others who use the device
/// disturb; some milliseconds of work, a tenth of it when \p Brief. The
/// device's clock should be up: one that just woke up scatters too.
inference::IdleEvidence observe(const Device &D, bool Brief);

/// Throws Skip when less than 1 GiB of the device's memory is free.
void guardMemory(const Device &D);

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_GUARD_H
