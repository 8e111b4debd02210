//===- BruteForce.h - Costs counted with sets -------------------*- C++ -*-===//
//
// What profiler/warp computes, once more, as its header states it: slowly and
// without a clever step.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_ORACLE_BRUTEFORCE_H
#define WARPWISE_TEST_ORACLE_BRUTEFORCE_H

#include "profiler/warp/WarpCost.h"

namespace warpwise::oracle {

struct Costs {
  unsigned Sectors = 0, IdealSectors = 0;
  unsigned Wavefronts = 0, IdealWavefronts = 0;
  unsigned Words = 0;

  bool operator==(const Costs &) const = default;
};

/// What is done with the memory, as far as it counts.
enum class Request {
  Load,
  Store,
  Atomic,
  /// An atomic in shared memory for which lanes with the same word take turns.
  TakingTurns
};

Costs bruteForce(const warp::LaneAddresses &Addresses, uint32_t Active,
                 unsigned Bytes, Request What);

/// The same from the library.
Costs libraryCosts(const warp::LaneAddresses &Addresses, uint32_t Active,
                   unsigned Bytes, Request What);

} // namespace warpwise::oracle

#endif // WARPWISE_TEST_ORACLE_BRUTEFORCE_H
