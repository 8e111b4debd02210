//===- BruteForceCost.h - A warp's cost counted the slow way ----*- C++ -*-===//
//
// The laws of profiler/warp/WarpCost.h once more, written down as directly as
// possible and without a line in common: every byte, word and sector is listed,
// duplicates are removed, the rest is counted. Also used by the generator-based
// test of the lane evaluator.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_WARP_BRUTEFORCECOST_H
#define WARPWISE_TEST_UNIT_WARP_BRUTEFORCECOST_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace warpwise::test {

/// One request: the lanes that take part and their addresses.
struct WarpRequest {
  std::vector<unsigned> Lanes;
  std::vector<uint64_t> Addresses; ///< as Lanes
};

inline size_t countDistinct(std::vector<uint64_t> Values) {
  std::sort(Values.begin(), Values.end());
  return size_t(std::unique(Values.begin(), Values.end()) - Values.begin());
}

/// The numbers of all pieces of \p PieceBytes bytes that the request touches,
/// once for each lane that touches them.
inline std::vector<uint64_t> touchedPieces(const WarpRequest &R, unsigned Bytes,
                                           unsigned PieceBytes) {
  std::vector<uint64_t> Pieces;
  for (uint64_t At : R.Addresses) {
    const uint64_t First = At / PieceBytes;
    const uint64_t Last = (At + Bytes - 1) / PieceBytes;
    for (uint64_t Piece = First; Piece <= Last; ++Piece)
      Pieces.push_back(Piece);
  }
  return Pieces;
}

inline unsigned countSectors(const WarpRequest &R, unsigned Bytes) {
  return unsigned(countDistinct(touchedPieces(R, Bytes, 32)));
}

inline unsigned countWords(const WarpRequest &R, unsigned Bytes) {
  return unsigned(countDistinct(touchedPieces(R, Bytes, std::min(Bytes, 8u))));
}

inline unsigned countIdealSectors(const WarpRequest &R, unsigned Bytes) {
  // Each lane's own bytes without gaps, or what sharing leaves of them.
  const unsigned Dense = unsigned((R.Addresses.size() * Bytes + 31) / 32);
  return std::min(countSectors(R, Bytes), Dense);
}

/// The most words that fall to one bank.
inline unsigned fullestBank(const std::vector<uint64_t> &Words) {
  std::map<uint64_t, unsigned> PerBank;
  unsigned Most = 0;
  for (uint64_t Word : Words)
    Most = std::max(Most, ++PerBank[Word % 32]);
  return Most;
}

/// True when no two active lanes whose numbers differ in \p Bit alone are at
/// different addresses.
inline bool partnersAgree(const WarpRequest &R, unsigned Bit) {
  std::map<unsigned, uint64_t> AddressOf;
  for (size_t N = 0; N != R.Lanes.size(); ++N)
    AddressOf[R.Lanes[N]] = R.Addresses[N];
  for (const auto &[Lane, At] : AddressOf)
    if (auto Partner = AddressOf.find(Lane ^ Bit);
        Partner != AddressOf.end() && Partner->second != At)
      return false;
  return true;
}

/// The lanes of \p R that lie in group \p Number of \p GroupLanes lanes each.
inline WarpRequest groupOf(const WarpRequest &R, unsigned Number,
                           unsigned GroupLanes) {
  WarpRequest Group;
  for (size_t N = 0; N != R.Lanes.size(); ++N)
    if (R.Lanes[N] / GroupLanes == Number) {
      Group.Lanes.push_back(R.Lanes[N]);
      Group.Addresses.push_back(R.Addresses[N]);
    }
  return Group;
}

/// Passes for lanes that are served together.
inline unsigned countPasses(const WarpRequest &R, unsigned Bytes) {
  std::vector<uint64_t> Words = touchedPieces(R, Bytes, 4);
  std::sort(Words.begin(), Words.end());
  Words.erase(std::unique(Words.begin(), Words.end()), Words.end());
  return fullestBank(Words);
}

inline unsigned lanesServedTogether(unsigned Bytes) {
  return Bytes <= 4 ? 32 : Bytes <= 8 ? 16 : 8;
}

/// Stores: each half or quarter of the warp by itself.
inline unsigned countStoreWavefronts(const WarpRequest &R, unsigned Bytes) {
  const unsigned GroupLanes = lanesServedTogether(Bytes);
  unsigned Passes = 0;
  for (unsigned Number = 0; Number != 32 / GroupLanes; ++Number)
    Passes += countPasses(groupOf(R, Number, GroupLanes), Bytes);
  return Passes;
}

/// Loads: two neighbouring halves or quarters together when partners agree.
inline unsigned countWavefronts(const WarpRequest &R, unsigned Bytes) {
  const unsigned GroupLanes = lanesServedTogether(Bytes);
  if (GroupLanes == 32)
    return countPasses(R, Bytes);
  unsigned Passes = 0;
  for (unsigned Number = 0; Number != 16 / GroupLanes; ++Number) {
    const WarpRequest Both = groupOf(R, Number, 2 * GroupLanes);
    Passes += partnersAgree(Both, 1) || partnersAgree(Both, 2)
                  ? countPasses(Both, Bytes)
                  : countStoreWavefronts(Both, Bytes);
  }
  return Passes;
}

/// The bytes of the lanes, those of a neighbour at the same address left out.
inline unsigned countIdealWavefronts(const WarpRequest &R, unsigned Bytes) {
  uint64_t Needed = 0;
  for (size_t N = 0; N != R.Lanes.size(); ++N)
    if (N == 0 || R.Lanes[N] % 2 == 0 || R.Lanes[N - 1] != R.Lanes[N] - 1 ||
        R.Addresses[N - 1] != R.Addresses[N])
      Needed += Bytes;
  return unsigned((Needed + 127) / 128);
}

inline unsigned countIdealStoreWavefronts(const WarpRequest &R,
                                          unsigned Bytes) {
  return unsigned((R.Lanes.size() * Bytes + 127) / 128);
}

/// Lanes that hit the same word take turns.
inline unsigned countAtomicWavefronts(const WarpRequest &R, unsigned Bytes) {
  return fullestBank(touchedPieces(R, Bytes, 4));
}

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_WARP_BRUTEFORCECOST_H
