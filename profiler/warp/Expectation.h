//===- Expectation.h - What a warp with random indices costs ----*- C++ -*-===//
//
// Gathers, scatters, tables and histograms: the index comes from memory, so no
// address is known, but what a request costs on average when the index is
// uniformly random, and at least and at most, follows from the active lanes and
// the size of the object. Pure arithmetic, no chance: the same question has the
// same answer.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_WARP_EXPECTATION_H
#define WARPWISE_PROFILER_WARP_EXPECTATION_H

#include "profiler/warp/RandomRequest.h"
#include "profiler/warp/WarpCost.h"

#include <optional>

namespace warpwise::warp {

struct Expectation {
  double Expected = 0;
  /// No request of this kind costs less or more, whatever the indices.
  double Low = 0, High = 0;
};

/// Distinct sectors of a request to global memory.
Expectation expectSectors(const RequestLaw &Law, const RandomRequest &R);

/// The same where each lane of \p Active has a row of its own, as in
/// a[i * pitch + index[i]]: \p Rows is where they begin, and they are taken to
/// be as long as the two that lie nearest to each other are apart. Nothing
/// where there are no two, or where rows are so short that the index could
/// bring any lanes together.
std::optional<Expectation> expectSectorsOfRows(const RequestLaw &Law,
                                               const LaneAddresses &Rows,
                                               uint32_t Active, unsigned Bytes);

/// Distinct words of constant memory: N (1 - (1 - 1/N)^g) for g groups and N
/// elements of a word each.
Expectation expectWords(const RequestLaw &Law, const RandomRequest &R);

enum class SharedOperation {
  Load,
  Store,
  /// Lanes that hit the same word take turns as those that hit the same bank
  /// do: 700 requests counted on an H200 (test/gpu/wavefronts), and its clock:
  /// an atomic addition of a warp to one word takes 62 clk longer than one to
  /// 32 words of different banks, two for each further lane, as for any other
  /// conflict (warp.atomics.shared and warp.shared.b4.latency in the profile).
  Atomic
};

/// Passes through shared memory. Exact when no lane has an offset of its own,
/// but for neighbours that meet by chance, so that phases join. Otherwise, and
/// for atomics of groups of many sizes, the mean over a fixed set of draws, off
/// by a hundredth or so.
Expectation expectWavefronts(const RequestLaw &Law, const RandomRequest &R,
                             SharedOperation Op);

/// Rounds of a SwapLoop, the mean over a fixed set of draws.
double expectSwapRounds(const RequestLaw &Law, const RandomRequest &R);

} // namespace warpwise::warp

#endif // WARPWISE_PROFILER_WARP_EXPECTATION_H
