//===- TileMedian.cuh - Sixteen medians at a time ---------------*- C++ -*-===//
//
// What V4 does eight pixels of a line at a time, for eight pixels of two lines:
// they share two of the three lines that each needs. And where V4 is bound by
// the pipe of comparisons and byte permutations, half of the work goes to the
// one for half-precision numbers, which is idle: small whole numbers have the
// same bits as the half-precision numbers that are 2^-24 times as large, sums
// below 2,048 included. Of three numbers the middle one is the sum less the
// smallest and the largest: two comparisons there, four additions here.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_TILEMEDIAN_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_TILEMEDIAN_CUH

#include <cstdint>

namespace mnf::tile {

/// Pixels of a line and lines of a thread.
constexpr int Wide = 8, High = 2;

/// Two whole numbers below 2,048, or their sums and differences.
__device__ inline uint32_t addPairs(uint32_t A, uint32_t B) {
  uint32_t Sum;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(Sum) : "r"(A), "r"(B));
  return Sum;
}
__device__ inline uint32_t subtractPairs(uint32_t A, uint32_t B) {
  uint32_t Difference;
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(Difference) : "r"(A), "r"(B));
  return Difference;
}

/// The middle one of three, of which \p Sum is the sum.
__device__ inline uint32_t middleOfSum(uint32_t Sum, uint32_t Small,
                                       uint32_t Large) {
  return subtractPairs(subtractPairs(Sum, Small), Large);
}
__device__ inline uint32_t middleOfPairs(uint32_t A, uint32_t B, uint32_t C) {
  return middleOfSum(addPairs(addPairs(A, B), C), __vimin3_u16x2(A, B, C),
                     __vimax3_u16x2(A, B, C));
}

/// Columns -1 to 8 of a line as pairs: (-1, 1), (0, 2), (3, 5), (4, 6), (7, 8).
/// Bytes of a word that are two apart are two instructions away from a pair.
struct Line {
  uint32_t Pairs[5];
};

/// Where the bytes of a line come from at the left and the right edge of the
/// image: what __byte_perm() takes for each word and the one before.
struct Edge {
  uint32_t Selectors[3];
};

/// \p Last: the last column of the image, counted from column 0 of the line.
__device__ inline Edge edgeOf(bool IsFirst, int Last) {
  Edge Result = {{0x7654, 0x7654, 0x7654}};
  if (IsFirst) // Column -1, the first byte, repeats column 0, the second one.
    Result.Selectors[0] = 0x7655;
  // Column c is byte c + 1; the one behind the last repeats it.
  int Byte = Last + 2;
#pragma unroll
  for (int Word = 0; Word < 3; ++Word)
    if (Byte / 4 == Word) {
      int Shift = 4 * (Byte % 4);
      Result.Selectors[Word] =
          (Result.Selectors[Word] & ~(15u << Shift)) | (3u + Byte % 4) << Shift;
    }
  return Result;
}

/// \p Words begin with the one that has column -1, in its byte \p Shift / 8.
template <bool AtEdge>
__device__ inline Line lineOf(const uint32_t (&Words)[4], uint32_t Shift,
                              const Edge &Of) {
  uint32_t Bytes[3];
#pragma unroll
  for (int I = 0; I < 3; ++I)
    Bytes[I] = __funnelshift_r(Words[I], Words[I + 1], Shift);
  if constexpr (AtEdge) {
    Bytes[2] = __byte_perm(Bytes[1], Bytes[2], Of.Selectors[2]);
    Bytes[1] = __byte_perm(Bytes[0], Bytes[1], Of.Selectors[1]);
    Bytes[0] = __byte_perm(Bytes[0], Bytes[0], Of.Selectors[0]);
  }
  return {{Bytes[0] & 0x00ff00ffu, __byte_perm(Bytes[0], 0, 0x4341),
           Bytes[1] & 0x00ff00ffu, __byte_perm(Bytes[1], 0, 0x4341),
           __byte_perm(Bytes[2], 0, 0x4140)}};
}

/// The other pairs: (1, 3), (2, 4), (5, 7), (6, 8).
__device__ inline uint32_t secondAndFirst(uint32_t A, uint32_t B) {
  return __byte_perm(A, B, 0x5432);
}
__device__ inline uint32_t secondAndSecond(uint32_t A, uint32_t B) {
  return __byte_perm(A, B, 0x7632);
}

/// Columns 0 to 7 of a line as pairs: (0, 2), (1, 3), (4, 6), (5, 7).
struct Eight {
  uint32_t Pairs[4];
};

__device__ inline Eight inner(const Line &Of) {
  return {{Of.Pairs[1], secondAndFirst(Of.Pairs[0], Of.Pairs[2]), Of.Pairs[3],
           secondAndFirst(Of.Pairs[2], Of.Pairs[4])}};
}

/// Pairs of ten columns, of which each pair of pixels has three: its left
/// neighbours, the pixels and its right neighbours.
struct Ten {
  uint32_t Pairs[5], OneThree, TwoFour, FiveSeven, SixEight;
};

__device__ inline Ten tenOf(const uint32_t (&Of)[5]) {
  return {{Of[0], Of[1], Of[2], Of[3], Of[4]},
          secondAndFirst(Of[0], Of[2]),
          secondAndFirst(Of[1], Of[3]),
          secondAndFirst(Of[2], Of[4]),
          secondAndSecond(Of[3], Of[4])};
}

