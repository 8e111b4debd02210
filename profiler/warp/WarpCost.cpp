//===- WarpCost.cpp - What a warp's 32 addresses cost ---------------------===//
//
// The arithmetic behind every number that Warpwise prints. Checked against
// brute force (test/unit/warp) and against Nsight Compute's per-instruction
// counters on the H200.
//
//===----------------------------------------------------------------------===//

#include "profiler/warp/WarpCost.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace warpwise::warp {
namespace {

constexpr unsigned Lanes = RequestLaw::Lanes;

/// Distinct units of \p Unit bytes under a request, sorted. A lane of a vector
/// access covers several units; 32 lanes of 16 bytes cover 128 words at most,
/// but callers may ask for larger elements (a struct copy), hence the cap.
class UnitSet {
  static constexpr unsigned Capacity = 1024;
  static constexpr uint64_t Near = 1024;
  std::array<uint64_t, Capacity> Units;
  unsigned Count = 0;

  void removeDuplicates() {
    if (!std::is_sorted(begin(), end())) {
      const auto [Low, High] = std::minmax_element(begin(), end());
      if (*High - *Low < Near)
        return sortNear(*Low);
      std::sort(Units.begin(), Units.begin() + Count);
    }
    Count = std::unique(Units.begin(), Units.begin() + Count) - Units.begin();
  }

  /// Units within Near of \p Low: a few rows of a matrix, say. Takes less time
  /// than sorting does, and leaves each of them once.
  void sortNear(uint64_t Low) {
    std::array<uint64_t, Near / 64> Bits{};
    for (unsigned N = 0; N != Count; ++N)
      Bits[(Units[N] - Low) / 64] |= uint64_t(1) << ((Units[N] - Low) % 64);
    Count = 0;
    for (unsigned N = 0; N != Bits.size(); ++N)
      for (uint64_t Left = Bits[N]; Left != 0; Left &= Left - 1)
        Units[Count++] = Low + N * uint64_t(64) + std::countr_zero(Left);
  }

public:
  /// \p Unit is a power of two.
  UnitSet(const LaneAddresses &Addresses, uint32_t Active, unsigned Bytes,
          unsigned Unit) {
    const int Shift = std::countr_zero(Unit);
    bool IsAscending = true;
    for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
      const uint64_t First = Addresses[std::countr_zero(Left)];
      const uint64_t End = (First + Bytes - 1) >> Shift;
      for (uint64_t U = First >> Shift; U <= End && Count != Capacity; ++U) {
        if (Count != 0 && Units[Count - 1] == U) // neighbours often coincide
          continue;
        IsAscending &= Count == 0 || Units[Count - 1] < U;
        Units[Count++] = U;
      }
    }
    if (!IsAscending)
      removeDuplicates();
  }

  /// Numbers the words anew so that those that their bank delivers together
  /// have one number; modulo the banks they stay what they are.
  void joinRows(const RequestLaw &Law) {
    for (unsigned N = 0; N != Count; ++N)
      Units[N] =
          Units[N] / (uint64_t(Law.Banks) * Law.RowsPerPass) * Law.Banks +
          Units[N] % Law.Banks;
    removeDuplicates();
  }

  const uint64_t *begin() const { return Units.data(); }
  const uint64_t *end() const { return Units.data() + Count; }
  unsigned size() const { return Count; }
};

unsigned ceilDiv(uint64_t A, uint64_t B) { return unsigned((A + B - 1) / B); }

/// Counts words by bank.
class BankCounts {
  std::array<uint16_t, RequestLaw::MostBanks> Counts{};
  const unsigned Mask;
  unsigned Most = 0;

public:
  explicit BankCounts(const RequestLaw &Law) : Mask(Law.Banks - 1) {}

  void add(uint64_t Word) {
    Most = std::max<unsigned>(Most, ++Counts[Word & Mask]);
  }
  unsigned most() const { return Most; }
};

