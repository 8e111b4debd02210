//===- WideTiles.cuh - Products of all bands in two warpgroups --*- C++ -*-===//
//
// The upper half of a 224 x 224 matrix in tiles of 64 rows, each as wide as its
// rows ask for. wgmma reads 64 rows and all columns of a tile from shared
// memory, so one wide tile reads less than several narrow ones: 24 KiB for 32
// pixels where the tiles of Warpgroups.cuh need 32 KiB.
//
//       columns  0        64       128      192  224
//   row   0      [0                              ]   of warpgroup 0
//   row  64               [1                     ]                1
//   row 128                        [2            ]                1
//   row 192                                 [3   ]                0
//
// Both warpgroups have 256 columns, 128 sums a thread.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_WIDETILES_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_WIDETILES_CUH

#include "Warpgroups.cuh"

namespace mnf::widetiles {

using warpgroups::Chunk;
using warpgroups::ChunkBytes;
using warpgroups::descriptorOf;
using warpgroups::SlackBytes;
using warpgroups::Tile;
using warpgroups::waitForProducts;

/// Threads that multiply, and sums of each.
constexpr int Multipliers = 256, SumsOfThread = 128;

/// The tiles of a warpgroup; they begin at the diagonal.
__host__ __device__ constexpr int rowOf(int Group, bool Second) {
  return Group == 0 ? (Second ? 192 : 0) : (Second ? 128 : 64);
}
__host__ __device__ constexpr int columnsOf(int Group, bool Second) {
  return MostBands - rowOf(Group, Second);
}

// One asm statement names all registers of a tile.
#define MNF_TEN(T)                                                             \
  "%" T "0, %" T "1, %" T "2, %" T "3, %" T "4, %" T "5, %" T "6, %" T         \
  "7, %" T "8, %" T "9"
#define MNF_SUMS_16 MNF_TEN("") ", %10, %11, %12, %13, %14, %15"
#define MNF_SUMS_40                                                            \
  MNF_TEN("") ", " MNF_TEN("1") ", " MNF_TEN("2") ", " MNF_TEN("3")
#define MNF_SUMS_48 MNF_SUMS_40 ", %40, %41, %42, %43, %44, %45, %46, %47"
#define MNF_SUMS_80                                                            \
  MNF_SUMS_40                                                                  \
  ", " MNF_TEN("4") ", " MNF_TEN("5") ", " MNF_TEN("6") ", " MNF_TEN("7")
#define MNF_SUMS_112                                                           \
  MNF_SUMS_80                                                                  \
  ", " MNF_TEN("8") ", " MNF_TEN("9") ", " MNF_TEN("10") ", %110, %111"
#define MNF_FOUR(I)                                                            \
  "+r"(Sum[I]), "+r"(Sum[I + 1]), "+r"(Sum[I + 2]), "+r"(Sum[I + 3])
#define MNF_SIXTEEN(I)                                                         \
  MNF_FOUR(I), MNF_FOUR(I + 4), MNF_FOUR(I + 8), MNF_FOUR(I + 12)
#define MNF_MULTIPLY(Columns, Type, Sums, A, B, ...)                           \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" #Columns "k32.s32." Type    \
               "." Type " {" Sums "}, %" #A ", %" #B ", 1;"                    \
               : __VA_ARGS__                                                   \
               : "l"(Left), "l"(Right))
