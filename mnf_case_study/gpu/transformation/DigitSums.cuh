//===- DigitSums.cuh - Sums of digits times pixels --------------*- C++ -*-===//
//
// What the versions that multiply on tensor cores share: the shape of their
// tiles, and the ways into and out of the instruction. V4.cu says what the
// digits are.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_TRANSFORMATION_DIGITSUMS_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_TRANSFORMATION_DIGITSUMS_CUH

#include "../DeviceImage.h"

namespace mnf::digitsums {

/// Components of a block, and steps of 32 bands.
constexpr int Group = 20, Steps = MostBands / 32;
/// Pixels that a warp transforms together: a byte of four words of eight lanes.
constexpr int PixelsOfWarp = 32;
/// Tiles of 16 rows; a lane has rows Group and Group + 8 of each.
constexpr int Tiles = 4;

/// The largest number of three digits from -128 to 127.
constexpr int LargestWeight = 127 * (65536 + 256 + 1);

__device__ inline void multiply(int (&Sum)[4], const uint4 &Digits,
                                uint32_t Low, uint32_t High) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(Sum[0]), "+r"(Sum[1]), "+r"(Sum[2]), "+r"(Sum[3])
      : "r"(Digits.x), "r"(Digits.y), "r"(Digits.z), "r"(Digits.w), "r"(Low),
        "r"(High));
}

/// Word I has byte J of what was word J in its byte I.
__device__ inline void transpose(uint32_t (&Words)[4]) {
  uint32_t A = __byte_perm(Words[0], Words[1], 0x5140);
  uint32_t B = __byte_perm(Words[2], Words[3], 0x5140);
  uint32_t C = __byte_perm(Words[0], Words[1], 0x7362);
  uint32_t D = __byte_perm(Words[2], Words[3], 0x7362);
  Words[0] = __byte_perm(A, B, 0x5410);
  Words[1] = __byte_perm(A, B, 0x7632);
  Words[2] = __byte_perm(C, D, 0x5410);
  Words[3] = __byte_perm(C, D, 0x7632);
}

/// A component of eight pixels: two words of four.
__device__ inline void store(float *To, const int (&High)[8],
                             const int (&Middle)[8], const int (&Low)[8],
                             float Scale) {
  float Values[8];
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Values[I] =
        (65536.0f * float(High[I]) + float(256 * Middle[I] + Low[I])) * Scale;
  *reinterpret_cast<float4 *>(To) =
      make_float4(Values[0], Values[1], Values[2], Values[3]);
  *reinterpret_cast<float4 *>(To + PixelsOfWarp / 2) =
      make_float4(Values[4], Values[5], Values[6], Values[7]);
}

} // namespace mnf::digitsums

#endif // WARPWISE_MNF_CASE_STUDY_GPU_TRANSFORMATION_DIGITSUMS_CUH
