//===- Occupancy.cpp - How many blocks an SM takes ------------------------===//

#include "profiler/profile/Occupancy.h"

#include <algorithm>
#include <cassert>

namespace warpwise::profile {

static uint64_t roundUp(uint64_t Number, uint64_t Portion) {
  return (Number + Portion - 1) / Portion * Portion;
}

Occupancy occupancyOf(const SmLimits &Sm, const BlockNeeds &Needs) {
  assert(Needs.Threads != 0 && "a block without threads");
  constexpr uint64_t WarpSize = 32, RegisterPortion = 256, SharedPortion = 128,
                     Schedulers = 4;
  Occupancy Result;
  Result.Threads = roundUp(Needs.Threads, WarpSize);
  const uint64_t Warps = Result.Threads / WarpSize;
  Result.Blocks = std::min(Sm.Blocks, Sm.Threads / Result.Threads);
  if (Needs.RegistersPerThread != 0) {
    const uint64_t PerWarp =
        roundUp(Needs.RegistersPerThread * WarpSize, RegisterPortion);
    // A warp has its registers at one of the schedulers; a block is taken for
    // one that has as many warps at each.
    Result.Registers = PerWarp * roundUp(Warps, Schedulers);
    const uint64_t Held = Sm.Registers / Schedulers / PerWarp * Schedulers;
    Result.Blocks = std::min(Result.Blocks, Held / Warps);
  }
  Result.SharedBytes =
      roundUp(Needs.SharedBytes + Sm.ReservedSharedBytes, SharedPortion);
  if (Result.SharedBytes != 0)
    Result.Blocks =
        std::min(Result.Blocks, Sm.SharedBytes / Result.SharedBytes);
  return Result;
}

} // namespace warpwise::profile
