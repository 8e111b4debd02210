//===- V7.cu - Asynchronous tensor cores ----------------------------------===//
//
// Beyond the paper. The warps of V6 load factors to registers, multiply, wait
// for each other; a third of the tensor cores' time is used. wgmma takes the
// factors from shared memory at twice the rate, and chunks follow each other
// without a pause: what remains is DRAM.
//
//===----------------------------------------------------------------------===//

#include "../AsyncCopy.cuh"
#include "Covariance.h"
#include "Warpgroups.cuh"

namespace mnf {

using namespace warpgroups;

/// Chunks in shared memory: one is multiplied, one waits to be freed, five are
/// on their way, 140 KiB, five times what DRAM's latency asks for.
constexpr int Stages = 7;
constexpr int SharedBytes = Stages * ChunkBytes + SlackBytes;

/// Starts the copies of one chunk; bytes that are not of the image become zero.
__device__ static void copyChunk(const uint8_t *Data, int Bands, int Pixels,
                                 int Pitch, int First, uint8_t *To) {
  constexpr int Pieces = Chunk / 16;
#pragma unroll
  for (int Which = threadIdx.x; Which < MostBands * Pieces; Which += Threads) {
    int Band = Which / Pieces, Piece = Which % Pieces;
    int Pixel = First + 16 * Piece;
    int There = Band < Bands ? min(max(Pixels - Pixel, 0), 16) : 0;
    // An address that exists, even where nothing is read.
    const uint8_t *From =
        Data + (There > 0 ? size_t(Band) * Pitch + Pixel : size_t(0));
    copyAsync(To + placeOf(Band, Piece), From, There);
  }
}

__global__ void __launch_bounds__(Threads, 1)
    addProductsOfWarpgroups(const uint8_t *Data, int *Partial, int Bands,
                            int Pixels, int Pitch, int Chunks) {
  extern __shared__ __align__(1024) uint8_t Buffers[];
  Accumulator<uint8_t> Sums;
  int Next = blockIdx.x;
  const auto Start = [&](int Stage) {
    if (Next < Chunks)
      copyChunk(Data, Bands, Pixels, Pitch, Next * Chunk,
                Buffers + Stage * ChunkBytes);
    Next += gridDim.x;
    commitCopies();
  };
  for (int Stage = 0; Stage < Stages - 2; ++Stage)
    Start(Stage);

  int Stage = 0;
  for (int At = blockIdx.x; At < Chunks; At += gridDim.x) {
    waitForCopies<Stages - 3>();
    publish();
    // This chunk is there for all. The one before the last is multiplied, as
    // all have waited for it: its place is free.
    __syncthreads();
    Start(Stage < 2 ? Stage + Stages - 2 : Stage - 2);
    const uint8_t *Here = Buffers + Stage * ChunkBytes;
    Sums.start(Here);
    Sums.addBands(Here);
    waitForProducts<1>();
    Stage = Stage + 1 == Stages ? 0 : Stage + 1;
  }
  waitForProducts<0>();
  Sums.store(Partial);
}

size_t scratchBytesV7(int Pixels) {
  return partialBytes((Pixels + Chunk - 1) / Chunk);
}

void addProductsV7(const uint8_t *Data, int64_t *Products, int64_t *OfBands,
                   int Bands, int Pixels, int Pitch, void *Scratch) {
  cudaFuncSetAttribute(addProductsOfWarpgroups,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  int Chunks = (Pixels + Chunk - 1) / Chunk, Blocks = blocksFor(Chunks);
  auto *Partial = static_cast<int *>(Scratch);
  addProductsOfWarpgroups<<<Blocks, Threads, SharedBytes>>>(
      Data, Partial, Bands, Pixels, Pitch, Chunks);
  addPartials<uint8_t>(Partial, Blocks, Products, OfBands, Bands);
}

} // namespace mnf
