//===- BruteForce.cpp - Costs counted with sets ---------------------------===//

#include "BruteForce.h"

#include <algorithm>
#include <bit>
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

/// Lanes whose bytes fill all banks once.
unsigned groupSize(unsigned Bytes) {
  return Bytes <= 4    ? 32
         : Bytes <= 8  ? 16
         : Bytes <= 16 ? 8
         : Bytes <= 32 ? 4
                       : 2;
}

/// True when each of the lanes has a neighbour (by one or by two) that is
/// inactive or wants the same data.
bool areNeighboursAlike(const warp::LaneAddresses &Addresses, uint32_t Active,
                        unsigned First, unsigned Count) {
  for (unsigned Flip : {1u, 2u}) {
    bool Alike = true;
    for (unsigned Lane = First; Lane != First + Count; ++Lane)
      if ((Active >> Lane & 1) && (Active >> (Lane ^ Flip) & 1))
        Alike &= Addresses[Lane] == Addresses[Lane ^ Flip];
    if (Alike)
      return true;
  }
  return false;
}

unsigned busiestBank(const std::map<unsigned, std::vector<uint64_t>> &Banks) {
  size_t Most = 0;
  for (const auto &[Bank, Words] : Banks)
    Most = std::max(Most, Words.size());
  return unsigned(Most);
}

/// Passes for the lanes from \p First on, when they are served together.
unsigned passes(const warp::LaneAddresses &Addresses, uint32_t Active,
                unsigned Bytes, unsigned First, unsigned Count,
                bool TakesTurns) {
  std::map<unsigned, std::vector<uint64_t>> Banks;
  std::set<uint64_t> Seen;
  for (unsigned Lane : lanesOf(Active)) {
    if (Lane < First || Lane >= First + Count)
      continue;
    const uint64_t End = (Addresses[Lane] + Bytes - 1) / 4;
    for (uint64_t Word = Addresses[Lane] / 4; Word <= End; ++Word)
      if (Seen.insert(Word).second || TakesTurns)
        Banks[Word % 32].push_back(Word);
  }
  return busiestBank(Banks);
}

unsigned allPasses(const warp::LaneAddresses &Addresses, uint32_t Active,
                   unsigned Bytes, Request What) {
  if (What == Request::TakingTurns)
    return passes(Addresses, Active, Bytes, 0, Lanes, true);
  const unsigned Size = groupSize(Bytes);
  unsigned Total = 0;
  for (unsigned First = 0; First < Lanes; First += Size) {
    // Only loads are joined, and only the halves of an aligned pair.
    if (What != Request::Store && First % (2 * Size) == 0 && Size != Lanes &&
        areNeighboursAlike(Addresses, Active, First, 2 * Size)) {
      Total += passes(Addresses, Active, Bytes, First, 2 * Size, false);
      First += Size;
      continue;
    }
    Total += passes(Addresses, Active, Bytes, First, Size, false);
  }
  return Total;
}

unsigned idealPasses(const warp::LaneAddresses &Addresses, uint32_t Active,
                     unsigned Bytes, Request What) {
  if (What == Request::Atomic || What == Request::TakingTurns)
    return 1;
  unsigned Counted = 0;
  for (unsigned Lane : lanesOf(Active)) {
    const bool Repeats = Lane % 2 == 1 && (Active >> (Lane - 1) & 1) &&
                         Addresses[Lane - 1] == Addresses[Lane];
    Counted += !(Repeats && What == Request::Load);
  }
  return roundUp(size_t(Counted) * Bytes, 128);
}

} // namespace

Costs bruteForce(const warp::LaneAddresses &Addresses, uint32_t Active,
                 unsigned Bytes, Request What) {
  std::set<uint64_t> Words, Sectors;
  for (unsigned Lane : lanesOf(Active))
    for (uint64_t At = Addresses[Lane]; At != Addresses[Lane] + Bytes; ++At) {
      Words.insert(At / std::min(Bytes, 8u));
      Sectors.insert(At / 32);
    }
  Costs C;
  C.Sectors = unsigned(Sectors.size());
  // Each lane's own bytes without gaps, or what sharing leaves of them.
  C.IdealSectors = std::min<unsigned>(
      C.Sectors, roundUp(size_t(std::popcount(Active)) * Bytes, 32));
  C.Wavefronts = allPasses(Addresses, Active, Bytes, What);
  C.IdealWavefronts = idealPasses(Addresses, Active, Bytes, What);
  C.Words = unsigned(Words.size());
  return C;
}

Costs libraryCosts(const warp::LaneAddresses &Addresses, uint32_t Active,
                   unsigned Bytes, Request What) {
  const warp::RequestLaw Law; // the same as above
  Costs C;
  C.Sectors = warp::sectors(Law, Addresses, Active, Bytes);
  C.IdealSectors = warp::idealSectors(Law, Addresses, Active, Bytes);
  C.Words = warp::distinctWords(Law, Addresses, Active, Bytes);
  switch (What) {
  case Request::Load:
    C.Wavefronts = warp::wavefronts(Law, Addresses, Active, Bytes);
    C.IdealWavefronts = warp::idealWavefronts(Law, Addresses, Active, Bytes);
    break;
  case Request::Store:
    C.Wavefronts = warp::storeWavefronts(Law, Addresses, Active, Bytes);
    C.IdealWavefronts = warp::idealStoreWavefronts(Law, Active, Bytes);
    break;
  case Request::Atomic:
    C.Wavefronts = warp::wavefronts(Law, Addresses, Active, Bytes);
    C.IdealWavefronts = 1;
    break;
  case Request::TakingTurns:
    C.Wavefronts = warp::atomicWavefronts(Law, Addresses, Active, Bytes);
    C.IdealWavefronts = 1;
    break;
  }
  return C;
}

} // namespace warpwise::oracle
