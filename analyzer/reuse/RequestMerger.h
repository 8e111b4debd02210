//===- RequestMerger.h - Misses that share one read of L2 -------*- C++ -*-===//
//
// On the way from the SMs of a GPC to L2 sits a unit that Nsight Compute calls
// the L2 request coalescer. While a read is under way to L2, reads of the same
// sectors of the same line by any SM of the GPC wait for its answer instead of
// going to L2 themselves. Counters of an H200 say (the README of
// kernels/request-merging has the figures):
//   - only SMs of one GPC share reads, neighbours in a TPC as much as others;
//   - the sectors have to be the same; a part or a neighbour is not enough;
//   - a request for other sectors of a line that has a read under way goes to
//   L2
//     by itself, and nobody can join either of them any more: of requests for
//     sectors A, B, B, B of a line only the last two share a read;
//   - one read answers at most four requests, the fifth opens another;
//   - a read can be joined until its answer is back at the unit: for about 60
//     cycles if L2 has the line, for 350 to 550 if DRAM has it;
//   - 1024 reads of a GPC that are under way are all remembered.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_REQUESTMERGER_H
#define WARPWISE_ANALYZER_REUSE_REQUESTMERGER_H

#include "analyzer/reuse/SmModel.h"

#include <optional>

namespace warpwise::reuse {

class RequestMerger {
public:
  /// \p GroupOf: by SM, the group that shares reads, from zero.
  RequestMerger(const CacheOptions &Options, std::vector<unsigned> GroupOf);

  /// When the answer is back at the SM, if the load joins a read that is under
  /// way; nothing if it goes to L2, and then sent() is told next.
  std::optional<Cycle> join(unsigned Sm, const L2Request &R);
  /// The load went to L2, which answers at \p ReadyAt; the answer takes \p
  /// Longer back from there.
  void sent(unsigned Sm, const L2Request &R, Cycle ReadyAt, Cycle Longer);
  /// Fetches what join will read.
  void prefetch(unsigned Sm, const L2Request &R) const {
    if (!Reads.empty())
      __builtin_prefetch(&Reads[placeOf(Sm, R)], 1);
  }

private:
  struct Read {
    uint64_t FirstSector = 0;
    Cycle ReadyAt = 0;
    Cycle JoinUntil = 0;
    uint32_t Sectors = 0; ///< 0: none was here
    uint32_t Requests = 0;
  };

  size_t placeOf(unsigned Sm, const L2Request &R) const;

  const CacheOptions &Options;
  std::vector<unsigned> GroupOf;
  ZeroedArray<Read> Reads; ///< the latest by hash, for each group
  /// What join saw last asks for other sectors of a line than the read that is
  /// under way there, and will not be remembered.
  bool PassesBy = false;
};

/// By SM, the group whose reads are merged: its GPC. SMs whose TPC shares no
/// cluster with another, known by a group of two, belong to the smallest GPC on
/// their side of L2: so the counters of an H200, where GPC 0 seems to have four
/// TPCs less than the others and four belong to none. Where no GPCs are known,
/// SMs are dealt to eight.
std::vector<unsigned> mergeGroups(const CacheOptions &Options);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_REQUESTMERGER_H
