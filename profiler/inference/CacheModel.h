//===- CacheModel.h - A cache as a table of tags ----------------*- C++ -*-===//
//
// A set-associative, sectored cache with the oddities that GPUs were seen to
// have: hashed or unequal sets (Mei et al. 2014, Fig. 10: a TLB of one set of
// 17 and six of 8), ways that are replaced with different probability (their
// Fermi L1), lines filled sector by sector. The profiler's predictions are made
// with it, and the simulated probes are built from it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_CACHEMODEL_H
#define WARPWISE_PROFILER_INFERENCE_CACHEMODEL_H

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::inference {

enum class Replacement {
  Lru,
  Fifo,
  Random,     ///< all ways alike
  TreePlru,   ///< ways must be a power of two
  NotMru,     ///< random among all but the most recently used way
  WeightedWay ///< random with the probabilities WayWeights
};
/// "LRU", "FIFO", "random", "tree-PLRU", "not-MRU", "weighted ways".
std::string_view replacementName(Replacement R);

struct CacheShape {
  uint64_t LineBytes = 128;
  uint64_t SectorBytes = 32; ///< filled by one miss; at most LineBytes
  /// Lines of each set; sets may differ in size.
  std::vector<unsigned> Ways;
  /// Which set a line falls into: bit i of the set's number is the parity of
  /// (line number & XorMasks[i]). Empty: line number modulo sets.
  std::vector<uint64_t> XorMasks;
  Replacement Policy = Replacement::Lru;
  std::vector<double> WayWeights; ///< for WeightedWay, as long as the ways

  uint64_t capacity() const;
  unsigned setOf(uint64_t LineNumber) const;
  /// All sets alike, indexed modulo.
  static CacheShape uniform(uint64_t LineBytes, unsigned Sets, unsigned Ways,
                            Replacement Policy = Replacement::Lru);
};

/// The state of one such cache.
class Cache {
public:
  explicit Cache(CacheShape Shape, uint64_t Seed = 1);

  enum class Outcome { Hit, SectorMiss, LineMiss };
  /// Loads the word at byte \p Address; on a miss its sector is filled.
  Outcome load(uint64_t Address);
  void clear();
  const CacheShape &shape() const { return Shape; }

private:
  struct Line {
    uint64_t Tag = 0;
    uint64_t Sectors = 0; ///< valid bits
    uint64_t Stamp = 0;   ///< of the last use, or of the fill for FIFO
    bool Valid = false;
  };
  unsigned victim(unsigned Set);

  CacheShape Shape;
  std::vector<std::vector<Line>> Sets;
  std::vector<uint64_t> PlruBits;
  std::vector<unsigned> MostRecent;
  uint64_t Clock = 0;
  std::mt19937_64 Random;
};

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_CACHEMODEL_H
