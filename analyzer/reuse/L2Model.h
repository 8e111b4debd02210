//===- L2Model.h - The way to L2, its partitions and DRAM -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_L2MODEL_H
#define WARPWISE_ANALYZER_REUSE_L2MODEL_H

#include "analyzer/reuse/RequestMerger.h"

namespace warpwise::reuse {

class L2Model {
public:
  L2Model(const CacheOptions &Options, std::vector<Traffic> &Rows,
          ReuseDistance *Profile);

  /// Where a line is looked for.
  struct LinePlace {
    uint64_t Line;
    uint32_t Set;
    uint32_t Home; ///< the partition that is nearest to the line's memory
  };
  /// Fetches what serving the request will read first,
  LinePlace prefetch(const L2Request &R);
  /// and then, when that has come, what it will read after that.
  void prefetchSlots(const L2Request &R, const LinePlace &At) const;
  /// Serves one request; all requests come in the order of time.
  /// \p At is what prefetch said of it. Returns when the answer is back at the
  /// SM, or when L2 has taken a store.
  Cycle serve(const L2Request &R, const LinePlace &At);
  /// One of \p SmStride SMs is simulated, and has its share of L2's bandwidth
  /// for stores.
  void sampleSms(unsigned SmStride) { StoreCycles *= SmStride; }

private:
  /// A store that later ones of other warps may repeat.
  struct RecentStore {
    uint32_t Key : 24; ///< of keyOf the sectors
    uint32_t Warp : 8;
    Cycle When;
  };

  LinePlace placeOf(uint64_t Line) const;
  template <typename Callable>
  void forEachPlace(const L2Request &R, const LinePlace &At,
                    Callable Use) const;
  RecentStore &storeOf(const L2Request &R);
  Cycle load(const L2Request &R, const LinePlace &At);
  Cycle store(const L2Request &R, const LinePlace &At);
  bool mergedStore(const L2Request &R);
  Cycle readLine(unsigned Side, const LinePlace &At, uint32_t Sectors,
                 const L2Request &R);
  void writeLine(unsigned Side, const LinePlace &At, uint32_t Sectors,
                 const L2Request &R);
  uint32_t slotFor(unsigned Side, const LinePlace &At, uint32_t Row);
  [[gnu::noinline]] uint32_t bringIn(SectoredCache &Side, const LinePlace &At,
                                     SectoredCache::Lookup Free, uint32_t Row);
  Cycle throughBank(unsigned Side, uint64_t Line, unsigned Sectors, Cycle When);
  Cycle throughDram(unsigned Sectors, Cycle When);

  const CacheOptions &Options;
  std::vector<Traffic> &Rows;
  ReuseDistance *Profile;
  std::vector<SectoredCache> Sides;
  std::vector<unsigned> SideOf; ///< by SM
  RequestMerger Merger;
  ZeroedArray<RecentStore> Stores; ///< the latest by hash, for each SM
  double BankCycles;               ///< of a bank for a sector
  double DramCycles;               ///< of DRAM for a sector; 0: never the limit
  double StoreCycles; ///< of L2 for a sector of a store; 0: never the limit
  std::vector<double> BankFreeAt;
  double DramFreeAt = 0, StoresUntil = 0;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_L2MODEL_H
