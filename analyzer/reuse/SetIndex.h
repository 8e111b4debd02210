//===- SetIndex.h - From a line to its set ----------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_SETINDEX_H
#define WARPWISE_ANALYZER_REUSE_SETINDEX_H

#include "analyzer/reuse/CacheOptions.h"

#include <memory>

namespace warpwise::reuse {

/// Sets of a cache with \p CapacityBytes of data.
uint64_t setsOf(const CacheLevel &Level, uint64_t CapacityBytes);

/// Copies share their tables, as the caches of all SMs should.
class SetIndex {
public:
  SetIndex(const CacheLevel &Level, uint64_t Sets);

  uint32_t sets() const { return uint32_t(Sets); }
  uint32_t operator()(uint64_t Line) const {
    Line &= (uint64_t(1) << LineBits) - 1; // whatever the kernel computed
    if (Linear) {
      // Masks seldom have bits beyond those of the first two tables.
      const uint32_t Set = (*Linear)[0][Line % TableSize] ^
                           (*Linear)[1][(Line >> TableBits) % TableSize];
      return TablesUsed <= 2 ? Set : Set ^ ofHighBits(Line);
    }
    return other(Line);
  }

private:
  uint32_t other(uint64_t Line) const;
  uint32_t ofHighBits(uint64_t Line) const;
  uint32_t folded(uint64_t Line) const;
  uint32_t spread(uint64_t Line) const;
  /// Line / Sets.
  uint64_t runOf(uint64_t Line) const {
    return Reciprocal != 0
               ? uint64_t(__extension__(unsigned __int128)(Line) * Reciprocal >>
                          64)
               : Line / Sets;
  }

  /// Device addresses have 47 bits, line numbers of 32 bytes at most 42.
  static constexpr unsigned LineBits = 42;
  uint64_t Sets;
  uint64_t Reciprocal = 0; ///< of Sets; 0: they are too many for one
  unsigned FoldBits = 0;   ///< of the set, where all bits are folded
  IndexFunction Function;
  unsigned Shift;
  uint64_t Prime = 1; ///< largest up to Sets
  /// XOR of address bits is linear: a table for each few bits of the line's
  /// number.
  static constexpr unsigned TableBits = 10, TableSize = 1 << TableBits;
  static constexpr unsigned Tables = (LineBits + TableBits - 1) / TableBits;
  static constexpr unsigned MostLinearBits = 16; ///< of the set
  using Table = std::array<std::array<uint16_t, TableSize>, Tables>;
  unsigned TablesUsed = 0;
  std::shared_ptr<const Table> Linear;
  std::vector<uint64_t> Masks; ///< of sets of more bits
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SETINDEX_H