/// \p Sample is uint8_t or int8_t.
#define MNF_WIDTH(Columns, Count, A, B, ...)                                   \
  template <typename Sample>                                                   \
  __device__ inline void multiply(int(&Sum)[Count], uint64_t Left,             \
                                  uint64_t Right) {                            \
    if constexpr (std::is_same_v<Sample, uint8_t>)                             \
      MNF_MULTIPLY(Columns, "u8", MNF_SUMS_##Count, A, B, __VA_ARGS__);        \
    else                                                                       \
      MNF_MULTIPLY(Columns, "s8", MNF_SUMS_##Count, A, B, __VA_ARGS__);        \
  }

MNF_WIDTH(32, 16, 16, 17, MNF_SIXTEEN(0))
MNF_WIDTH(96, 48, 48, 49, MNF_SIXTEEN(0), MNF_SIXTEEN(16), MNF_SIXTEEN(32))
MNF_WIDTH(160, 80, 80, 81, MNF_SIXTEEN(0), MNF_SIXTEEN(16), MNF_SIXTEEN(32),
          MNF_SIXTEEN(48), MNF_SIXTEEN(64))
MNF_WIDTH(224, 112, 112, 113, MNF_SIXTEEN(0), MNF_SIXTEEN(16), MNF_SIXTEEN(32),
          MNF_SIXTEEN(48), MNF_SIXTEEN(64), MNF_SIXTEEN(80), MNF_SIXTEEN(96))

#undef MNF_TEN
#undef MNF_SUMS_16
#undef MNF_SUMS_40
#undef MNF_SUMS_48
#undef MNF_SUMS_80
#undef MNF_SUMS_112
#undef MNF_FOUR
#undef MNF_SIXTEEN
#undef MNF_MULTIPLY
#undef MNF_WIDTH

/// The element that sum \p Index of a thread belongs to. Four sums that follow
/// each other are two neighbours and the two eight rows below.
__host__ __device__ constexpr Tile elementOf(int Thread, int Index) {
  int Group = Thread / 128, Warp = Thread / 32 % 4, Lane = Thread % 32;
  int OfFirst = columnsOf(Group, false) / 2;
  bool Second = Index >= OfFirst;
  int Begin = rowOf(Group, Second), Here = Second ? Index - OfFirst : Index;
  return {Begin + 16 * Warp + 8 * (Here / 2 % 2) + Lane / 4,
          Begin + 8 * (Here / 4) + 2 * (Lane % 4) + Here % 2};
}

/// What a block leaves of its pixels: sums in fours, those of the threads and
/// behind them those of the bands.
constexpr int FoursOfThreads = Multipliers * SumsOfThread / 4;
constexpr int FoursOfSet = FoursOfThreads + MostBands / 4;

/// The sums of one thread's part of two tiles, and of a band.
template <typename Sample, int Group> class Accumulator {
public:
  /// Starts to add the products of a chunk that lies in shared memory.
  __device__ void start(const uint8_t *Data) {
    uint64_t OfFirst = descriptorOf(Data + rowOf(Group, false) * Chunk);
    uint64_t OfSecond = descriptorOf(Data + rowOf(Group, true) * Chunk);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int K = 0; K < Chunk / 32; ++K) {
      // 32 bytes on, inside of the swizzled row.
      multiply<Sample>(First, OfFirst + 2 * K, OfFirst + 2 * K);
      multiply<Sample>(Second, OfSecond + 2 * K, OfSecond + 2 * K);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }

  /// Adds up the samples of a chunk, a thread a band.
  __device__ void addBands(const uint8_t *Data) {
    warpgroups::addBands<Sample>(Data, OfBand);
  }

  /// Leaves the sums in a set.
  __device__ void store(int4 *Set) const {
    int4 *Mine = Set + threadIdx.x;
#pragma unroll
    for (int I = 0; I < OfFirst; I += 4)
      Mine[I / 4 * Multipliers] =
          make_int4(First[I], First[I + 1], First[I + 2], First[I + 3]);
#pragma unroll
    for (int I = 0; I < OfSecond; I += 4)
      Mine[(OfFirst + I) / 4 * Multipliers] =
          make_int4(Second[I], Second[I + 1], Second[I + 2], Second[I + 3]);
    if (threadIdx.x < MostBands)
      reinterpret_cast<int *>(Set + FoursOfThreads)[threadIdx.x] = OfBand;
  }

private:
  static constexpr int OfFirst = columnsOf(Group, false) / 2;
  static constexpr int OfSecond = columnsOf(Group, true) / 2;
  int First[OfFirst] = {}, Second[OfSecond] = {};
  int OfBand = 0;
};

} // namespace mnf::widetiles

#endif // WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_WIDETILES_CUH
