//===- BruteForce.h - A generated kernel run thread by thread ---*- C++ -*-===//
//
// Interprets the kernel's trees once for every thread, then puts together as
// one request what the lanes of a warp do at the same access in the same loop
// iterations. Shares no code with the analyzer.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_BRUTEFORCE_H
#define WARPWISE_TEST_UNIT_EVALUATE_BRUTEFORCE_H

#include "test/unit/evaluate/GeneratedKernel.h"

#include <set>

namespace warpwise::test {

/// Sums over the requests of one access.
struct AccessSums {
  uint64_t Requests = 0, Lanes = 0, Warps = 0;
  uint64_t Sectors = 0, IdealSectors = 0;
  uint64_t Wavefronts = 0, IdealWavefronts = 0, Words = 0;
  /// Some request's lanes lie 2 GiB or more apart in shared memory, as where a
  /// negative index loses its sign: the device ends such a kernel, and nothing
  /// can be said of it.
  bool LeavesShared = false;
  /// Of the number that counts in the access's space.
  unsigned Least = ~0u, Most = 0;
  /// What the requests that cost Most look like.
  std::set<uint64_t> WorstPatterns;
};

/// A number for a request as LanePattern shows it, the same wherever its
/// offsets are counted from.
uint64_t fingerprint(unsigned Warp, uint32_t Active,
                     const std::array<int64_t, 32> &Offsets);

struct BruteForceResult {
  /// A loop went on for longer than the test wants to wait.
  bool TooLong = false;
  std::vector<AccessSums> Accesses; ///< as GeneratedKernel::Accesses
};

/// Runs all threads of \p Launch. Also notes in the kernel's expressions which
/// promises (no overflow, in bounds) would be false.
BruteForceResult runThreads(const GeneratedKernel &K,
                            const KernelLaunch &Launch);

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_BRUTEFORCE_H
