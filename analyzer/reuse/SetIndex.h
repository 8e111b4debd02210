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
    if (!Linear)
      return other(Line);
    uint32_t Set = 0;
    for (const std::array<uint32_t, 256> &OfByte : *Linear) {
      Set ^= OfByte[Line & 0xff];
      Line >>= 8;
    }
    return Set;
  }

private:
  uint32_t other(uint64_t Line) const;

  /// Device addresses have 47 bits, line numbers of 32 bytes at most 42.
  static constexpr unsigned Bytes = 6;
  uint64_t Sets;
  IndexFunction Function;
  unsigned Shift;
  uint64_t Prime = 1; ///< largest up to Sets
  /// XOR of address bits is linear: a table for each byte of the line's number.
  using Table = std::array<std::array<uint32_t, 256>, Bytes>;
  std::shared_ptr<const Table> Linear;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SETINDEX_H
