//===- ExpectationTest.cpp - Random indices against random numbers --------===//
//
// Every expectation is held against the mean over drawn requests, each of them
// counted with the functions for known addresses, and no drawn request may
// leave the interval.
//
//===----------------------------------------------------------------------===//

#include "profiler/warp/Expectation.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <random>

using namespace warpwise::warp;

namespace {

constexpr uint32_t AllLanes = ~0u;
constexpr RequestLaw Usual;
constexpr RequestLaw Kepler{.RowsPerPass = 2};

RandomRequest gather(unsigned Bytes, std::optional<uint64_t> Elements,
                     uint32_t Active = AllLanes, unsigned GroupLanes = 1) {
  RandomRequest R;
  R.Groups = neighbourGroups(Active, GroupLanes);
  R.Bytes = Bytes;
  R.Stride = Bytes;
  if (Elements)
    R.ObjectBytes = *Elements * Bytes;
  return R;
}

using Counter = std::function<unsigned(const LaneAddresses &)>;

/// Means of draws are this many standard errors from the truth at most; there
/// are a few hundred of them here, and the seeds are fixed. What happens once
/// in some thousand draws may not have happened at all.
constexpr double Sigmas = 4.5, Rare = 5e-4;

/// \p Exactness: what the expectation itself may be off, in parts of it.
void expectDrawsToAgree(const RandomRequest &R, const Expectation &E,
                        const Counter &Count, const char *What,
                        double Exactness = 0) {
  std::mt19937_64 Random(20261122);
  constexpr unsigned Draws = 8000;
  double Sum = 0, Squares = 0, Least = INFINITY, Most = 0;
  for (unsigned N = 0; N != Draws; ++N) {
    LaneAddresses A{};
    for (uint32_t Group : R.Groups) {
      const uint64_t Index =
          Random() % R.elements().value_or(uint64_t(1) << 40);
      for (uint32_t Left = Group; Left != 0; Left &= Left - 1) {
        const auto Lane = unsigned(std::countr_zero(Left));
        A[Lane] = 0x10000 + Index * R.Stride + R.Offsets[Lane];
      }
    }
    const double Cost = Count(A);
    Sum += Cost;
    Squares += Cost * Cost;
    Least = std::min(Least, Cost);
    Most = std::max(Most, Cost);
  }
  const double Mean = Sum / Draws;
  const double Error =
      std::sqrt(std::max(0.0, Squares / Draws - Mean * Mean) / double(Draws));
  EXPECT_NEAR(E.Expected, Mean, Sigmas * Error + (Exactness + Rare) * Mean)
      << What << ": " << R.Groups.size() << " groups, " << R.Bytes
      << " bytes, stride " << R.Stride << ", elements "
      << R.elements().value_or(0);
  EXPECT_LE(E.Low, Least) << What;
  EXPECT_GE(E.High, Most) << What;
  EXPECT_LE(E.Low, E.Expected + 1e-9);
  EXPECT_GE(E.High, E.Expected - 1e-9);
}

void checkUnits(const RequestLaw &Law, const RandomRequest &R,
                double Exactness = 0) {
  expectDrawsToAgree(
      R, expectSectors(Law, R),
      [&](const LaneAddresses &A) {
        return sectors(Law, A, R.active(), R.Bytes);
      },
      "sectors", Exactness);
  expectDrawsToAgree(
      R, expectWords(Law, R),
      [&](const LaneAddresses &A) {
        return distinctWords(Law, A, R.active(), R.Bytes);
      },
      "words", Exactness);
}

void checkShared(const RequestLaw &Law, const RandomRequest &R,
                 double Exactness = 0) {
  expectDrawsToAgree(
      R, expectWavefronts(Law, R, SharedOperation::Load),
      [&](const LaneAddresses &A) {
        return wavefronts(Law, A, R.active(), R.Bytes);
      },
      "load", Exactness);
  expectDrawsToAgree(
      R, expectWavefronts(Law, R, SharedOperation::Store),
      [&](const LaneAddresses &A) {
        return storeWavefronts(Law, A, R.active(), R.Bytes);
      },
      "store", Exactness);
  expectDrawsToAgree(
      R, expectWavefronts(Law, R, SharedOperation::Atomic),
      [&](const LaneAddresses &A) {
        return atomicWavefronts(Law, A, R.active(), R.Bytes);
      },
      "atomic", Exactness);
}

//===----------------------------------------------------------------------===//
// Known numbers
//===----------------------------------------------------------------------===//

TEST(RandomRequest, GroupsAreTheActiveLanesOfNeighbours) {
  EXPECT_EQ(neighbourGroups(AllLanes, 1).size(), 32u);
  EXPECT_EQ(neighbourGroups(AllLanes, 32), std::vector<uint32_t>{AllLanes});
  EXPECT_EQ(neighbourGroups(0x0f30, 4),
            (std::vector<uint32_t>{0x0030, 0x0f00}));
  EXPECT_TRUE(neighbourGroups(0, 1).empty());
  EXPECT_EQ(neighbourGroups(AllLanes, 5).size(), 7u);
}

TEST(RandomRequest, TheLastElementMayBeCutOff) {
  RandomRequest R = gather(4, 10);
  EXPECT_EQ(R.elements(), 10u);
  R.Stride = 12;
  R.ObjectBytes = 28; // two structs and the first field of a third
  EXPECT_EQ(R.elements(), 3u);
  R.ObjectBytes = 0;
  EXPECT_EQ(R.elements(), 1u);
}

TEST(ExpectedUnits, NobodyMeetsInAnEndlessObject) {
  const Expectation E = expectSectors(Usual, gather(4, {}));
  EXPECT_DOUBLE_EQ(E.Expected, 32);
  EXPECT_DOUBLE_EQ(E.Low, 1);
  EXPECT_DOUBLE_EQ(E.High, 32);
  EXPECT_DOUBLE_EQ(expectSectors(Usual, gather(4, {}, 0xff)).Expected, 8);
  EXPECT_DOUBLE_EQ(expectSectors(Usual, gather(4, {}, AllLanes, 8)).Expected,
                   4);
}

TEST(ExpectedUnits, AnIndexWithinARowOfItsOwnMeetsOnlyTheNeighbours) {
  std::mt19937_64 Random(20261127);
  for (const uint64_t Pitch :
       {32u, 36u, 40u, 60u, 64u, 68u, 100u, 1000u, 4096u})
    for (const uint64_t Start : {0u, 4u, 28u})
      for (const uint32_t Active : {AllLanes, 0x0000ffffu, 0x11111111u}) {
        LaneAddresses Rows{};
        uint64_t Apart = 0; // as long as the nearest two are apart
        for (unsigned Lane = 0; Lane != 32; ++Lane)
          Rows[Lane] = 0x10000 + Start + Lane * Pitch;
        Apart = Active == 0x11111111u ? 4 * Pitch : Pitch;
        const auto E = expectSectorsOfRows(Usual, Rows, Active, 4);
        ASSERT_TRUE(E);
        double Sum = 0;
        unsigned Least = 32, Most = 0;
        constexpr unsigned Draws = 4000;
        for (unsigned N = 0; N != Draws; ++N) {
          LaneAddresses A = Rows;
          for (uint64_t &Address : A)
            Address += Random() % (Apart / 4) * 4;
          const unsigned Count = sectors(Usual, A, Active, 4);
          Sum += Count;
          Least = std::min(Least, Count);
          Most = std::max(Most, Count);
        }
        EXPECT_NEAR(E->Expected, Sum / Draws, 0.1) << Pitch << " " << Start;
        EXPECT_LE(E->Low, Least);
        EXPECT_GE(E->High, Most);
      }
}

TEST(ExpectedUnits, RowsNoLongerThanASectorAreNone) {
  LaneAddresses Rows{};
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    Rows[Lane] = Lane * 28;
  EXPECT_FALSE(expectSectorsOfRows(Usual, Rows, AllLanes, 4));
  EXPECT_FALSE(expectSectorsOfRows(Usual, Rows, 1, 4));
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    Rows[Lane] = Lane / 2 * 1024; // two lanes for each
  EXPECT_FALSE(expectSectorsOfRows(Usual, Rows, AllLanes, 4));
}

TEST(ExpectedUnits, WordsFollowTheFormula) {
  for (unsigned N : {1u, 2u, 16u, 100u, 256u, 1000u})
    for (unsigned Lanes : {1u, 7u, 32u}) {
      const uint32_t Active = Lanes == 32 ? AllLanes : (1u << Lanes) - 1;
      EXPECT_NEAR(expectWords(Usual, gather(4, N, Active)).Expected,
                  N * (1 - std::pow(1 - 1.0 / N, Lanes)), 1e-9);
    }
}

TEST(ExpectedUnits, ASmallTableBoundsTheNumber) {
  const Expectation E = expectSectors(Usual, gather(4, 20));
  EXPECT_DOUBLE_EQ(E.High, 3); // 80 bytes
  EXPECT_DOUBLE_EQ(expectWords(Usual, gather(4, 20)).High, 20);
}

TEST(ExpectedWavefronts, OneBallInEachOfTwoBins) {
  // Two lanes, many words: they meet in a bank one time in 32.
  const RandomRequest R = gather(4, {}, 3);
  EXPECT_NEAR(expectWavefronts(Usual, R, SharedOperation::Load).Expected,
              1 + 1.0 / 32, 1e-12);
  // In a table of 64 words they share the word half of the time.
  EXPECT_NEAR(
      expectWavefronts(Usual, gather(4, 64, 3), SharedOperation::Load).Expected,
      1 + 1.0 / 64, 1e-12);
  EXPECT_NEAR(expectWavefronts(Usual, gather(4, 64, 3), SharedOperation::Atomic)
                  .Expected,
              1 + 1.0 / 32, 1e-12);
}

TEST(ExpectedWavefronts, AWarpOfRandomWordsTakesThreeAndAHalf) {
  // The fullest of 32 bins with 32 balls: 3.53 (by draws).
  EXPECT_NEAR(
      expectWavefronts(Usual, gather(4, {}), SharedOperation::Load).Expected,
      3.53, 0.01);
}

TEST(ExpectedWavefronts, ATableOfOneRowHasNoConflicts) {
  for (unsigned N : {1u, 5u, 32u})
    EXPECT_NEAR(
        expectWavefronts(Usual, gather(4, N), SharedOperation::Load).Expected,
        1, 1e-9);
}

TEST(ExpectedWavefronts, AtomicsOnOneWordTakeTurns) {
  const Expectation E =
      expectWavefronts(Usual, gather(4, 1), SharedOperation::Atomic);
  EXPECT_DOUBLE_EQ(E.Expected, 32);
  EXPECT_DOUBLE_EQ(E.Low, 32);
  EXPECT_DOUBLE_EQ(E.High, 32);
}

/// 3.53 lanes want the fullest of 32 banks. Of doubles, either half of a warp
/// has 16 lanes and 16 banks; to one word all lanes go, to each of two half of
/// them.
TEST(ExpectedWavefronts, ASwapTakesARoundForEachLaneOfABank) {
  EXPECT_NEAR(expectSwapRounds(Usual, gather(4, {})), 3.53, 0.1);
  EXPECT_DOUBLE_EQ(expectSwapRounds(Usual, gather(4, 1)), 32);
  EXPECT_NEAR(expectSwapRounds(Usual, gather(4, 2)), 18.2, 0.5);
  EXPECT_DOUBLE_EQ(expectSwapRounds(Usual, gather(4, {}, 1)), 1);
  EXPECT_DOUBLE_EQ(expectSwapRounds(Usual, gather(4, {}, 0)), 0);
  EXPECT_NEAR(expectSwapRounds(Usual, gather(8, {})), 3.45, 0.15);
}

TEST(ExpectedWavefronts, NoLanesNoPasses) {
  for (SharedOperation Op :
       {SharedOperation::Load, SharedOperation::Store, SharedOperation::Atomic})
    EXPECT_DOUBLE_EQ(expectWavefronts(Usual, gather(4, 64, 0), Op).Expected, 0);
}

TEST(ExpectedWavefronts, ARowThatTheWarpSharesCostsTheSameForEachIndex) {
  RandomRequest R = gather(4, 8, AllLanes, 32);
  R.Stride = 128;
  R.ObjectBytes = 1024;
  for (unsigned L = 0; L != 32; ++L)
    R.Offsets[L] = 4 * L;
  const Expectation E = expectWavefronts(Usual, R, SharedOperation::Load);
  EXPECT_DOUBLE_EQ(E.Expected, 1);
  EXPECT_DOUBLE_EQ(E.High, 1);
  EXPECT_DOUBLE_EQ(expectSectors(Usual, R).Expected, 4);
}

//===----------------------------------------------------------------------===//
// Against draws
//===----------------------------------------------------------------------===//

TEST(ExpectedUnits, AgreeWithDraws) {
  for (unsigned Bytes : {1u, 2u, 4u, 8u, 16u})
    for (std::optional<uint64_t> N :
         {std::optional<uint64_t>(), {1}, {2}, {7}, {33}, {256}, {1000}})
      for (uint32_t Active : {AllLanes, 0x00ff00ffu, 0x00000013u})
        checkUnits(Usual, gather(Bytes, N, Active));
}

TEST(ExpectedUnits, LongObjectsAgreeWithDraws) {
  for (uint64_t N : {1025u, 4097u, 100000u})
    for (unsigned Bytes : {1u, 4u, 8u})
      checkUnits(Usual, gather(Bytes, N), 0.001);
}

TEST(ExpectedUnits, GroupsAgreeWithDraws) {
  for (unsigned Lanes : {2u, 4u, 5u, 16u, 32u})
    for (uint64_t N : {3u, 64u, 500u})
      checkUnits(Usual, gather(4, N, AllLanes, Lanes));
}

TEST(ExpectedUnits, StructsAndRowsAgreeWithDraws) {
  for (uint64_t Stride : {8u, 12u, 20u, 32u, 36u, 100u, 4096u})
    for (std::optional<uint64_t> N : {std::optional<uint64_t>(), {5}, {300}}) {
      RandomRequest R = gather(4, {});
      R.Stride = Stride;
      if (N)
        R.ObjectBytes = *N * Stride;
      R.Offsets.fill(4);
      checkUnits(Usual, R);
      R.Groups = neighbourGroups(AllLanes, 8);
      for (unsigned L = 0; L != 32; ++L)
        R.Offsets[L] = 4 * (L % 8);
      if (Stride >= 32)
        checkUnits(Usual, R);
    }
}

TEST(ExpectedWavefronts, AgreeWithDraws) {
  for (unsigned Bytes : {1u, 2u, 4u, 8u, 16u})
    for (std::optional<uint64_t> N :
         {std::optional<uint64_t>(), {1}, {13}, {33}, {100}, {256}, {1500}})
      for (uint32_t Active : {AllLanes, 0x00ff00ffu, 0x55555555u, 0x00000013u})
        checkShared(Usual, gather(Bytes, N, Active), 0.001);
}

TEST(ExpectedWavefronts, GroupsAgreeWithDraws) {
  for (unsigned Lanes : {2u, 3u, 5u, 8u, 32u})
    for (uint64_t N : {10u, 64u, 500u})
      for (unsigned Bytes : {4u, 8u})
        checkShared(Usual, gather(Bytes, N, AllLanes, Lanes), 0.001);
}

TEST(ExpectedWavefronts, GroupsOfManySizesAgreeWithDraws) {
  RandomRequest R = gather(4, 1000);
  R.Groups = {0x1, 0x6, 0x38, 0x3c0, 0x7c00, 0x1f8000, 0xfe00000};
  checkShared(Usual, R, 0.015);
}

TEST(ExpectedWavefronts, StridesAgreeWithDraws) {
  for (uint64_t Stride : {8u, 12u, 16u, 64u, 128u, 132u})
    for (std::optional<uint64_t> N : {std::optional<uint64_t>(), {40}, {333}}) {
      RandomRequest R = gather(4, {});
      R.Stride = Stride;
      if (N)
        R.ObjectBytes = *N * Stride;
      checkShared(Usual, R);
    }
}

TEST(ExpectedWavefronts, BanksThatDeliverTwoWordsAgreeWithDraws) {
  for (unsigned Bytes : {1u, 4u, 8u, 16u})
    for (std::optional<uint64_t> N :
         {std::optional<uint64_t>(), {50}, {64}, {200}, {1000}})
      checkShared(Kepler, gather(Bytes, N), 0.001);
}

TEST(ExpectedWavefronts, LanesWithOffsetsAgreeWithDraws) {
  // Fixed draws stand for all: a hundredth is what they are off.
  for (uint64_t Stride : {6u, 40u, 64u, 132u, 256u}) {
    RandomRequest R = gather(2, {}, AllLanes, 4);
    R.Stride = Stride;
    R.ObjectBytes = 100 * Stride;
    for (unsigned L = 0; L != 32; ++L)
      R.Offsets[L] = Stride == 6 ? 0 : 2 * (L % 4);
    checkShared(Usual, R, 0.015);
  }
}

TEST(ExpectedWavefronts, TheSameQuestionHasTheSameAnswer) {
  RandomRequest R = gather(4, 100, AllLanes, 4);
  R.Stride = 16;
  for (unsigned L = 0; L != 32; ++L)
    R.Offsets[L] = 4 * (L % 4);
  const double First =
      expectWavefronts(Usual, R, SharedOperation::Load).Expected;
  EXPECT_EQ(First, expectWavefronts(Usual, R, SharedOperation::Load).Expected);
}

} // namespace
