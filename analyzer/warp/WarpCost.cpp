//===- WarpCost.cpp - What a warp's 32 addresses cost ---------------------===//
//
// The arithmetic behind every number that Warpwise prints. Checked against
// brute force (test/unit/warp) and against Nsight Compute's per-instruction
// counters on the H200.
//
//===----------------------------------------------------------------------===//

#include "analyzer/warp/WarpCost.h"

#include <algorithm>
#include <bit>

namespace warpwise::warp {
namespace {

constexpr unsigned Lanes = 32;
constexpr unsigned SectorBytes = 32;
constexpr unsigned WordBytes = 4;
constexpr unsigned Banks = 32;
/// All banks together deliver this many bytes in one pass.
constexpr unsigned PassBytes = Banks * WordBytes;

/// Distinct units of \p Unit bytes under a request, sorted. A lane of a vector
/// access covers several units; 32 lanes of 16 bytes cover 128 words at most,
/// but callers may ask for larger elements (a struct copy), hence the cap.
class UnitSet {
  static constexpr unsigned Capacity = 1024;
  std::array<uint64_t, Capacity> Units;
  unsigned Count = 0;

public:
  UnitSet(const LaneAddresses &Addresses, uint32_t Active, unsigned Bytes,
          unsigned Unit) {
    for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
      const uint64_t First = Addresses[std::countr_zero(Left)];
      const uint64_t End = (First + Bytes - 1) / Unit;
      for (uint64_t U = First / Unit; U <= End && Count != Capacity; ++U)
        if (Count == 0 || Units[Count - 1] != U) // neighbours often coincide
          Units[Count++] = U;
    }
    if (!std::is_sorted(begin(), end()))
      std::sort(Units.begin(), Units.begin() + Count);
    Count = std::unique(Units.begin(), Units.begin() + Count) - Units.begin();
  }

  const uint64_t *begin() const { return Units.data(); }
  const uint64_t *end() const { return Units.data() + Count; }
  unsigned size() const { return Count; }
};

unsigned ceilDiv(uint64_t A, uint64_t B) { return unsigned((A + B - 1) / B); }

/// Distinct bytes of a request. Lanes either hit the same element or, as the
/// hardware demands natural alignment, disjoint ones; a packed struct copy may
/// overlap, then the finer unit gives the right count.
uint64_t distinctBytes(const LaneAddresses &Addresses, uint32_t Active,
                       unsigned Bytes) {
  unsigned Unit = 1;
  while (Unit < 16 && Bytes % (2 * Unit) == 0)
    Unit *= 2;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    while (Addresses[std::countr_zero(Left)] % Unit != 0)
      Unit /= 2;
  return uint64_t(Unit) * UnitSet(Addresses, Active, Bytes, Unit).size();
}

/// Passes that one group of lanes needs: the most distinct words in one bank.
unsigned passes(const LaneAddresses &Addresses, uint32_t Active,
                unsigned Bytes) {
  std::array<uint8_t, Banks> PerBank{};
  for (uint64_t Word : UnitSet(Addresses, Active, Bytes, WordBytes))
    ++PerBank[Word % Banks];
  return *std::max_element(PerBank.begin(), PerBank.end());
}

/// True when every active lane of \p Group has a partner under \p Flip that is
/// inactive or reads the same address: then two neighbouring groups carry one
/// group's data.
bool pairsShare(const LaneAddresses &Addresses, uint32_t Active, uint32_t Group,
                unsigned Flip) {
  for (uint32_t Left = Active & Group; Left != 0; Left &= Left - 1) {
    const unsigned Lane = std::countr_zero(Left), Partner = Lane ^ Flip;
    if ((Active >> Partner & 1) && Addresses[Lane] != Addresses[Partner])
      return false;
  }
  return true;
}

/// \p Lanes lanes from lane \p First on.
uint32_t laneGroup(unsigned First, unsigned Count) {
  return Count == Lanes ? ~0u : ((1u << Count) - 1) << First;
}

/// Lanes that fill one pass with accesses of \p Bytes.
unsigned lanesOfPass(unsigned Bytes) {
  return Bytes <= WordBytes ? Lanes
                            : std::max(1u, PassBytes / std::bit_ceil(Bytes));
}

/// Passes when each group of \p GroupLanes lanes is served by itself.
unsigned passesByGroup(const LaneAddresses &Addresses, uint32_t Active,
                       unsigned Bytes, unsigned GroupLanes) {
  unsigned Total = 0;
  for (unsigned First = 0; First < Lanes; First += GroupLanes)
    if (const uint32_t Group = Active & laneGroup(First, GroupLanes))
      Total += passes(Addresses, Group, Bytes);
  return Total;
}

} // namespace

unsigned sectors(const LaneAddresses &Addresses, uint32_t Active,
                 unsigned Bytes) {
  return UnitSet(Addresses, Active, Bytes, SectorBytes).size();
}

unsigned idealSectors(const LaneAddresses &Addresses, uint32_t Active,
                      unsigned Bytes) {
  return ceilDiv(distinctBytes(Addresses, Active, Bytes), SectorBytes);
}

unsigned wavefronts(const LaneAddresses &Addresses, uint32_t Active,
                    unsigned Bytes) {
  const unsigned GroupLanes = lanesOfPass(Bytes);
  if (GroupLanes == Lanes)
    return passesByGroup(Addresses, Active, Bytes, GroupLanes);
  // Two neighbouring groups are served as one where their lanes share.
  unsigned Total = 0;
  for (unsigned First = 0; First < Lanes; First += 2 * GroupLanes) {
    const uint32_t Pair = laneGroup(First, 2 * GroupLanes);
    const bool Join = pairsShare(Addresses, Active, Pair, 1) ||
                      pairsShare(Addresses, Active, Pair, 2);
    Total += passesByGroup(Addresses, Active & Pair, Bytes,
                           Join ? 2 * GroupLanes : GroupLanes);
  }
  return Total;
}

unsigned storeWavefronts(const LaneAddresses &Addresses, uint32_t Active,
                         unsigned Bytes) {
  return passesByGroup(Addresses, Active, Bytes, lanesOfPass(Bytes));
}

unsigned atomicWavefronts(const LaneAddresses &Addresses, uint32_t Active,
                          unsigned Bytes) {
  std::array<uint8_t, Banks> PerBank{};
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const uint64_t At = Addresses[std::countr_zero(Left)];
    for (uint64_t Word = At / WordBytes; Word <= (At + Bytes - 1) / WordBytes;
         ++Word)
      ++PerBank[Word % Banks];
  }
  return *std::max_element(PerBank.begin(), PerBank.end());
}

unsigned idealWavefronts(const LaneAddresses &Addresses, uint32_t Active,
                         unsigned Bytes) {
  if (Active == 0)
    return 0;
  uint32_t Counted = Active;
  for (unsigned Lane = 0; Lane != Lanes; Lane += 2)
    if ((Active >> Lane & 3) == 3 && Addresses[Lane] == Addresses[Lane + 1])
      Counted &= ~(2u << Lane);
  return idealStoreWavefronts(Counted, Bytes);
}

unsigned idealStoreWavefronts(uint32_t Active, unsigned Bytes) {
  return ceilDiv(uint64_t(std::popcount(Active)) * Bytes, PassBytes);
}

unsigned distinctWords(const LaneAddresses &Addresses, uint32_t Active,
                       unsigned Bytes) {
  return UnitSet(Addresses, Active, Bytes, WordBytes).size();
}

} // namespace warpwise::warp
