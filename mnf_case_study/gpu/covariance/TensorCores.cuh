//===- TensorCores.cuh - Products of all bands in one block -----*- C++ -*-===//
//
// A block holds the upper half of a 224 x
// 224 matrix in the registers of 14 warps and feeds them bytes from shared
// memory; each pixel of the image then enters one multiprocessor once.
//
// Seven strips of 32 bands make 28 tiles of 32 x 32 on and above the diagonal.
// A warp has two that share a strip: 2 x 32 sums a lane.
//
// The instruction is m16n8k32 with 8-bit factors and 32-bit sums. A lane (Group
// = lane / 4, Quarter = lane % 4) brings two words of row Group, pixels 4 *
// Quarter and 16 + 4 * Quarter; of A also of row Group + 8. Which of the 32
// pixels are meant is all the same as long as A and B agree, so a lane takes 16
// consecutive pixels of a row in one 16-byte load and has the words of two
// instructions. And as A and B ask for the same words, a strip is loaded alike
// whether it is the left or the right factor.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_TENSORCORES_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_TENSORCORES_CUH

#include "../DeviceImage.h"

#include <initializer_list>
#include <type_traits>

namespace mnf::tensor {

constexpr int Strip = 32, Strips = MostBands / Strip;
constexpr int Warps = Strips * (Strips + 1) / 4;
constexpr int Threads = 32 * Warps;

/// Pixels that lie together in shared memory: 64 of band 0, 64 of band 1, and
/// so on. Eight lanes, which one cycle serves, then read 128 neighbouring
/// bytes.
constexpr int Slice = 64;
/// From one slice to the next. 64 bytes more than the bands need, so that the
/// copies of a band's two slices go to different banks, too.
constexpr int SliceBytes = MostBands * Slice + 64;

/// The strip that both tiles of a warp have and the other factors.
struct Role {
  int Shared, Other[2];
};

__device__ inline Role roleOf(int Warp) {
  // Rows of tiles from the diagonal on, two by two; where the length of a row
  // is odd its last tile, in the last column of tiles, waits for the next such.
  int Row = 0;
  for (int Pairs = Strips / 2; Row < Strips && Warp >= Pairs;
       Pairs = (Strips - Row) / 2) {
    Warp -= Pairs;
    ++Row;
  }
  if (Row < Strips)
    return {Row, {Row + 2 * Warp, Row + 2 * Warp + 1}};
  return {Strips - 1, {4 * Warp, 4 * Warp + 2}};
}

/// \p Sample is uint8_t or int8_t.
template <typename Sample>
__device__ inline void multiply(int (&Sum)[4], const uint32_t (&A)[4],
                                uint32_t B0, uint32_t B1) {
  if constexpr (std::is_same_v<Sample, uint8_t>)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(Sum[0]), "+r"(Sum[1]), "+r"(Sum[2]), "+r"(Sum[3])
        : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B0), "r"(B1));
  else
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(Sum[0]), "+r"(Sum[1]), "+r"(Sum[2]), "+r"(Sum[3])
        : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B0), "r"(B1));
}

