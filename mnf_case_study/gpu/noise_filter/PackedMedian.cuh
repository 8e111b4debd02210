//===- PackedMedian.cuh - Eight medians at a time ---------------*- C++ -*-===//
//
// A band is one long row of pixels here: the neighbours above and below are a
// line's length away, those beside next to it, and the margins of a band hold
// what the windows of its first and last line need. A thread takes eight
// pixels. Two samples share a register, 16 bits each, as Hopper compares pairs
// in one instruction, and three of them in one (the DPX instructions).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_PACKEDMEDIAN_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_PACKEDMEDIAN_CUH

#include <cstdint>

namespace mnf {

constexpr int PixelsOfThread = 8;

/// Three sorted columns of two neighbouring pixels.
struct SortedPair {
  uint32_t Small, Middle, Large;
};

__device__ inline uint32_t medianOfPairs(uint32_t A, uint32_t B, uint32_t C) {
  return __vmaxu2(__vminu2(A, B), __vminu2(__vmaxu2(A, B), C));
}

__device__ inline SortedPair sortPair(uint32_t A, uint32_t B, uint32_t C) {
  uint32_t Small = __vimin3_u16x2(A, B, C), Large = __vimax3_u16x2(A, B, C);
  // What is left of the sum is the middle one. Three 8-bit samples never carry
  // into the other half, so plain additions do for both.
  return {Small, A + B + C - Small - Large, Large};
}

/// The second pixel of one pair and the first of the next.
__device__ inline uint32_t between(uint32_t A, uint32_t B) {
  return __byte_perm(A, B, 0x5432);
}

__device__ inline uint32_t choose(uint32_t Mask, uint32_t Yes, uint32_t No) {
  return (Mask & Yes) | (~Mask & No);
}

/// The words that hold eight pixels of three lines and the pixels beside them.
struct Window {
  uint32_t Words[3][4];
};

/// Words have to be aligned; what is asked for rarely is. Lines shift all
/// threads of a block by the same, and neighbours find each other's words in
/// L1.
__device__ inline Window loadWindow(const uint8_t *At, int Samples) {
  Window Result;
#pragma unroll
  for (int Row = 0; Row < 3; ++Row) {
    uintptr_t Address =
        reinterpret_cast<uintptr_t>(At + (Row - 1) * Samples - 1);
    const auto *From =
        reinterpret_cast<const uint32_t *>(Address & ~uintptr_t(3));
#pragma unroll
    for (int I = 0; I < 4; ++I)
      Result.Words[Row][I] = __ldg(From + I);
  }
  return Result;
}

/// Ten samples of a line, from the one before \p At on, as five pairs.
__device__ inline void pairsOf(const uint32_t (&Words)[4], const uint8_t *At,
                               uint32_t (&Pairs)[5]) {
  uint32_t Shift = 8 * (reinterpret_cast<uintptr_t>(At - 1) & 3);
  uint32_t Bytes[3];
#pragma unroll
  for (int I = 0; I < 3; ++I)
    Bytes[I] = __funnelshift_r(Words[I], Words[I + 1], Shift);
#pragma unroll
  for (int I = 0; I < 5; ++I)
    Pairs[I] = __byte_perm(Bytes[I / 2], 0, I % 2 ? 0x4342 : 0x4140);
}

/// Eight samples from \p At on and their medians, as four pairs. \p Column is
/// that of the first one.
/// \p AtEdge: pixels of this warp begin or end a line.
template <bool AtEdge>
__device__ inline void
mediansOfEight(const Window &From, const uint8_t *At, int Samples, int Column,
               uint32_t (&Sample)[4], uint32_t (&Median)[4]) {
  uint32_t Above[5], Middle[5], Below[5];
  pairsOf(From.Words[0], At - Samples, Above);
  pairsOf(From.Words[1], At, Middle);
  pairsOf(From.Words[2], At + Samples, Below);
  SortedPair Sorted[5];
#pragma unroll
  for (int I = 0; I < 5; ++I)
    Sorted[I] = sortPair(Above[I], Middle[I], Below[I]);

#pragma unroll
  for (int I = 0; I < 4; ++I) {
    // Pairs begin with the pixel before, so they are the left and the right
    // neighbours; the pixels themselves lie between.
    SortedPair Left = Sorted[I], Right = Sorted[I + 1];
    SortedPair Here = {between(Left.Small, Right.Small),
                       between(Left.Middle, Right.Middle),
                       between(Left.Large, Right.Large)};
    if constexpr (AtEdge) {
      // The edge of a line repeats itself. A line is longer than eight pixels.
      int First = Column + 2 * I;
      First -= First >= Samples ? Samples : 0;
      int Second = First + 1 == Samples ? 0 : First + 1;
      uint32_t Begins =
          (First == 0 ? 0xffffu : 0) | (Second == 0 ? 0xffff0000u : 0);
      uint32_t Ends = (First == Samples - 1 ? 0xffffu : 0) |
                      (Second == Samples - 1 ? 0xffff0000u : 0);
      Left = {choose(Begins, Here.Small, Left.Small),
              choose(Begins, Here.Middle, Left.Middle),
              choose(Begins, Here.Large, Left.Large)};
      Right = {choose(Ends, Here.Small, Right.Small),
               choose(Ends, Here.Middle, Right.Middle),
               choose(Ends, Here.Large, Right.Large)};
    }
    Median[I] =
        medianOfPairs(__vimax3_u16x2(Left.Small, Here.Small, Right.Small),
                      medianOfPairs(Left.Middle, Here.Middle, Right.Middle),
                      __vimin3_u16x2(Left.Large, Here.Large, Right.Large));
    Sample[I] = between(Middle[I], Middle[I + 1]);
  }
}

/// Whether eight pixels from \p Column on touch the begin or end of a line.
__device__ inline bool touchesEdge(int Column, int Samples) {
  return Column == 0 || Column + PixelsOfThread >= Samples;
}

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_PACKEDMEDIAN_CUH
