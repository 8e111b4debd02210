//===- SectorParts.h - Which bytes of which sectors -------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_SECTORPARTS_H
#define WARPWISE_ANALYZER_EVALUATE_SECTORPARTS_H

#include "profiler/profile/RequestLaw.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpwise::access {

/// A sector has this many parts, of a byte each where it has 32 bytes.
constexpr unsigned SectorParts = 32;

/// Sizes of sectors are powers of two, for which nobody needs a division.
inline uint64_t divide(uint64_t Number, unsigned By) {
  return std::has_single_bit(By) ? Number >> std::countr_zero(By) : Number / By;
}

/// Calls \p Visit with the number of each sector that \p Bytes from \p At on
/// touch, and the parts of it that they use, as bits. Nothing is past the end
/// of all addresses.
template <typename Function>
void visitSectors(const profile::RequestLaw &Law, uint64_t At, unsigned Bytes,
                  Function Visit) {
  const unsigned PartBytes = std::max(1u, Law.SectorBytes / SectorParts);
  const uint64_t End = At + Bytes;
  if (End < At)
    return;
  const uint64_t LastSector = divide(End - 1, Law.SectorBytes);
  for (uint64_t N = divide(At, Law.SectorBytes); N <= LastSector; ++N) {
    const uint64_t Start = N * Law.SectorBytes;
    const uint64_t First = divide(std::max(At, Start) - Start, PartBytes);
    const uint64_t Last =
        divide(std::min<uint64_t>(End - Start, Law.SectorBytes) - 1, PartBytes);
    Visit(N, (~0u >> (31 - Last)) & (~0u << First));
  }
}

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_SECTORPARTS_H
