//===- Bits.h - Small sums of the simulated caches --------------*- C++ -*-===//
//
// What the simulated caches do for each access, in a few instructions.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_BITS_H
#define WARPWISE_ANALYZER_REUSE_BITS_H

#include <bit>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace warpwise::reuse {

inline uint64_t bit(unsigned W) { return uint64_t(1) << W; }

/// How many sectors a mask has. Most lines have four, and counting bits is a
/// call on hosts that are not known to have an instruction for it.
inline unsigned sectorCount(uint32_t Sectors) {
  constexpr uint64_t BitsOfNibble = 0x4332322132212110;
  return Sectors < 16 ? BitsOfNibble >> 4 * Sectors & 15
                      : unsigned(std::popcount(Sectors));
}

/// Which of 16 bytes from \p First on are \p Byte, a bit each.
inline uint32_t equalBytes(const uint8_t *First, uint8_t Byte) {
#ifdef __SSE2__
  const __m128i All = _mm_loadu_si128(reinterpret_cast<const __m128i *>(First));
  return uint32_t(
      _mm_movemask_epi8(_mm_cmpeq_epi8(All, _mm_set1_epi8(char(Byte)))));
#else
  uint32_t Equal = 0;
  for (unsigned I = 0; I != 16; ++I)
    Equal |= uint32_t(First[I] == Byte) << I;
  return Equal;
#endif
}

/// Which of \p Count equal parts of the range of numbers \p Hash is in.
inline uint32_t partOf(uint32_t Hash, uint32_t Count) {
  return uint32_t(uint64_t(Hash) * Count >> 32);
}

/// Spreads numbers in a row over all 64 bits, of which the high ones are the
/// better (Knuth's multiplicative hashing; 2^64 divided by the golden ratio).
/// What hashes more thoroughly takes longer than a simulated access.
inline uint64_t mixed(uint64_t Number) { return Number * 0x9E3779B97F4A7C15; }

inline uint32_t hashOf(uint64_t Value) {
  Value = mixed(Value);
  return uint32_t(Value >> 32 ^ Value >> 47);
}

/// Says which sectors of which line are meant, but for one of 2^32 others that
/// are looked up at the same place.
inline uint32_t keyOf(uint64_t FirstSector, uint32_t Sectors = 0) {
  const uint64_t Value =
      (FirstSector ^ uint64_t(Sectors) << 44) * 0xD6E8FEB86659FD93;
  return uint32_t(Value >> 32 ^ Value);
}

/// The next of the random numbers that follow \p State; its high bits are the
/// better ones.
inline uint64_t nextRandom(uint64_t &State) {
  return State = State * 6364136223846793005 + 1442695040888963407;
}

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_BITS_H
