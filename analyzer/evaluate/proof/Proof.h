//===- Proof.h - What holds for every value of what is unknown --*- C++ -*-===//
//
// For each access of a kernel: an interval that holds the mean cost of its
// requests for every value of everything that the launch leaves open, and what
// it hangs on. It complements the lane evaluator, which says what is likely.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_PROOF_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_PROOF_H

#include "analyzer/evaluate/LaunchPlans.h"
#include "profiler/profile/RequestLaw.h"

#include <cstdint>
#include <vector>

namespace warpwise::access::proof {

struct SiteProof {
  /// False when nothing is proven.
  bool Holds = false;
  /// Of the mean of the headline number (sectors, wavefronts, words) over all
  /// requests of the launch.
  double Low = 0, High = 0;
  /// High, if no sum of 32 bits wraps around between two lanes.
  double HighWhole = 0;
  /// Low, if all lanes take part that can and rows at an unknown pitch have
  /// sectors of their own.
  double LowApart = 0;
  /// Low, if all lanes take part that can; how many these are, and what they
  /// would cost if they lay densely.
  double LowFull = 0, LanesFull = 0, IdealFull = 0;
  /// The lanes that take part hang on something unknown.
  bool LanesVary = false;
  /// Lanes move apart by unknown multiples: a pitch or a stride.
  bool RowsMove = false;
  /// Lanes that do not move together with the next one.
  uint32_t Apart = 0;
  /// Lanes lie anywhere: their addresses are no multiples of anything known.
  bool IsScattered = false;
  /// No thread makes the access, whatever is not known.
  bool IsUnreached = false;
  /// Where a pointer argument points within its allocation matters.
  bool PointerMoves = false;

  bool isPoint() const { return Holds && High - Low <= 1e-9 * High; }
};

struct LaunchProof {
  std::vector<SiteProof> Sites; ///< as Program::Sites
  uint64_t Steps = 0;
};

/// Proves what it can about \p Code under \p Plan in about \p Budget steps.
LaunchProof prove(const Program &Code, const LaunchPlan &Plan,
                  const profile::RequestLaw &Law, uint64_t Budget);

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_PROOF_H
