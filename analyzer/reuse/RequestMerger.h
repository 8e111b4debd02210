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
//     L2 by itself, and nobody can join either of them any more: of requests
//     for sectors A, B, B, B of a line only the last two share a read;
//   - a store or an atomic to any sectors of the line ends the sharing as well,
//     but the next load opens a read that others may join;
//   - one read answers at most four requests, the fifth opens another;
//   - a read can be joined until its answer is back at the unit: for about 60
//     cycles if L2 has the line, for 350 to 550 if DRAM has it;
//   - 1024 reads of a GPC that are under way are all remembered.
// Each rule but the last is held against test/gpu/request-merging. Not
// modelled: what ends the sharing of a line in one GPC ends it in all.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_REQUESTMERGER_H
#define WARPWISE_ANALYZER_REUSE_REQUESTMERGER_H

#include "analyzer/reuse/SmModel.h"

#include <algorithm>

namespace warpwise::reuse {

class RequestMerger {
public:
  /// \p GroupOf: by SM, the group that shares reads, from zero.
  RequestMerger(const CacheOptions &Options, std::vector<unsigned> GroupOf);

  /// A read that may be under way.
  struct Read {
    uint32_t Key = 0;     ///< keyOf the line
    uint32_t Sectors = 0; ///< 0: there is none to join
    Cycle JoinUntil = 0;
    uint32_t Requests : 8 = 0;
    uint32_t Back : 24 = 0; ///< from JoinUntil to the answer at the SM
  };
  /// Whether reads are merged at all; if not, nothing else may be called.
  bool merges() const { return !Reads.empty(); }
  /// Where reads of this line by the SM's group are remembered.
  Read &readOf(unsigned Sm, uint64_t FirstSector) {
    return Reads[GroupOf[Sm] * ReadsKept +
                 partOf(hashOf(FirstSector), ReadsKept)];
  }
  /// What becomes of a load.
  struct Answer {
    bool Joins = false; ///< a read that is under way; else it goes to L2
    bool MayBeJoined = true;
    Cycle ReadyAt = 0; ///< when the answer is back at the SM, if it joins
  };
  Answer join(Read &Here, const L2Request &R) const {
    if (Here.Sectors == 0 || Here.Key != keyOf(R.FirstSector) ||
        R.When > Here.JoinUntil || Here.Requests >= Options.MergeRequests)
      return {};
    if (Here.Sectors != R.Sectors) {
      Here.Sectors = 0;
      return {.MayBeJoined = false};
    }
    ++Here.Requests;
    return {.Joins = true, .ReadyAt = Here.JoinUntil + Here.Back};
  }
  /// A load that may be joined went to L2, which answers at \p ReadyAt; the
  /// answer takes \p Longer back from there.
  void sent(Read &Here, const L2Request &R, Cycle ReadyAt, Cycle Longer) const {
    const Cycle Back = std::min(OnTheWay, ReadyAt - R.When);
    Here = {keyOf(R.FirstSector), R.Sectors, ReadyAt - Back, 1, Back + Longer};
  }

  /// A store or an atomic to any sectors of the line comes: what is under way
  /// cannot be joined any more, the next load opens another read.
  static void stored(Read &Here, uint64_t FirstSector) {
    if (Here.Key == keyOf(FirstSector))
      Here.Sectors = 0;
  }

private:
  /// Reads of a group that are remembered: more than its SMs can have under
  /// way.
  static constexpr uint32_t ReadsKept = 4096;

  const CacheOptions &Options;
  std::vector<unsigned> GroupOf;
  /// The way between SM and unit, there and back, is the part of a hit's
  /// latency in which nobody can join.
  Cycle OnTheWay;
  ZeroedArray<Read> Reads; ///< the latest by hash, for each group
};

/// By SM, the group whose reads are merged: its GPC. SMs whose TPC shares no
/// cluster with another, known by a group of two, belong to the smallest GPC on
/// their side of L2: so the counters of an H200, where GPC 0 seems to have four
/// TPCs less than the others and four belong to none. Where no GPCs are known,
/// SMs are dealt to eight.
std::vector<unsigned> mergeGroups(const CacheOptions &Options);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_REQUESTMERGER_H
