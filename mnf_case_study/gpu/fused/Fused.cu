//===- Fused.cu - Noise and its covariance in one pass --------------------===//
//
// Beyond the paper. Noise that one kernel writes and the next one reads is
// traffic; here a block computes the noise of a chunk of all bands into shared
// memory, where the tensor cores take it. But their sums need half of the
// registers, and four warps on a scheduler do not hide what a filter waits for:
// V5 of the filter and V7 of the covariance, which share no registers, are
// faster.
//
//===----------------------------------------------------------------------===//

#include "../covariance/Warpgroups.cuh"
#include "../noise_filter/NoiseBytes.cuh"
#include "../noise_filter/NoiseFilter.h"
#include "Fused.h"

namespace mnf {

using namespace warpgroups;

/// What half a warp filters of a band, in two chunks as wgmma reads them.
constexpr int TilesOfBuffer = 2 * Chunk / PixelsOfTile;
constexpr int BufferBytes = 2 * ChunkBytes;
/// One is multiplied while the next one is filtered.
constexpr int SharedBytes = 2 * BufferBytes + SlackBytes;

/// What a block filters: the same for all threads.
struct Source {
  const uint8_t *Image;
  NoiseTiles Tiles;
  int Bands, Pitch;

  __host__ __device__ int buffers() const {
    return (Tiles.count() + TilesOfBuffer - 1) / TilesOfBuffer;
  }
};

template <bool AtEdge>
__device__ static uint32_t filterTiles(const Source &Of, int Line, int Column,
                                       uint8_t *To) {
  TileFilter<AtEdge> By(Of.Tiles, Line, Column);
  uint32_t TooLarge = 0;
#pragma unroll 1
  for (int Band = threadIdx.x / TilesOfBuffer; Band < MostBands;
       Band += Threads / TilesOfBuffer) {
    uint4 Noise = {};
    if (Band < Of.Bands) {
      By.load(Of.Image + int64_t(Band) * Of.Pitch);
      By.take();
      Noise = By.noise(TooLarge);
    }
    *reinterpret_cast<uint4 *>(To + placeOf(Band, threadIdx.x % 8)) = Noise;
  }
  return TooLarge;
}

/// Computes the noise of this thread's tile of its bands.
__device__ static void fillBuffer(const Source &Of, int Which, uint8_t *To,
                                  WideChunks *Wide) {
  int Lane = threadIdx.x % TilesOfBuffer;
  // Behind the last tile: none of the image's lines.
  int Tile = min(Which * TilesOfBuffer + Lane, Of.Tiles.count());
  int Line = Tile / Of.Tiles.ofLine() * tile::High;
  int Column = Tile % Of.Tiles.ofLine() * tile::Wide;
  To += Lane / 8 * ChunkBytes;
  uint32_t TooLarge = __any_sync(~0u, Of.Tiles.areAtEdge(Line, Column))
                          ? filterTiles<true>(Of, Line, Column, To)
                          : filterTiles<false>(Of, Line, Column, To);
  if (TooLarge & 0xff00ff00u)
    Wide->add(Tile / TilesOfChunk, Of.Tiles);
}

__global__ void __launch_bounds__(Threads, 1)
    addNoiseInOnePass(Source Of, int *Partial, WideChunks *Wide) {
  extern __shared__ __align__(1024) uint8_t Buffers[];
  Accumulator<int8_t> Sums;
  int Stage = 0, Last = Of.buffers();
  if (blockIdx.x < Last)
    fillBuffer(Of, blockIdx.x, Buffers, Wide);
  for (int At = blockIdx.x; At < Last; At += gridDim.x) {
    publish();
    // Behind this barrier the buffer is full, and the place of the one before,
    // for which all have waited, is free.
    __syncthreads();
    const uint8_t *Here = Buffers + Stage * BufferBytes;
#pragma unroll
    for (int Part = 0; Part < 2; ++Part) {
      Sums.start(Here + Part * ChunkBytes);
      Sums.addBands(Here + Part * ChunkBytes);
    }
    Stage ^= 1;
    // The tensor cores multiply while the warps filter what comes next.
    if (int Next = At + int(gridDim.x); Next < Last)
      fillBuffer(Of, Next, Buffers + Stage * BufferBytes, Wide);
    waitForProducts<0>();
  }
  Sums.store(Partial);
}

size_t noiseScratchBytes(int Samples, int Lines) {
  Source Of = {nullptr, {Samples, Lines}, 0, 0};
  return partialBytes(blocksFor(Of.buffers(), 2 * Chunk)) +
         wideBytes(Samples, Lines);
}

void addNoiseProducts(const uint8_t *Image, int64_t *Products, int64_t *OfBands,
                      int Samples, int Lines, int Bands, int Pitch,
                      void *Scratch) {
  Source Of = {Image, {Samples, Lines}, Bands, Pitch};
  int Blocks = blocksFor(Of.buffers(), 2 * Chunk);
  auto *Partial = static_cast<int *>(Scratch);
  auto *Wide = reinterpret_cast<WideChunks *>(static_cast<char *>(Scratch) +
                                              partialBytes(Blocks));
  cudaFuncSetAttribute(addNoiseInOnePass,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  cudaMemsetAsync(Wide, 0, wideBytes(Samples, Lines));
  addNoiseInOnePass<<<Blocks, Threads, SharedBytes>>>(Of, Partial, Wide);
  addPartials<int8_t>(Partial, Blocks, Products, OfBands, Bands);
  correctProducts(Image, Wide, Products, OfBands, Samples, Lines, Bands, Pitch);
}

} // namespace mnf
