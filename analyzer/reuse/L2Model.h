//===- L2Model.h - The way to L2, its partitions and DRAM -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_L2MODEL_H
#define WARPWISE_ANALYZER_REUSE_L2MODEL_H

#include "analyzer/reuse/RequestMerger.h"

namespace warpwise::reuse {

class L2Model {
public:
  L2Model(const CacheOptions &Options, std::vector<Traffic> &Rows,
          ReuseDistance *Profile);

  /// Serves one request of SM \p Sm; all requests come in the order of time.
  /// Returns when the answer is back at the SM, or when L2 has taken a store.
  Cycle serve(unsigned Sm, const L2Request &R);
  /// One of \p SmStride SMs is simulated, and has its share of L2's bandwidth
  /// for stores.
  void sampleSms(unsigned SmStride) {
    StoreBytesPerCycle = double(Options.StoreBytesPerCycle) / SmStride;
  }
  /// For launches that will use most of L2's sets.
  void populate() {
    for (SectoredCache &Side : Sides)
      Side.populate();
  }
  /// Fetches what serving the request will read.
  void prefetch(unsigned Sm, const L2Request &R) const;

private:
  /// A store that later ones of other warps may repeat.
  struct RecentStore {
    uint64_t FirstSector = 0;
    Cycle When = 0;
    uint32_t Sectors = 0;
    uint8_t Warp = 0;
  };

  Cycle load(unsigned Sm, const L2Request &R);
  Cycle store(unsigned Sm, const L2Request &R);
  bool mergedStore(unsigned Sm, const L2Request &R);
  Cycle readLine(unsigned Side, uint64_t Line, uint32_t Sectors,
                 const L2Request &R);
  void writeLine(unsigned Side, uint64_t Line, uint32_t Sectors,
                 const L2Request &R);
  uint32_t slotFor(unsigned Side, uint64_t Line, uint32_t Set, uint32_t Row);
  /// The partition that is nearest to the line's memory.
  unsigned homeOf(uint64_t Line) const;
  Cycle throughBank(unsigned Side, uint64_t Line, unsigned Sectors, Cycle When);
  Cycle throughDram(unsigned Sectors, Cycle When);

  const CacheOptions &Options;
  std::vector<Traffic> &Rows;
  ReuseDistance *Profile;
  std::vector<SectoredCache> Sides;
  std::vector<unsigned> SideOf; ///< by SM
  RequestMerger Merger;
  ZeroedArray<RecentStore> Stores; ///< the latest by hash, for each SM
  std::vector<double> BankFreeAt;
  double DramFreeAt = 0;
  double StoreBytesPerCycle, StoresUntil = 0;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_L2MODEL_H
