//===- BruteForceCost.h - A warp's cost counted the slow way ----*- C++ -*-===//
//
// The laws of analyzer/warp/WarpCost.h once more, written down as directly as
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
  return unsigned(countDistinct(touchedPieces(R, Bytes, 4)));
}

inline unsigned countIdealSectors(const WarpRequest &R, unsigned Bytes) {
  const bool Aligned =
      std::all_of(R.Addresses.begin(), R.Addresses.end(),
                  [&](uint64_t At) { return At % Bytes == 0; });
  // Aligned elements are the same or disjoint; others are taken byte by byte.
  const uint64_t DistinctBytes =
      Aligned ? Bytes * countDistinct(R.Addresses)
              : countDistinct(touchedPieces(R, Bytes, 1));
  return unsigned((DistinctBytes + 31) / 32);
}

inline unsigned countIdealWavefronts(const WarpRequest &R, unsigned Bytes) {
  return unsigned((countDistinct(touchedPieces(R, Bytes, 4)) + 31) / 32);
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

inline unsigned countWavefronts(const WarpRequest &R, unsigned Bytes) {
  unsigned GroupLanes = Bytes <= 4 ? 32 : Bytes <= 8 ? 16 : 8;
  if (GroupLanes != 32 && (partnersAgree(R, 1) || partnersAgree(R, 2)))
    GroupLanes *= 2;
  std::map<unsigned, WarpRequest> Groups;
  for (size_t N = 0; N != R.Lanes.size(); ++N)
    Groups[R.Lanes[N] / GroupLanes].Addresses.push_back(R.Addresses[N]);
  unsigned Passes = 0;
  for (const auto &[Number, Group] : Groups) {
    std::vector<uint64_t> Words = touchedPieces(Group, Bytes, 4);
    std::sort(Words.begin(), Words.end());
    Words.erase(std::unique(Words.begin(), Words.end()), Words.end());
    Passes += fullestBank(Words);
  }
  return Passes;
}

/// Lanes that hit the same word take turns.
inline unsigned countAtomicWavefronts(const WarpRequest &R, unsigned Bytes) {
  return fullestBank(touchedPieces(R, Bytes, 4));
}

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_WARP_BRUTEFORCECOST_H
