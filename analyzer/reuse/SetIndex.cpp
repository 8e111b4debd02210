//===- SetIndex.cpp - From a line to its set ------------------------------===//

#include "analyzer/reuse/SetIndex.h"

#include "analyzer/reuse/Bits.h"

#include <algorithm>
#include <bit>
#include <cassert>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

bool isPrime(uint64_t N) {
  for (uint64_t D = 2; D * D <= N; ++D)
    if (N % D == 0)
      return false;
  return N > 1;
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
  assert(Sets != 0 && "a cache without sets");
  Prime = Sets;
  while (Prime > 1 && !isPrime(Prime))
    --Prime;
  // Exact for numbers below 2^43, as they and Sets together have 64 bits.
  if (Sets > 1 && Sets < uint64_t(1) << 21)
    Reciprocal = ~uint64_t(0) / Sets + 1;
  if (Function != IndexFunction::Xor || !std::has_single_bit(Sets))
    return;
  const unsigned Bits = unsigned(std::countr_zero(Sets));
  if (Level.XorMasks.size() != Bits) {
    FoldBits = Bits;
    return;
  }
  if (Bits == 0)
    return;
  if (Bits > MostLinearBits) {
    Masks = Level.XorMasks;
    return;
  }
  auto Made = std::make_shared<Table>();
  for (unsigned I = 0; I != Tables; ++I)
    for (uint64_t Part = 1; Part != TableSize; ++Part) {
      const uint64_t Lowest = Part & -Part;
      (*Made)[I][Part] =
          Part == Lowest
              ? uint16_t(parities(Part << I * TableBits, Level.XorMasks))
              : (*Made)[I][Part ^ Lowest] ^ (*Made)[I][Lowest];
    }
  uint64_t Used = 0;
  for (uint64_t Mask : Level.XorMasks)
    Used |= Mask;
  TablesUsed = std::min(
      Tables, (unsigned(std::bit_width(Used)) + TableBits - 1) / TableBits);
  Linear = std::move(Made);
}

/// What the tables from the third on say.
uint32_t SetIndex::ofHighBits(uint64_t Line) const {
  uint32_t Set = 0;
  for (unsigned I = 2; I < TablesUsed; ++I)
    Set ^= (*Linear)[I][(Line >> I * TableBits) % TableSize];
  return Set;
}

uint32_t SetIndex::folded(uint64_t Line) const {
  uint64_t Set = Line;
  for (unsigned By = FoldBits; By < LineBits; By += FoldBits)
    Set ^= Line >> By;
  return uint32_t(Set & (Sets - 1));
}

/// Folding gives powers of two only. Here each run of as many lines as sets
/// uses every set once, from another one on.
uint32_t SetIndex::spread(uint64_t Line) const {
  const uint64_t From = mixed(runOf(Line)) >> 32;
  const uint64_t Place = Line + From;
  return uint32_t(Place - runOf(Place) * Sets);
}

uint32_t SetIndex::other(uint64_t Line) const {
  if (!Masks.empty())
    return parities(Line, Masks);
  switch (Function) {
  case IndexFunction::Modulo:
    return uint32_t(Line - runOf(Line) * Sets);
  case IndexFunction::ShiftedModulo:
    return uint32_t((Line >> Shift) % Sets);
  case IndexFunction::Prime:
    return uint32_t(Line % Prime);
  case IndexFunction::Xor:
    return FoldBits != 0 ? folded(Line) : spread(Line);
  }
  return 0;
}
