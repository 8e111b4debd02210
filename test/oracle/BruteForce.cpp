//===- BruteForce.cpp - Costs counted with sets ---------------------------===//

#include "BruteForce.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace warpwise::oracle {
namespace {

constexpr unsigned Lanes = 32;

std::vector<unsigned> lanesOf(uint32_t Active) {
  std::vector<unsigned> Found;
  for (unsigned Lane = 0; Lane != Lanes; ++Lane)
    if (Active >> Lane & 1)
      Found.push_back(Lane);
  return Found;
}

unsigned roundUp(size_t Amount, size_t Unit) {
  return unsigned((Amount + Unit - 1) / Unit);
}

/// Lanes that are served together. Neighbours (by one or by two) that all want
/// the same data let twice as many be served.
unsigned groupSize(const warp::LaneAddresses &Addresses, uint32_t Active,
                   unsigned Bytes) {
  if (Bytes <= 4)
    return Lanes;
  unsigned Size = Bytes <= 8 ? 16 : Bytes <= 16 ? 8 : Bytes <= 32 ? 4 : 2;
  for (unsigned Flip : {1u, 2u}) {
    bool Shared = true;
    for (unsigned Lane : lanesOf(Active))
      if (Active >> (Lane ^ Flip) & 1)
        Shared &= Addresses[Lane] == Addresses[Lane ^ Flip];
    if (Shared)
      return 2 * Size;
  }
  return Size;
}

unsigned busiestBank(const std::map<unsigned, std::vector<uint64_t>> &Banks) {
  size_t Most = 0;
  for (const auto &[Bank, Words] : Banks)
    Most = std::max(Most, Words.size());
  return unsigned(Most);
}

} // namespace

Costs bruteForce(const warp::LaneAddresses &Addresses, uint32_t Active,
                 unsigned Bytes, bool TakesTurns) {
  std::set<uint64_t> Single, Words, Sectors;
  for (unsigned Lane : lanesOf(Active))
    for (uint64_t At = Addresses[Lane]; At != Addresses[Lane] + Bytes; ++At) {
      Single.insert(At);
      Words.insert(At / 4);
      Sectors.insert(At / 32);
    }
  Costs C;
  C.Sectors = unsigned(Sectors.size());
  C.IdealSectors = roundUp(Single.size(), 32);
  C.IdealWavefronts = roundUp(Words.size() * 4, 128);
  C.Words = unsigned(Words.size());
  const unsigned Size =
      TakesTurns ? Lanes : groupSize(Addresses, Active, Bytes);
  for (unsigned First = 0; First < Lanes; First += Size) {
    std::map<unsigned, std::vector<uint64_t>> Banks;
    std::set<uint64_t> Seen;
    for (unsigned Lane : lanesOf(Active)) {
      if (Lane < First || Lane >= First + Size)
        continue;
      const uint64_t End = (Addresses[Lane] + Bytes - 1) / 4;
      for (uint64_t Word = Addresses[Lane] / 4; Word <= End; ++Word)
        if (Seen.insert(Word).second || TakesTurns)
          Banks[Word % 32].push_back(Word);
    }
    C.Wavefronts += busiestBank(Banks);
  }
  return C;
}

Costs libraryCosts(const warp::LaneAddresses &Addresses, uint32_t Active,
                   unsigned Bytes, bool TakesTurns) {
  Costs C;
  C.Sectors = warp::sectors(Addresses, Active, Bytes);
  C.IdealSectors = warp::idealSectors(Addresses, Active, Bytes);
  C.Wavefronts = TakesTurns ? warp::atomicWavefronts(Addresses, Active, Bytes)
                            : warp::wavefronts(Addresses, Active, Bytes);
  C.IdealWavefronts = warp::idealWavefronts(Addresses, Active, Bytes);
  C.Words = warp::distinctWords(Addresses, Active, Bytes);
  return C;
}

} // namespace warpwise::oracle