/// Calls \p Function with those three of each of the four pairs.
template <typename Callable>
__device__ inline Eight forEachPair(const Ten &Of, Callable &&Function) {
  return {{Function(Of.Pairs[0], Of.Pairs[1], Of.OneThree),
           Function(Of.Pairs[1], Of.OneThree, Of.TwoFour),
           Function(Of.Pairs[2], Of.Pairs[3], Of.FiveSeven),
           Function(Of.Pairs[3], Of.FiveSeven, Of.SixEight)}};
}

/// What two lines that follow each other have in common: their sums.
__device__ inline Line sumsOf(const Line &A, const Line &B) {
  Line Result;
#pragma unroll
  for (int I = 0; I < 5; ++I)
    Result.Pairs[I] = addPairs(A.Pairs[I], B.Pairs[I]);
  return Result;
}

/// The medians of lines One, Two and Other; \p Sums are those of One and Two.
__device__ inline Eight mediansOf(const Line &One, const Line &Two,
                                  const Line &Other, const Line &Sums) {
  uint32_t Small[5], Centre[5], Large[5];
#pragma unroll
  for (int I = 0; I < 5; ++I) {
    uint32_t A = One.Pairs[I], B = Two.Pairs[I], C = Other.Pairs[I];
    Small[I] = __vimin3_u16x2(A, B, C);
    Large[I] = __vimax3_u16x2(A, B, C);
    Centre[I] = middleOfSum(addPairs(Sums.Pairs[I], C), Small[I], Large[I]);
  }
  const auto Smallest = [](uint32_t A, uint32_t B, uint32_t C) {
    return __vimin3_u16x2(A, B, C);
  };
  const auto Largest = [](uint32_t A, uint32_t B, uint32_t C) {
    return __vimax3_u16x2(A, B, C);
  };
  Eight OfSmall = forEachPair(tenOf(Small), Largest);
  Eight OfLarge = forEachPair(tenOf(Large), Smallest);
  Ten Centres = tenOf(Centre);
  Eight Least = forEachPair(Centres, Smallest);
  Eight Most = forEachPair(Centres, Largest);
  // Neighbouring pairs have two of three terms in common.
  uint32_t Left = addPairs(Centres.Pairs[1], Centres.OneThree);
  uint32_t Right = addPairs(Centres.Pairs[3], Centres.FiveSeven);
  Eight OfCentre = {
      {addPairs(Left, Centres.Pairs[0]), addPairs(Left, Centres.TwoFour),
       addPairs(Right, Centres.Pairs[2]), addPairs(Right, Centres.SixEight)}};
  Eight Result;
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Result.Pairs[I] = middleOfPairs(
        OfSmall.Pairs[I],
        middleOfSum(OfCentre.Pairs[I], Least.Pairs[I], Most.Pairs[I]),
        OfLarge.Pairs[I]);
  return Result;
}

/// Bits of the bytes of columns 0 to 7 that are before column \p Columns.
__device__ inline uint2 insideOf(int Columns) {
  const auto Of = [](int Count) {
    return Count >= 4 ? ~0u : Count <= 0 ? 0 : (1u << (8 * Count)) - 1;
  };
  return make_uint2(Of(Columns), Of(Columns - 4));
}

/// The byte that noiseOf() makes of noise, whether it fits or not: a half has a
/// sign and its bits are those of the amount.
__device__ inline int8_t byteOf(int Noise) {
  return int8_t((abs(Noise + 128) & 255) ^ 128);
}

/// Noise as signed bytes of columns 0 to 7, and whether it fits them: where
/// not, \p TooLarge gets bits of 0xff00ff00. What \p Inside has no bits for
/// becomes zero; it is asked for at edges only.
template <bool AtEdge>
__device__ inline uint2 noiseOf(const Line &Middle, const Eight &Median,
                                uint2 Inside, uint32_t &TooLarge) {
  Eight Sample = inner(Middle);
  // Plus 128 what fits has no bit but those of a byte.
  uint32_t Biased[4];
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Biased[I] =
        subtractPairs(addPairs(Sample.Pairs[I], 0x00800080u), Median.Pairs[I]);
  uint2 Bytes = make_uint2(__byte_perm(Biased[0], Biased[1], 0x6240),
                           __byte_perm(Biased[2], Biased[3], 0x6240));
  if constexpr (AtEdge) {
    uint2 High = make_uint2(__byte_perm(Biased[0], Biased[1], 0x7351),
                            __byte_perm(Biased[2], Biased[3], 0x7351));
    TooLarge |= ((High.x & Inside.x) | (High.y & Inside.y)) ? 0x0100u : 0;
    return make_uint2((Bytes.x ^ 0x80808080u) & Inside.x,
                      (Bytes.y ^ 0x80808080u) & Inside.y);
  }
  TooLarge |= Biased[0] | Biased[1] | Biased[2] | Biased[3];
  return make_uint2(Bytes.x ^ 0x80808080u, Bytes.y ^ 0x80808080u);
}

} // namespace mnf::tile

#endif // WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_TILEMEDIAN_CUH