/// Passes that one group of lanes needs: the most distinct words in one bank.
unsigned passes(const RequestLaw &Law, const LaneAddresses &Addresses,
                uint32_t Active, unsigned Bytes) {
  UnitSet Words(Addresses, Active, Bytes, Law.BankBytes);
  if (Law.RowsPerPass != 1)
    Words.joinRows(Law);
  BankCounts PerBank(Law);
  for (uint64_t Word : Words)
    PerBank.add(Word);
  return PerBank.most();
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

/// Groups of \p GroupLanes lanes with an active one.
unsigned activeGroups(uint32_t Active, unsigned GroupLanes) {
  unsigned Count = 0;
  for (unsigned First = 0; First < Lanes; First += GroupLanes)
    Count += (Active & laneGroup(First, GroupLanes)) != 0;
  return Count;
}

/// Two neighbouring groups of lanes that a load may be served as one.
struct GroupPair {
  uint32_t Active = 0;
  bool Joins = false;
};

/// Calls \p Visit for each pair of groups of \p GroupLanes lanes.
template <typename Visitor>
void forEachPair(const LaneAddresses &Addresses, uint32_t Active,
                 unsigned GroupLanes, Visitor Visit) {
  for (unsigned First = 0; First < Lanes; First += 2 * GroupLanes) {
    const uint32_t Pair = laneGroup(First, 2 * GroupLanes);
    Visit(GroupPair{Active & Pair, pairsShare(Addresses, Active, Pair, 1) ||
                                       pairsShare(Addresses, Active, Pair, 2)});
  }
}

/// Passes when each group of \p GroupLanes lanes is served by itself.
unsigned passesByGroup(const RequestLaw &Law, const LaneAddresses &Addresses,
                       uint32_t Active, unsigned Bytes, unsigned GroupLanes) {
  unsigned Total = 0;
  for (unsigned First = 0; First < Lanes; First += GroupLanes)
    if (const uint32_t Group = Active & laneGroup(First, GroupLanes))
      Total += passes(Law, Addresses, Group, Bytes);
  return Total;
}

} // namespace

unsigned sectors(const RequestLaw &Law, const LaneAddresses &Addresses,
                 uint32_t Active, unsigned Bytes) {
  return UnitSet(Addresses, Active, Bytes, Law.SectorBytes).size();
}

unsigned lines(const RequestLaw &Law, const LaneAddresses &Addresses,
               uint32_t Active, unsigned Bytes) {
  return UnitSet(Addresses, Active, Bytes, Law.LineBytes).size();
}

unsigned idealSectors(const RequestLaw &Law, const LaneAddresses &Addresses,
                      uint32_t Active, unsigned Bytes) {
  return std::min<unsigned>(
      sectors(Law, Addresses, Active, Bytes),
      ceilDiv(uint64_t(std::popcount(Active)) * Bytes, Law.SectorBytes));
}

unsigned wavefronts(const RequestLaw &Law, const LaneAddresses &Addresses,
                    uint32_t Active, unsigned Bytes) {
  const unsigned GroupLanes = Law.lanesOfPass(Bytes);
  if (GroupLanes == Lanes)
    return passesByGroup(Law, Addresses, Active, Bytes, GroupLanes);
  // Two neighbouring groups are served as one where their lanes share.
  unsigned Total = 0;
  forEachPair(Addresses, Active, GroupLanes, [&](GroupPair Pair) {
    Total += passesByGroup(Law, Addresses, Pair.Active, Bytes,
                           Pair.Joins ? 2 * GroupLanes : GroupLanes);
  });
  return Total;
}

unsigned storeWavefronts(const RequestLaw &Law, const LaneAddresses &Addresses,
                         uint32_t Active, unsigned Bytes) {
  return passesByGroup(Law, Addresses, Active, Bytes, Law.lanesOfPass(Bytes));
}

