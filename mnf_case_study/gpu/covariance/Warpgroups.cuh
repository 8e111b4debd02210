//===- Warpgroups.cuh - Products of all bands in one block ------*- C++ -*-===//
//
// What V7 and the fused kernel share. A block holds the upper half of a 224 x
// 224 matrix in the registers of four warpgroups; each pixel of the image then
// enters one multiprocessor once. Hopper's wgmma reads both factors from shared
// memory by itself and runs while its warps do something else.
//
// wgmma multiplies 64 rows with a number of columns. Tiles of 64 x 96 and 64 x
// 32, four of each, cover all on and above the diagonal, so that each warpgroup
// does the same with other addresses: one code, one load.
//
//       columns  0        64       96  128      160  192   224
//   row   0      [wide 0              ][wide 1        ][n 0]
//   row  64               [wide 2              ][n 1 ][n 2]
//   row 128                           [wide 3              ]
//   row 192                                            [n 3]
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_WARPGROUPS_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_WARPGROUPS_CUH

#include "../DeviceImage.h"

#include <initializer_list>
#include <type_traits>

namespace mnf::warpgroups {

constexpr int Threads = 512;

/// Pixels of a chunk: 128 bytes a band, the widest row that wgmma reads without
/// bank conflicts.
constexpr int Chunk = 128;
constexpr int ChunkBytes = MostBands * Chunk;
/// The last tiles begin at row 192 and read 64 rows. What follows the bands is
/// never stored, but it has to be memory.
constexpr int SlackBytes = (256 - MostBands) * Chunk;

/// Where 16 bytes of a band are in a chunk, counted from its begin: rows of 128
/// bytes whose pieces are exchanged so that eight rows have the same piece in
/// eight different banks ("128-byte swizzle").
__device__ inline int placeOf(int Band, int Piece) {
  return Band * Chunk + ((Piece ^ (Band & 7)) << 4);
}

/// What wgmma takes for the address of a factor: rows 128 bytes apart, eight
/// rows 1,024 bytes, 128-byte swizzle.
__device__ inline uint64_t descriptorOf(const uint8_t *Shared) {
  uint64_t Address = __cvta_generic_to_shared(Shared);
  return (Address & 0x3ffff) >> 4 | uint64_t(1) << 16 | uint64_t(64) << 32 |
         uint64_t(1) << 62;
}

// One asm statement names all registers of a tile: 16 of a narrow one, 48 of a
// wide one.
#define MNF_NARROW_TILE                                                        \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "                         \
  "%12, %13, %14, %15"
#define MNF_WIDE_TILE                                                          \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "                         \
  "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "               \
  "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "               \
  "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define MNF_FOUR(I)                                                            \
  "+r"(Sum[I]), "+r"(Sum[I + 1]), "+r"(Sum[I + 2]), "+r"(Sum[I + 3])
#define MNF_SIXTEEN(I)                                                         \
  MNF_FOUR(I), MNF_FOUR(I + 4), MNF_FOUR(I + 8), MNF_FOUR(I + 12)

/// \p Sample is uint8_t or int8_t.
template <typename Sample>
__device__ inline void multiply(int (&Sum)[16], uint64_t A, uint64_t B) {
  if constexpr (std::is_same_v<Sample, uint8_t>)
    asm volatile("wgmma.mma_async.sync.aligned.m64n32k32.s32.u8.u8 "
                 "{" MNF_NARROW_TILE "}, %16, %17, 1;"
                 : MNF_SIXTEEN(0)
                 : "l"(A), "l"(B));
  else
    asm volatile("wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8 "
                 "{" MNF_NARROW_TILE "}, %16, %17, 1;"
                 : MNF_SIXTEEN(0)
                 : "l"(A), "l"(B));
}

template <typename Sample>
__device__ inline void multiply(int (&Sum)[48], uint64_t A, uint64_t B) {
  if constexpr (std::is_same_v<Sample, uint8_t>)
    asm volatile("wgmma.mma_async.sync.aligned.m64n96k32.s32.u8.u8 "
                 "{" MNF_WIDE_TILE "}, %48, %49, 1;"
                 : MNF_SIXTEEN(0), MNF_SIXTEEN(16), MNF_SIXTEEN(32)
                 : "l"(A), "l"(B));
  else
    asm volatile("wgmma.mma_async.sync.aligned.m64n96k32.s32.s8.s8 "
                 "{" MNF_WIDE_TILE "}, %48, %49, 1;"
                 : MNF_SIXTEEN(0), MNF_SIXTEEN(16), MNF_SIXTEEN(32)
                 : "l"(A), "l"(B));
}

#undef MNF_NARROW_TILE
#undef MNF_WIDE_TILE
#undef MNF_FOUR
#undef MNF_SIXTEEN

/// What this thread wrote to shared memory is seen by wgmma after a barrier.
__device__ inline void publish() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Returns when no more than \p Running of this warpgroup's chunks are still
/// being multiplied.
template <int Running> __device__ inline void waitForProducts() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Running) : "memory");
}

constexpr int SumsOfThread = 64;

/// Where a tile begins.
struct Tile {
  int Row, Column;
};
__host__ __device__ constexpr Tile wideTile(int Group) {
  return {Group < 2 ? 0 : 64 * (Group - 1),
          Group < 2 ? 96 * Group : 64 * (Group - 1)};
}
__host__ __device__ constexpr Tile narrowTile(int Group) {
  return {Group == 0 ? 0 : Group == 3 ? 192 : 64, Group == 1 ? 160 : 192};
}

