//===- SetIndex.cpp - From a line to its set ------------------------------===//

#include "analyzer/reuse/SetIndex.h"

#include <algorithm>
#include <bit>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

bool isPrime(uint64_t N) {
  for (uint64_t D = 2; D * D <= N; ++D)
    if (N % D == 0)
      return false;
  return N > 1;
}

/// All bits of the line's number, folded to as many as the set has.
uint32_t folded(uint64_t Line, unsigned Bits) {
  uint64_t Set = 0;
  for (; Bits != 0 && Line != 0; Line >>= Bits)
    Set ^= Line;
  return uint32_t(Set & ((uint64_t(1) << Bits) - 1));
}

uint32_t parities(uint64_t Line, const std::vector<uint64_t> &Masks) {
  uint32_t Set = 0;
  for (size_t I = 0; I != Masks.size(); ++I)
    Set |= uint32_t(std::popcount(Line & Masks[I]) & 1) << I;
  return Set;
}

} // namespace

uint64_t reuse::setsOf(const CacheLevel &Level, uint64_t CapacityBytes) {
  if (Level.Sets != 0)
    return Level.Sets;
  return std::max<uint64_t>(1, CapacityBytes /
                                   (uint64_t(Level.LineBytes) * Level.Ways));
}

SetIndex::SetIndex(const CacheLevel &Level, uint64_t Sets)
    : Sets(Sets), Function(Level.Index), Shift(Level.IndexShift) {
  Prime = Sets;
  while (Prime > 1 && !isPrime(Prime))
    --Prime;
  if (Function != IndexFunction::Xor || !std::has_single_bit(Sets))
    return;
  const unsigned Bits = unsigned(std::countr_zero(Sets));
  const bool Given = Level.XorMasks.size() == Bits && Bits != 0;
  auto Made = std::make_shared<Table>();
  for (unsigned I = 0; I != Bytes; ++I)
    for (uint64_t Byte = 0; Byte != 256; ++Byte)
      (*Made)[I][Byte] = Given ? parities(Byte << (8 * I), Level.XorMasks)
                               : folded(Byte << (8 * I), Bits);
  Linear = std::move(Made);
}

uint32_t SetIndex::other(uint64_t Line) const {
  switch (Function) {
  case IndexFunction::Modulo:
    return uint32_t(Line % Sets);
  case IndexFunction::ShiftedModulo:
    return uint32_t((Line >> Shift) % Sets);
  case IndexFunction::Prime:
    return uint32_t(Line % Prime);
  case IndexFunction::Xor:
    break;
  }
  // Folding gives powers of two only. Here each run of as many lines as sets
  // uses every set once, from another one on.
  const uint64_t Run = Line / Sets;
  const uint64_t From = Run * 0x9E3779B97F4A7C15 >> 32;
  return uint32_t((Line + From) % Sets);
}