unsigned atomicWavefronts(const RequestLaw &Law, const LaneAddresses &Addresses,
                          uint32_t Active, unsigned Bytes) {
  BankCounts PerBank(Law);
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const uint64_t At = Addresses[std::countr_zero(Left)];
    const uint64_t Last = (At + Bytes - 1) / Law.BankBytes;
    for (uint64_t Word = At / Law.BankBytes; Word <= Last; ++Word)
      PerBank.add(Word);
  }
  return PerBank.most();
}

SwapLoop swapLoop(const RequestLaw &Law, const LaneAddresses &Addresses,
                  uint32_t Active, unsigned Bytes) {
  constexpr unsigned PassesOfTry = 2; // what is expected goes along
  const unsigned GroupLanes = Law.lanesOfPass(Bytes);
  // Of a shorter one the whole word of a bank is swapped.
  const uint64_t WordBytes = std::max(Bytes, Law.BankBytes);
  const uint64_t WordsOfRow =
      std::max<uint64_t>(1, Law.passBytes() / WordBytes);
  SwapLoop Loop;
  while (Active != 0) {
    ++Loop.Rounds;
    uint32_t Served = 0;
    std::vector<uint64_t> Words;
    for (unsigned First = 0; First < Lanes; First += GroupLanes) {
      uint32_t Group = Active;
      if (GroupLanes < Lanes)
        Group &= ((1u << GroupLanes) - 1) << First;
      if (Group == 0)
        continue;
      Loop.Wavefronts += PassesOfTry;
      std::vector<uint64_t> Banks;
      for (; Group != 0; Group &= Group - 1) {
        const unsigned L = unsigned(std::countr_zero(Group));
        const uint64_t Word = Addresses[L] / WordBytes;
        if (std::ranges::count(Words, Word) ||
            std::ranges::count(Banks, Word % WordsOfRow))
          continue;
        Words.push_back(Word);
        Banks.push_back(Word % WordsOfRow);
        Served |= 1u << L;
      }
    }
    Loop.IdealWavefronts +=
        PassesOfTry *
        ceilDiv(uint64_t(std::popcount(Active)) * Bytes, Law.passBytes());
    Active &= ~Served;
  }
  return Loop;
}

unsigned idealWavefronts(const RequestLaw &Law, const LaneAddresses &Addresses,
                         uint32_t Active, unsigned Bytes) {
  if (Active == 0)
    return 0;
  uint32_t Counted = Active;
  for (unsigned Lane = 0; Lane != Lanes; Lane += 2)
    if ((Active >> Lane & 3) == 3 && Addresses[Lane] == Addresses[Lane + 1])
      Counted &= ~(2u << Lane);
  return idealStoreWavefronts(Law, Counted, Bytes);
}

unsigned idealStoreWavefronts(const RequestLaw &Law, uint32_t Active,
                              unsigned Bytes) {
  return ceilDiv(uint64_t(std::popcount(Active)) * Bytes, Law.passBytes());
}

unsigned conflictFreeWavefronts(const RequestLaw &Law,
                                const LaneAddresses &Addresses, uint32_t Active,
                                unsigned Bytes) {
  const unsigned GroupLanes = Law.lanesOfPass(Bytes);
  if (GroupLanes == Lanes)
    return activeGroups(Active, GroupLanes);
  unsigned Total = 0;
  forEachPair(Addresses, Active, GroupLanes, [&](GroupPair Pair) {
    Total +=
        activeGroups(Pair.Active, Pair.Joins ? 2 * GroupLanes : GroupLanes);
  });
  return Total;
}

unsigned conflictFreeStoreWavefronts(const RequestLaw &Law, uint32_t Active,
                                     unsigned Bytes) {
  return activeGroups(Active, Law.lanesOfPass(Bytes));
}

unsigned distinctWords(const RequestLaw &Law, const LaneAddresses &Addresses,
                       uint32_t Active, unsigned Bytes) {
  return UnitSet(Addresses, Active, Bytes, Law.constantBytes(Bytes)).size();
}

} // namespace warpwise::warp
