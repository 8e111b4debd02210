//===- BruteForce.cpp - A generated kernel run thread by thread -----------===//

#include "test/unit/evaluate/BruteForce.h"

#include "test/unit/evaluate/ThreadRun.h"
#include "test/unit/warp/BruteForceCost.h"

#include <algorithm>
#include <bit>
#include <map>

namespace warpwise::test {
namespace {

using access::Operation;
using access::Space;

/// The requests of one access by one warp, in the order of the loop iterations.
using WarpRequests = std::map<uint64_t, WarpRequest>;

class Counter {
  const GeneratedKernel &K;
  std::vector<AccessSums> &Sums;

public:
  Counter(const GeneratedKernel &K, std::vector<AccessSums> &Sums)
      : K(K), Sums(Sums) {}

  void count(unsigned Warp, unsigned Number, const WarpRequests &Requests) {
    const MemoryAccess &A = K.Accesses[Number];
    // A load that repeats the one before, for all lanes or fewer, is not made
    // again: its result is in a register. Kernels with loads that are not
    // volatile write nothing between them (see Generator).
    const bool KeepsValue = A.Op == Operation::Load && !A.Volatile;
    const WarpRequest *Before = nullptr;
    ++Sums[Number].Warps;
    for (const auto &[Iterations, R] : Requests) {
      if (KeepsValue && Before && repeats(R, *Before))
        continue;
      add(Warp, A, R, Sums[Number]);
      Before = &R;
    }
  }

private:
  /// Every lane of \p R took part in \p Before, at the same address.
  static bool repeats(const WarpRequest &R, const WarpRequest &Before) {
    for (size_t N = 0; N != R.Lanes.size(); ++N) {
      const auto Same =
          std::find(Before.Lanes.begin(), Before.Lanes.end(), R.Lanes[N]);
      if (Same == Before.Lanes.end() ||
          Before.Addresses[Same - Before.Lanes.begin()] != R.Addresses[N])
        return false;
    }
    return true;
  }

  static void add(unsigned Warp, const MemoryAccess &A, const WarpRequest &R,
                  AccessSums &S) {
    ++S.Requests;
    S.Lanes += R.Lanes.size();
    unsigned Headline = 0;
    if (A.Memory == Space::Shared) {
      const auto [First, Last] = std::ranges::minmax(
          R.Addresses, {}, [](uint64_t Address) { return int64_t(Address); });
      S.LeavesShared |= int64_t(Last - First) >> 31 != 0;
      Headline = A.Op == Operation::Load    ? countWavefronts(R, A.Bytes)
                 : A.Op == Operation::Store ? countStoreWavefronts(R, A.Bytes)
                 : A.AddsConstant           ? countWavefronts(R, A.Bytes)
                                            : countAtomicWavefronts(R, A.Bytes);
      S.Wavefronts += Headline;
      S.IdealWavefronts +=
          A.Op == Operation::Load    ? countIdealWavefronts(R, A.Bytes)
          : A.Op == Operation::Store ? countIdealStoreWavefronts(R, A.Bytes)
                                     : 1;
    } else if (A.Memory == Space::Constant) {
      Headline = countWords(R, A.Bytes);
      S.Words += Headline;
    } else {
      Headline = countSectors(R, A.Bytes);
      S.Sectors += Headline;
      S.IdealSectors += countIdealSectors(R, A.Bytes);
    }
    S.Least = std::min(S.Least, Headline);
    if (Headline > S.Most)
      S.WorstPatterns.clear();
    S.Most = std::max(S.Most, Headline);
    if (Headline == S.Most)
      S.WorstPatterns.insert(patternOf(Warp, R));
  }

  static uint64_t patternOf(unsigned Warp, const WarpRequest &R) {
    uint32_t Active = 0;
    std::array<int64_t, 32> Offsets{};
    for (size_t N = 0; N != R.Lanes.size(); ++N) {
      Active |= 1u << R.Lanes[N];
      Offsets[R.Lanes[N]] = int64_t(R.Addresses[N]);
    }
    return fingerprint(Warp, Active, Offsets);
  }
};

/// Runs the threads of one warp and puts their accesses together.
bool runWarp(ThreadRun &Run, std::vector<ThreadAccess> &Made,
             const KernelLaunch &Launch, const std::array<uint32_t, 3> &Block,
             unsigned Warp, Counter &Count) {
  const auto [X, Y, Z] = Launch.Block;
  std::map<unsigned, WarpRequests> ByAccess;
  for (unsigned Lane = 0; Lane != 32; ++Lane) {
    const unsigned Linear = Warp * 32 + Lane;
    if (Linear >= X * Y * Z)
      break;
    Made.clear();
    if (!Run.run(Block, {Linear % X, Linear / X % Y, Linear / X / Y}))
      return false;
    for (const ThreadAccess &A : Made) {
      WarpRequest &R = ByAccess[A.Access][A.Iterations];
      R.Lanes.push_back(Lane);
      R.Addresses.push_back(A.Address);
    }
  }
  for (const auto &[Number, Requests] : ByAccess)
    Count.count(Warp, Number, Requests);
  return true;
}

} // namespace

uint64_t fingerprint(unsigned Warp, uint32_t Active,
                     const std::array<int64_t, 32> &Offsets) {
  uint64_t Hash = 14695981039346656037u;
  auto mix = [&](uint64_t Value) { Hash = (Hash ^ Value) * 1099511628211u; };
  mix(Warp);
  mix(Active);
  const uint64_t First = uint64_t(Offsets[size_t(std::countr_zero(Active))]);
  for (unsigned L = 0; L != 32; ++L)
    mix(Active >> L & 1 ? uint64_t(Offsets[L]) - First : 0);
  return Hash;
}

BruteForceResult runThreads(const GeneratedKernel &K,
                            const KernelLaunch &Launch) {
  BruteForceResult Result;
  Result.Accesses.resize(K.Accesses.size());
  std::vector<ThreadAccess> Made;
  ThreadRun Run(K, Launch, Made);
  Counter Count(K, Result.Accesses);
  const auto [X, Y, Z] = Launch.Block;
  const unsigned Warps = (X * Y * Z + 31) / 32;
  for (uint32_t BZ = 0; BZ != Launch.Grid[2]; ++BZ)
    for (uint32_t BY = 0; BY != Launch.Grid[1]; ++BY)
      for (uint32_t BX = 0; BX != Launch.Grid[0]; ++BX)
        for (unsigned Warp = 0; Warp != Warps; ++Warp)
          if (!runWarp(Run, Made, Launch, {BX, BY, BZ}, Warp, Count)) {
            Result.TooLong = true;
            return Result;
          }
  return Result;
}

} // namespace warpwise::test
