//===- WarpCostTest.cpp - Sectors, wavefronts and words -------------------===//
//
// Facts about the hardware by name, and random requests of every width against
// a brute-force count.
//
//===----------------------------------------------------------------------===//

#include "profiler/warp/WarpCost.h"
#include "test/unit/warp/BruteForceCost.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

using namespace warpwise::warp;
using namespace warpwise::test;

namespace {

constexpr uint32_t WholeWarp = ~0u;
/// Of every GPU since Maxwell.
constexpr RequestLaw Law;

template <typename Fn> LaneAddresses addresses(Fn AddressOf) {
  LaneAddresses A{};
  for (unsigned L = 0; L != 32; ++L)
    A[L] = AddressOf(L);
  return A;
}

LaneAddresses strided(uint64_t Stride, uint64_t First = 0x1000) {
  return addresses([&](unsigned L) { return First + L * Stride; });
}

WarpRequest requestOf(const LaneAddresses &A, uint32_t Active) {
  WarpRequest R;
  for (unsigned L = 0; L != 32; ++L)
    if (Active >> L & 1) {
      R.Lanes.push_back(L);
      R.Addresses.push_back(A[L]);
    }
  return R;
}

//===----------------------------------------------------------------------===//
// Sectors
//===----------------------------------------------------------------------===//

TEST(SectorsTest, NeighboursShareSectors) {
  EXPECT_EQ(sectors(Law, strided(1), WholeWarp, 1), 1u);
  EXPECT_EQ(sectors(Law, strided(2), WholeWarp, 2), 2u);
  EXPECT_EQ(sectors(Law, strided(4), WholeWarp, 4), 4u);
  EXPECT_EQ(sectors(Law, strided(8), WholeWarp, 8), 8u);
  EXPECT_EQ(sectors(Law, strided(16), WholeWarp, 16), 16u);
}

TEST(SectorsTest, AStrideOfASectorTakesOnePerLane) {
  EXPECT_EQ(sectors(Law, strided(32), WholeWarp, 4), 32u);
  EXPECT_EQ(sectors(Law, strided(4096), WholeWarp, 4), 32u);
  EXPECT_EQ(idealSectors(Law, strided(32), WholeWarp, 4), 4u);
}

TEST(SectorsTest, ABroadcastIsOneSector) {
  EXPECT_EQ(sectors(Law, strided(0), WholeWarp, 4), 1u);
  EXPECT_EQ(idealSectors(Law, strided(0), WholeWarp, 4), 1u);
}

TEST(SectorsTest, AMisalignedRowNeedsOneMore) {
  EXPECT_EQ(sectors(Law, strided(4, 0x1004), WholeWarp, 4), 5u);
  EXPECT_EQ(idealSectors(Law, strided(4, 0x1004), WholeWarp, 4), 4u);
}

TEST(SectorsTest, AnElementAcrossASectorBoundaryTouchesTwo) {
  EXPECT_EQ(sectors(Law, strided(0, 0x101c), 1, 8), 2u);
  EXPECT_EQ(idealSectors(Law, strided(0, 0x101c), 1, 8), 1u);
}

TEST(SectorsTest, OnlyActiveLanesCount) {
  EXPECT_EQ(sectors(Law, strided(4), 0x000000ff, 4), 1u);
  EXPECT_EQ(sectors(Law, strided(4), 0x80000001, 4), 2u);
  EXPECT_EQ(idealSectors(Law, strided(4), 0x80000001, 4), 1u);
  EXPECT_EQ(sectors(Law, strided(4), 0, 4), 0u);
}

//===----------------------------------------------------------------------===//
// Wavefronts
//===----------------------------------------------------------------------===//

TEST(WavefrontsTest, StridesInWords) {
  EXPECT_EQ(wavefronts(Law, strided(4), WholeWarp, 4), 1u);
  EXPECT_EQ(wavefronts(Law, strided(8), WholeWarp, 4), 2u);
  EXPECT_EQ(wavefronts(Law, strided(16), WholeWarp, 4), 4u);
  EXPECT_EQ(wavefronts(Law, strided(32 * 4), WholeWarp, 4), 32u);
}

TEST(WavefrontsTest, OddStridesAndPaddingAvoidConflicts) {
  EXPECT_EQ(wavefronts(Law, strided(3 * 4), WholeWarp, 4), 1u);
  EXPECT_EQ(wavefronts(Law, strided(33 * 4), WholeWarp, 4), 1u);
}

TEST(WavefrontsTest, LanesOfOneWordShareAPass) {
  EXPECT_EQ(wavefronts(Law, strided(0), WholeWarp, 4), 1u);
  EXPECT_EQ(wavefronts(Law, strided(1), WholeWarp, 1), 1u);
  EXPECT_EQ(wavefronts(Law, strided(2), WholeWarp, 2), 1u);
  // Two words of the same bank, each read by half of the lanes.
  EXPECT_EQ(wavefronts(Law, addresses([](unsigned L) { return L % 2 * 128; }),
                       WholeWarp, 4),
            2u);
}

TEST(WavefrontsTest, EightBytesGoByHalfWarps) {
  EXPECT_EQ(wavefronts(Law, strided(8), WholeWarp, 8), 2u);
  EXPECT_EQ(idealWavefronts(Law, strided(8), WholeWarp, 8), 2u);
  EXPECT_EQ(wavefronts(Law, strided(8), 0x0000ffff, 8), 1u);
  EXPECT_EQ(wavefronts(Law, strided(16), WholeWarp, 8), 4u);
}

TEST(WavefrontsTest, SixteenBytesGoByQuarterWarps) {
  EXPECT_EQ(wavefronts(Law, strided(16), WholeWarp, 16), 4u);
  EXPECT_EQ(wavefronts(Law, strided(16), 0x000000ff, 16), 1u);
  EXPECT_EQ(wavefronts(Law, strided(32), WholeWarp, 16), 8u);
}

TEST(WavefrontsTest, GroupsMergeWhenNeighboursReadTheSame) {
  auto pairs = [](unsigned L) { return uint64_t(L / 2 * 8); };
  EXPECT_EQ(wavefronts(Law, addresses(pairs), WholeWarp, 8), 1u);
  auto everyOther = [](unsigned L) {
    return uint64_t((L / 4 * 2 + L % 2) * 8);
  };
  EXPECT_EQ(wavefronts(Law, addresses(everyOther), WholeWarp, 8), 1u);
  auto quads = [](unsigned L) { return uint64_t(L / 2 * 16); };
  EXPECT_EQ(wavefronts(Law, addresses(quads), WholeWarp, 16), 2u);
  // All lanes at one address: still one pass for each merged group.
  EXPECT_EQ(wavefronts(Law, strided(0), WholeWarp, 16), 2u);
}

TEST(WavefrontsTest, AnInactivePartnerDoesNotKeepGroupsApart) {
  EXPECT_EQ(wavefronts(Law, strided(4), 0x55555555, 8), 1u);
  EXPECT_EQ(wavefronts(Law, strided(8), 0x55555555, 8), 2u);
}

TEST(WavefrontsTest, EachHalfWarpJoinsItsQuartersByItself) {
  // The first half warp reads in pairs, the second does not.
  EXPECT_EQ(wavefronts(Law, addresses([](unsigned L) {
                         return uint64_t((L < 16 ? L / 2 : L) * 16);
                       }),
                       WholeWarp, 16),
            3u);
}

TEST(WavefrontsTest, StoresNeverJoin) {
  EXPECT_EQ(storeWavefronts(Law, strided(0), WholeWarp, 4), 1u);
  EXPECT_EQ(storeWavefronts(Law, strided(0), WholeWarp, 8), 2u);
  EXPECT_EQ(storeWavefronts(Law, strided(0), WholeWarp, 16), 4u);
  EXPECT_EQ(idealStoreWavefronts(Law, WholeWarp, 16), 4u);
  EXPECT_EQ(idealStoreWavefronts(Law, 0x000000ff, 16), 1u);
}

TEST(WavefrontsTest, LanesOfTwoQuartersNeedTwoPasses) {
  EXPECT_EQ(idealStoreWavefronts(Law, 0x000f000f, 16), 1u);
  EXPECT_EQ(conflictFreeStoreWavefronts(Law, 0x000f000f, 16), 2u);
  EXPECT_EQ(conflictFreeStoreWavefronts(Law, 0x000f000f, 4), 1u);
  EXPECT_EQ(conflictFreeStoreWavefronts(Law, WholeWarp, 16), 4u);
  EXPECT_EQ(conflictFreeWavefronts(Law, strided(16), 0x000f000f, 16), 2u);
  EXPECT_EQ(conflictFreeWavefronts(Law, strided(16), WholeWarp, 16), 4u);
  EXPECT_EQ(conflictFreeWavefronts(Law, strided(128), WholeWarp, 4), 1u);
  // Where the neighbours of active lanes are not, two quarters join.
  EXPECT_EQ(conflictFreeWavefronts(Law, strided(16), 0x00000505, 16), 1u);
}

TEST(WavefrontsTest, TheIdealCountsTwoNeighboursAtOneAddressOnce) {
  EXPECT_EQ(idealWavefronts(Law, strided(0), WholeWarp, 16), 2u);
  EXPECT_EQ(idealWavefronts(Law, strided(0), WholeWarp, 4), 1u);
  EXPECT_EQ(idealWavefronts(Law, strided(16), WholeWarp, 16), 4u);
}

TEST(WavefrontsTest, NoLanesNoPasses) {
  EXPECT_EQ(wavefronts(Law, strided(4), 0, 4), 0u);
  EXPECT_EQ(idealWavefronts(Law, strided(4), 0, 4), 0u);
  EXPECT_EQ(atomicWavefronts(Law, strided(4), 0, 4), 0u);
}

TEST(WavefrontsTest, AtomicsAtOneAddressTakeTurns) {
  EXPECT_EQ(atomicWavefronts(Law, strided(0), WholeWarp, 4), 32u);
  EXPECT_EQ(atomicWavefronts(Law, strided(4), WholeWarp, 4), 1u);
  EXPECT_EQ(atomicWavefronts(Law, strided(0), 0x00000101, 4), 2u);
  EXPECT_EQ(atomicWavefronts(Law, strided(8), WholeWarp, 8), 2u);
}

TEST(WordsTest, EachDistinctWordIsServedAlone) {
  EXPECT_EQ(distinctWords(Law, strided(0), WholeWarp, 4), 1u);
  EXPECT_EQ(distinctWords(Law, strided(4), WholeWarp, 4), 32u);
  // Measured on an H200: bytes of one word are served one after the other, and
  // eight bytes at a time.
  EXPECT_EQ(distinctWords(Law, strided(1), WholeWarp, 1), 32u);
  EXPECT_EQ(distinctWords(Law, strided(2), WholeWarp, 2), 32u);
  EXPECT_EQ(distinctWords(Law, strided(8), WholeWarp, 8), 32u);
  EXPECT_EQ(distinctWords(Law, strided(0, 0x1002), WholeWarp, 4), 2u);
}

//===----------------------------------------------------------------------===//
// Other devices
//===----------------------------------------------------------------------===//

/// CUDA C Programming Guide, compute capability 3.x, 32-bit mode.
constexpr RequestLaw OfKepler{.RowsPerPass = 2};

TEST(KeplerTest, WordsOfOneSegmentDoNotConflict) {
  // Words i and i + 32 of an aligned segment of 64 come out of a bank together.
  EXPECT_EQ(wavefronts(OfKepler, strided(4), WholeWarp, 4), 1u);
  EXPECT_EQ(wavefronts(OfKepler, strided(8), WholeWarp, 4), 1u);
  EXPECT_EQ(wavefronts(OfKepler, strided(16), WholeWarp, 4), 2u);
  EXPECT_EQ(wavefronts(OfKepler, strided(128), WholeWarp, 4), 16u);
  EXPECT_EQ(wavefronts(OfKepler, strided(256), WholeWarp, 4), 32u);
  // The segment has to be aligned: words 32 and 64 are of two segments.
  EXPECT_EQ(wavefronts(OfKepler, strided(128, 128), 3, 4), 2u);
  EXPECT_EQ(wavefronts(OfKepler, strided(128, 256), 3, 4), 1u);
}

TEST(KeplerTest, EightBytesGoByTheWholeWarp) {
  EXPECT_EQ(wavefronts(OfKepler, strided(8), WholeWarp, 8), 1u);
  EXPECT_EQ(storeWavefronts(OfKepler, strided(8), WholeWarp, 8), 1u);
  EXPECT_EQ(idealWavefronts(OfKepler, strided(8), WholeWarp, 8), 1u);
  EXPECT_EQ(storeWavefronts(OfKepler, strided(16), WholeWarp, 16), 2u);
  EXPECT_EQ(idealStoreWavefronts(OfKepler, WholeWarp, 16), 2u);
}

/// Rounds, passes and ideal passes of all rounds.
std::array<unsigned, 3> loop(const LaneAddresses &A, uint32_t Active,
                             unsigned Bytes) {
  const SwapLoop L = swapLoop(Law, A, Active, Bytes);
  return {L.Rounds, L.Wavefronts, L.IdealWavefronts};
}

/// ATOMS.CAST.SPIN on an H200: executions, and what they add up to.
TEST(SwapLoopTest, AsMeasured) {
  using Measured = std::array<unsigned, 3>;
  EXPECT_EQ(loop(strided(0), WholeWarp, 4), (Measured{32, 64, 64}));
  EXPECT_EQ(loop(strided(8), WholeWarp, 4), (Measured{2, 4, 4}));
  EXPECT_EQ(loop(strided(128), WholeWarp, 4), (Measured{32, 64, 64}));
  EXPECT_EQ(loop(strided(64), 0xffff, 4), (Measured{8, 16, 16}));
  EXPECT_EQ(loop(strided(4), 1, 4), (Measured{1, 2, 2}));
  EXPECT_EQ(loop(strided(0), WholeWarp, 8), (Measured{32, 96, 96}));
  EXPECT_EQ(loop(strided(0), 0x00ff00ff, 8), (Measured{16, 48, 32}));
  EXPECT_EQ(loop(strided(8), WholeWarp, 8), (Measured{1, 4, 4}));
  EXPECT_EQ(loop(strided(16), WholeWarp, 8), (Measured{2, 8, 6}));
  EXPECT_EQ(loop(strided(256), WholeWarp, 8), (Measured{16, 64, 48}));
  EXPECT_EQ(loop(strided(8), 0, 8), (Measured{0, 0, 0}));
  const auto half = addresses([](unsigned L) { return L % 16 * 8; });
  EXPECT_EQ(loop(half, WholeWarp, 8), (Measured{2, 6, 6}));
  const auto eight = addresses([](unsigned L) { return L < 8 ? 0 : L * 8; });
  EXPECT_EQ(loop(eight, WholeWarp, 8), (Measured{8, 18, 18}));
}

/// Of two halves that share a word of a bank one succeeds at a time.
TEST(SwapLoopTest, HalvesShareAWord) {
  EXPECT_EQ(swapLoop(Law, strided(2), WholeWarp, 2).Rounds, 2u);
  EXPECT_EQ(swapLoop(Law, strided(4), WholeWarp, 2).Rounds, 1u);
}

TEST(KeplerTest, AtomicsTakeEachWordByItself) {
  EXPECT_EQ(atomicWavefronts(OfKepler, strided(0), WholeWarp, 4), 32u);
  EXPECT_EQ(atomicWavefronts(OfKepler, strided(8), WholeWarp, 4), 2u);
}

TEST(OtherLaws, SizesAreThoseOfTheLaw) {
  const RequestLaw Wide{.SectorBytes = 64, .Banks = 16, .BankBytes = 8};
  EXPECT_EQ(sectors(Wide, strided(4), WholeWarp, 4), 2u);
  EXPECT_EQ(sectors(Wide, strided(32), WholeWarp, 4), 16u);
  EXPECT_EQ(idealSectors(Wide, strided(64), WholeWarp, 4), 2u);
  // Two words of four bytes share a bank's word, and 16 words are a row.
  EXPECT_EQ(wavefronts(Wide, strided(4), WholeWarp, 4), 1u);
  EXPECT_EQ(wavefronts(Wide, strided(8), WholeWarp, 4), 2u);
  EXPECT_EQ(wavefronts(Wide, strided(8), WholeWarp, 8), 2u);
  EXPECT_EQ(wavefronts(Wide, strided(128), WholeWarp, 4), 32u);
}

//===----------------------------------------------------------------------===//
// Against brute force
//===----------------------------------------------------------------------===//

/// Addresses as kernels make them: strides, broadcasts, few rows, permutations,
/// and pure chance, within a few kilobytes so that lanes meet.
LaneAddresses drawAddresses(std::mt19937_64 &Random, unsigned Unit) {
  const uint64_t First = 0x40000 + Random() % 64 * Unit;
  const uint64_t Stride = Random() % 40, Row = Random() % 200;
  const unsigned Width = 1u << Random() % 6, Flip = Random() % 32;
  switch (Random() % 6) {
  case 0:
    return addresses([&](unsigned L) { return First + L * Stride * Unit; });
  case 1:
    return addresses([&](unsigned L) {
      return First + (L % Width * Stride + L / Width * Row) * Unit;
    });
  case 2:
    return addresses([&](unsigned L) { return First + (L ^ Flip) * Unit; });
  case 3:
    return addresses(
        [&](unsigned L) { return First + L / Width * Stride * Unit; });
  case 4:
    return addresses([&](unsigned) { return First + Random() % 64 * Unit; });
  default:
    return addresses([&](unsigned) { return First + Random() % 4096 * Unit; });
  }
}

std::string describe(const LaneAddresses &A, uint32_t Active, unsigned Bytes) {
  std::ostringstream Text;
  Text << Bytes << " bytes at" << std::hex;
  for (unsigned L = 0; L != 32; ++L)
    if (Active >> L & 1)
      Text << ' ' << std::dec << L << ":0x" << std::hex << A[L];
  return Text.str();
}

TEST(WarpCostTest, AgreesWithBruteForceOnRandomRequests) {
  std::mt19937_64 Random(20240611);
  unsigned Checked = 0;
  for (unsigned Bytes : {1u, 2u, 4u, 8u, 16u})
    for (unsigned N = 0; N != 40000; ++N) {
      // One in four requests ignores the alignment that hardware asks for.
      const unsigned Unit = N % 4 == 3 ? 1 : Bytes;
      const LaneAddresses A = drawAddresses(Random, Unit);
      const uint32_t Active = N % 3 == 0   ? WholeWarp
                              : N % 3 == 1 ? uint32_t(Random())
                                           : (1u << Random() % 32) - 1;
      const WarpRequest R = requestOf(A, Active);
      const std::array Counted = {sectors(Law, A, Active, Bytes),
                                  idealSectors(Law, A, Active, Bytes),
                                  wavefronts(Law, A, Active, Bytes),
                                  storeWavefronts(Law, A, Active, Bytes),
                                  idealWavefronts(Law, A, Active, Bytes),
                                  idealStoreWavefronts(Law, Active, Bytes),
                                  distinctWords(Law, A, Active, Bytes),
                                  atomicWavefronts(Law, A, Active, Bytes)};
      const std::array Expected = {
          countSectors(R, Bytes),         countIdealSectors(R, Bytes),
          countWavefronts(R, Bytes),      countStoreWavefronts(R, Bytes),
          countIdealWavefronts(R, Bytes), countIdealStoreWavefronts(R, Bytes),
          countWords(R, Bytes),           countAtomicWavefronts(R, Bytes)};
      ASSERT_EQ(Counted, Expected) << describe(A, Active, Bytes);
      ++Checked;
    }
  EXPECT_EQ(Checked, 200000u);
}

} // namespace