/// The sums of one warp's tiles, and of the bands where a tile is on the
/// diagonal.
template <typename Sample> class Accumulator {
public:
  __device__ explicit Accumulator(int Warp) : Of(roleOf(Warp)) {}

  /// Adds the products of the 64 pixels of a slice.
  __device__ void add(const uint8_t *SliceData) {
    int Lane = threadIdx.x % 32;
    const uint8_t *Mine = SliceData + (Lane / 4) * Slice + (Lane % 4) * 16;
    uint4 Left[4];
#pragma unroll
    for (int I = 0; I < 4; ++I)
      Left[I] = load(Mine, Of.Shared, I);
#pragma unroll
    for (int Tile = 0; Tile < 2; ++Tile) {
      uint4 Right[4];
#pragma unroll
      for (int J = 0; J < 4; ++J)
        Right[J] = load(Mine, Of.Other[Tile], J);
      // All first words before all second ones: an instruction on the sums of
      // the one before would wait for it.
#pragma unroll
      for (int I = 0; I < 2; ++I) {
        const uint32_t A[4] = {Left[2 * I].x, Left[2 * I + 1].x, Left[2 * I].y,
                               Left[2 * I + 1].y};
#pragma unroll
        for (int J = 0; J < 4; ++J)
          multiply<Sample>(Sums[Tile][I][J], A, Right[J].x, Right[J].y);
      }
#pragma unroll
      for (int I = 0; I < 2; ++I) {
        const uint32_t A[4] = {Left[2 * I].z, Left[2 * I + 1].z, Left[2 * I].w,
                               Left[2 * I + 1].w};
#pragma unroll
        for (int J = 0; J < 4; ++J)
          multiply<Sample>(Sums[Tile][I][J], A, Right[J].z, Right[J].w);
      }
      if (Of.Other[Tile] == Of.Shared)
#pragma unroll
        for (int J = 0; J < 4; ++J)
          BandSums[J] = addBytes(Right[J], BandSums[J]);
    }
  }

  /// Adds what was summed up to the matrix and to the sums of the bands.
  __device__ void store(int64_t *Products, int64_t *OfBands, int Bands) const {
    int Group = threadIdx.x % 32 / 4, Quarter = threadIdx.x % 4;
#pragma unroll
    for (int Tile = 0; Tile < 2; ++Tile)
#pragma unroll
      for (int I = 0; I < 2; ++I)
#pragma unroll
        for (int J = 0; J < 4; ++J)
#pragma unroll
          for (int K = 0; K < 4; ++K) {
            int A = Of.Shared * Strip + 16 * I + 8 * (K / 2) + Group;
            int B = Of.Other[Tile] * Strip + 8 * J + 2 * Quarter + K % 2;
            // The last column of tiles has its strips the other way round.
            int Row = min(A, B), Column = max(A, B);
            // Below the diagonal of a tile on it the same sums stand again.
            bool Mine = Of.Other[Tile] != Of.Shared || A <= B;
            if (Mine && Column < Bands)
              atomicAdd(reinterpret_cast<unsigned long long *>(
                            &Products[Row * Bands + Column]),
                        widened(Sums[Tile][I][J][K]));
          }
    if (Of.Other[0] != Of.Shared && Of.Other[1] != Of.Shared)
      return;
#pragma unroll
    for (int J = 0; J < 4; ++J) {
      int Sum = BandSums[J];
      Sum += __shfl_xor_sync(~0u, Sum, 1);
      Sum += __shfl_xor_sync(~0u, Sum, 2);
      int Band = Of.Shared * Strip + 8 * J + Group;
      if (Quarter == 0 && Band < Bands)
        atomicAdd(reinterpret_cast<unsigned long long *>(&OfBands[Band]),
                  widened(Sum));
    }
  }

private:
  /// Rows 8 * \p J on of a strip.
  __device__ static uint4 load(const uint8_t *Mine, int Which, int J) {
    return *reinterpret_cast<const uint4 *>(Mine +
                                            (Which * Strip + 8 * J) * Slice);
  }

  __device__ static int addBytes(const uint4 &Row, int To) {
    for (uint32_t Bytes : {Row.x, Row.y, Row.z, Row.w}) {
      if constexpr (std::is_same_v<Sample, uint8_t>)
        To = int(__dp4a(Bytes, 0x01010101u, uint32_t(To)));
      else
        To = __dp4a(int(Bytes), 0x01010101, To);
    }
    return To;
  }

  /// Sums of unsigned bytes use all 32 bits.
  __device__ static unsigned long long widened(int Sum) {
    if constexpr (std::is_same_v<Sample, uint8_t>)
      return uint32_t(Sum);
    else
      return static_cast<unsigned long long>(int64_t(Sum));
  }

  Role Of;
  int Sums[2][2][4][4] = {};
  int BandSums[4] = {};
};

/// A block must not add more pixels than this before it stores: 65,536 * 255^2
/// < 2^32 and 65,536 * 128^2 < 2^31.
constexpr int MostPixels = 65536;

/// Blocks that share the chunks of an image evenly, one to a multiprocessor
/// where that is enough.
inline int blocksFor(int Chunks, int PixelsOfChunk) {
  int Device = 0, Blocks = 0;
  cudaGetDevice(&Device);
  cudaDeviceGetAttribute(&Blocks, cudaDevAttrMultiProcessorCount, Device);
  int Most = MostPixels / PixelsOfChunk;
  int Least = (Chunks + Most - 1) / Most;
  return Blocks > Least ? Blocks : Least;
}

} // namespace mnf::tensor

#endif // WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_TENSORCORES_CUH
