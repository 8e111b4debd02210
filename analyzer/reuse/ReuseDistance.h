//===- ReuseDistance.h - Hit ratios of many caches in one pass --*- C++ -*-===//
//
// Stack distances (Mattson et al. 1970; RDGC section 3.2) of sectored lines. A
// cache of C lines holds a sector when its line was among the last C all the
// time since the sector was filled: the largest distance of the line since then
// decides, and not the sector's own distance. Two stacks are kept: one for each
// set, which gives all associativities, and one of all lines, which gives all
// capacities.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_REUSEDISTANCE_H
#define WARPWISE_ANALYZER_REUSE_REUSEDISTANCE_H

#include "analyzer/reuse/SetIndex.h"

#include <optional>
#include <unordered_map>

namespace warpwise::reuse {

/// Loads of sectors by the lines that a cache must have room for to hit.
class ReuseHistogram {
public:
  static constexpr uint32_t Cold = ~0u; ///< no cache hits

  void add(uint32_t Distance, double Sectors);
  void merge(const ReuseHistogram &O);

  double total() const { return Total; }
  /// Share of loads that hit with \p Lines lines (of a set, or of the cache).
  double hitRatio(uint64_t Lines) const;
  /// Distances and sectors, ascending, Cold last; distances from 65536 on are
  /// the lower ends of ranges a thousandth wide.
  std::vector<std::pair<uint32_t, double>> points() const;

private:
  std::vector<double> Sectors; ///< by bin
  double Total = 0, First = 0; ///< First: at distance Cold
};

/// The distances in one set, up to a number of ways.
class SetStack {
public:
  /// LRU, or LFU with counts that outlive a line's stay. The others have no
  /// stack: what a small cache holds a larger one may lack.
  SetStack(unsigned MostWays, unsigned Granules, Replacement Policy);

  /// Uses \p Line, whose count is now \p Uses. Calls \p Each(granule,
  /// distance) for the granules in the mask.
  template <typename Callable>
  void access(uint64_t Line, uint32_t Mask, uint32_t Uses, Callable Each);

private:
  struct Entry {
    uint64_t Line = 0;
    uint64_t LastUse = 0;
    uint32_t Uses = 0;
    /// By granule: the largest distance since it was filled.
    std::vector<uint32_t> Worst;
  };
  static bool staysAbove(const Entry &A, const Entry &B) {
    return A.Uses != B.Uses ? A.Uses > B.Uses : A.LastUse > B.LastUse;
  }

  unsigned MostWays, Granules;
  Replacement Policy;
  uint64_t Clock = 0;
  std::vector<Entry> Entries; ///< the top first
};

/// The distances among all lines, with LRU (Olken's way, with a Fenwick tree
/// over the times of last uses).
class FullStack {
public:
  FullStack(unsigned Granules) : Granules(Granules), Marks(1 << 12) {}

  template <typename Callable>
  void access(uint64_t Line, uint32_t Mask, Callable Each);

private:
  struct Node {
    uint64_t Line = 0;
    uint32_t Time = 0;
  };
  uint32_t before(uint32_t Time) const;
  void mark(uint32_t Time, int32_t By);
  void compact();

  unsigned Granules;
  uint32_t Clock = 0;
  std::vector<int32_t> Marks; ///< Fenwick tree of last uses by time
  std::vector<Node> Nodes;
  std::vector<uint32_t> Worst; ///< by node and granule
  std::unordered_map<uint64_t, uint32_t> NodeOf;
};

/// Both for one cache.
class ReuseDistance {
public:
  /// With the sets and the line of \p Level and up to \p MostWays ways. Only
  /// one of 2^\p SampleShift lines goes to the stack of all lines (SHARDS,
  /// Waldspurger et al. 2015); its distances are scaled.
  ReuseDistance(const CacheLevel &Level, uint64_t Sets, unsigned MostWays,
                unsigned SampleShift = 0);

  /// \p Counts: a load, which the histograms count; what else makes sectors
  /// valid is not counted. \p Sectors: bits of 32 bytes.
  void access(uint64_t Line, uint32_t Sectors, bool Counts);

  /// By ways, with the sets that were given.
  const ReuseHistogram &bySet() const { return BySet; }
  /// By lines of a fully associative cache.
  const ReuseHistogram &full() const { return Full; }
  uint64_t sets() const { return Index.sets(); }

private:
  SetIndex Index;
  unsigned PerFill, Granules, SampleShift;
  Replacement Policy;
  std::vector<SetStack> Stacks;
  FullStack All;
  std::unordered_map<uint64_t, uint32_t> Uses; ///< for LFU
  ReuseHistogram BySet, Full;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_REUSEDISTANCE_H
