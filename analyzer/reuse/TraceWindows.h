//===- TraceWindows.h - Long loops whose rounds are alike -------*- C++ -*-===//
//
// A launch of one wave has no waves to leave out, but often loops of a thousand
// rounds that all do the same. Where the traces of warps, cut into windows of
// as many accesses each, show the same accesses in every window and as many
// sectors that the warp had not touched before, the first windows tell of the
// others.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACEWINDOWS_H
#define WARPWISE_ANALYZER_REUSE_TRACEWINDOWS_H

#include "analyzer/reuse/Trace.h"
#include "analyzer/reuse/Traffic.h"

namespace warpwise::reuse {

struct TraceWindows {
  unsigned All = 1;       ///< windows of each warp's trace
  unsigned Simulated = 1; ///< the first ones; at least 3 where All is not 1

  bool whole() const { return Simulated == All; }
  /// Twice as long, or more of them where they are long already, or none where
  /// they are many, too.
  TraceWindows longer() const;
  /// How often each of the windows that are simulated counts: the first one
  /// begins with cold caches, the last two stand for those that are left out:
  /// the further SMs have drifted apart, the fewer misses they share.
  std::vector<double> weights() const;
  bool operator==(const TraceWindows &) const = default;
};

/// Looks at some warps of the first, the middle and the last block for the
/// shortest windows that are alike, but the first; none, and \p Found is whole,
/// where traces come in pieces. The launch has \p Accesses. Returns what the
/// source says.
std::string findWindows(TraceSource &Source, double Accesses,
                        TraceWindows &Found);

/// Whether two windows missed L1 equally often, within 3 %, and left as much to
/// L2 and DRAM, within 15 %. Their figures are what missed and what was asked
/// of L2, not what hit L1.
bool sameMisses(const Traffic &A, const Traffic &B);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACEWINDOWS_H