/// The element that sum \p Index of a thread belongs to.
__host__ __device__ constexpr Tile elementOf(int Thread, int Index) {
  int Group = Thread / 128, Warp = Thread / 32 % 4, Lane = Thread % 32;
  bool InWide = Index < 48;
  Tile Of = InWide ? wideTile(Group) : narrowTile(Group);
  int Here = InWide ? Index : Index - 48;
  return {Of.Row + 16 * Warp + 8 * (Here / 2 % 2) + Lane / 4,
          Of.Column + 8 * (Here / 4) + 2 * (Lane % 4) + Here % 2};
}

/// Adds up the samples of a chunk, a thread a band.
template <typename Sample>
__device__ inline void addBands(const uint8_t *Data, int &OfBand) {
  int Band = threadIdx.x;
  if (Band >= MostBands)
    return;
#pragma unroll
  for (int Piece = 0; Piece < Chunk / 16; ++Piece) {
    uint4 Samples =
        *reinterpret_cast<const uint4 *>(Data + placeOf(Band, Piece));
    for (uint32_t Bytes : {Samples.x, Samples.y, Samples.z, Samples.w}) {
      if constexpr (std::is_same_v<Sample, uint8_t>)
        OfBand = int(__dp4a(Bytes, 0x01010101u, uint32_t(OfBand)));
      else
        OfBand = __dp4a(int(Bytes), 0x01010101, OfBand);
    }
  }
}

/// The sums of one thread's part of two tiles, and of a band.
template <typename Sample> class Accumulator {
public:
  __device__ Accumulator() : Group(threadIdx.x / 128) {}

  /// Starts to add the products of a chunk that lies in shared memory.
  __device__ void start(const uint8_t *Data) {
    uint64_t WideA = descriptorOf(Data + wideTile(Group).Row * Chunk);
    uint64_t WideB = descriptorOf(Data + wideTile(Group).Column * Chunk);
    uint64_t NarrowA = descriptorOf(Data + narrowTile(Group).Row * Chunk);
    uint64_t NarrowB = descriptorOf(Data + narrowTile(Group).Column * Chunk);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int K = 0; K < Chunk / 32; ++K) {
      // 32 bytes on, inside of the swizzled row.
      multiply<Sample>(Wide, WideA + 2 * K, WideB + 2 * K);
      multiply<Sample>(Narrow, NarrowA + 2 * K, NarrowB + 2 * K);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }

  /// Adds up the samples of a chunk, a thread a band.
  __device__ void addBands(const uint8_t *Data) {
    warpgroups::addBands<Sample>(Data, OfBand);
  }

  /// Leaves the sums of this block in \p Partial, which addPartial() reads. 132
  /// blocks that add 28,000 sums each to the same matrix take 25 us; stores to
  /// neighbours take three.
  __device__ void store(int *Partial) const {
    int *Mine = Partial + blockIdx.x * PartialOfBlock + threadIdx.x;
#pragma unroll
    for (int I = 0; I < 48; ++I)
      Mine[I * Threads] = Wide[I];
#pragma unroll
    for (int I = 0; I < 16; ++I)
      Mine[(48 + I) * Threads] = Narrow[I];
    if (threadIdx.x < MostBands)
      Mine[SumsOfThread * Threads] = OfBand;
  }

  static constexpr int PartialOfBlock = (SumsOfThread + 1) * Threads;

private:
  int Group;
  int Wide[48] = {}, Narrow[16] = {};
  int OfBand = 0;
};

/// Adds the sums of all blocks. A thread has one sum of a part of the blocks;
/// blockIdx.x is its index in the thread of the kernel before.
template <typename Sample>
__global__ void addPartial(const int *Partial, int Blocks, int64_t *Products,
                           int64_t *OfBands, int Bands) {
  int Index = blockIdx.x, Thread = threadIdx.x;
  bool IsBand = Index == SumsOfThread;
  Tile Of = IsBand ? Tile{Thread, Thread} : elementOf(Thread, Index);
  if (Of.Row > Of.Column || Of.Column >= Bands)
    return;
  int64_t Sum = 0;
#pragma unroll 11
  for (int Block = blockIdx.y; Block < Blocks; Block += gridDim.y) {
    int Part = Partial[Block * Accumulator<Sample>::PartialOfBlock +
                       Index * Threads + Thread];
    // Sums of unsigned bytes use all 32 bits.
    if constexpr (std::is_same_v<Sample, uint8_t>)
      Sum += uint32_t(Part);
    else
      Sum += Part;
  }
  int64_t *To =
      IsBand ? &OfBands[Thread] : &Products[Of.Row * Bands + Of.Column];
  atomicAdd(reinterpret_cast<unsigned long long *>(To),
            static_cast<unsigned long long>(Sum));
}

/// Blocks that share the chunks of an image evenly: one to a multiprocessor,
/// and more only where the sums of a block would not fit: 65,536 pixels * 255^2
/// < 2^32 and 65,536 * 128^2 < 2^31.
inline int blocksFor(int Chunks, int PixelsOfChunk = Chunk) {
  const int MostChunks = 65536 / PixelsOfChunk;
  int Device = 0, Blocks = 0;
  cudaGetDevice(&Device);
  cudaDeviceGetAttribute(&Blocks, cudaDevAttrMultiProcessorCount, Device);
  int Least = (Chunks + MostChunks - 1) / MostChunks;
  return Blocks > Least ? Blocks : Least;
}

/// Bytes that store() needs on the device.
inline size_t partialBytes(int Blocks) {
  return sizeof(int) * Blocks * Accumulator<uint8_t>::PartialOfBlock;
}

template <typename Sample>
void addPartials(const int *Partial, int Blocks, int64_t *Products,
                 int64_t *OfBands, int Bands) {
  dim3 Grid(SumsOfThread + 1, 6);
  addPartial<Sample>
      <<<Grid, Threads>>>(Partial, Blocks, Products, OfBands, Bands);
}

} // namespace mnf::warpgroups

#endif // WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_WARPGROUPS_CUH
