//===- Occupancy.h - How many blocks an SM takes ----------------*- C++ -*-===//
//
// The rules of cuda_occupancy.h, for devices since compute capability 5. Pure
// arithmetic: no Clang, no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_OCCUPANCY_H
#define WARPWISE_PROFILER_PROFILE_OCCUPANCY_H

#include <cstdint>

namespace warpwise::profile {

/// What an SM has to give.
struct SmLimits {
  uint64_t Threads = 0, Blocks = 0, Registers = 0, SharedBytes = 0;
  uint64_t ReservedSharedBytes = 0; ///< of each block, by the system
};

/// What a block asks for.
struct BlockNeeds {
  uint64_t Threads = 0;
  uint64_t RegistersPerThread = 0; ///< 0: not known, and no limit
  uint64_t SharedBytes = 0;        ///< static and dynamic
};

struct Occupancy {
  /// What a block gets, in the portions in which it is given away. More than
  /// the SM has: no block fits.
  uint64_t Threads = 0, Registers = 0, SharedBytes = 0;
  uint64_t Blocks = 0; ///< at the same time
};

/// \p Needs has threads.
Occupancy occupancyOf(const SmLimits &Sm, const BlockNeeds &Needs);

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_OCCUPANCY_H
