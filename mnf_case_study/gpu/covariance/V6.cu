//===- V6.cu - Tensor cores, one pass over the image ----------------------===//
//
// Beyond the paper. V5 reads the image once for each of its 7 columns of tiles
// and is bound by dp4a; tensor cores multiply 16 times as much in a cycle. With
// the whole matrix in one block, DRAM and the tensor cores need about the same
// time; asynchronous copies, several chunks ahead, let them overlap.
//
//===----------------------------------------------------------------------===//

#include "../AsyncCopy.cuh"
#include "Covariance.h"
#include "TensorCores.cuh"

namespace mnf {

using namespace tensor;

/// Pixels that are copied together: a line of the cache of each band.
constexpr int Chunk = 2 * Slice;
constexpr int ChunkBytes = 2 * SliceBytes;
/// Six chunks of 28 KiB: what is on the way covers DRAM's latency twice over.
constexpr int Stages = 6;
constexpr int SharedBytes = Stages * ChunkBytes;

/// Starts the copies of one chunk; bytes that are not of the image become zero.
__device__ static void copyChunk(const uint8_t *Data, int Bands, int Pixels,
                                 int Pitch, int First, uint8_t *To) {
  constexpr int Pieces = Chunk / 16;
  static_assert(MostBands * Pieces % Threads == 0);
#pragma unroll
  for (int I = 0; I < MostBands * Pieces / Threads; ++I) {
    int Which = I * Threads + int(threadIdx.x);
    int Band = Which / Pieces, Piece = Which % Pieces;
    int Pixel = First + 16 * Piece;
    int There = Band < Bands ? min(max(Pixels - Pixel, 0), 16) : 0;
    // An address that exists, even where nothing is read.
    const uint8_t *From =
        Data + (There > 0 ? size_t(Band) * Pitch + Pixel : size_t(0));
    copyAsync(To + Piece / 4 * SliceBytes + Band * Slice + Piece % 4 * 16, From,
              There);
  }
}

__global__ void __launch_bounds__(Threads, 1)
    addProductsOnTensorCores(const uint8_t *Data, int64_t *Products,
                             int64_t *OfBands, int Bands, int Pixels, int Pitch,
                             int Chunks) {
  extern __shared__ __align__(128) uint8_t Buffers[];
  Accumulator<uint8_t> Sums(threadIdx.x / 32);
  int Next = blockIdx.x;
  const auto Start = [&](int Stage) {
    if (Next < Chunks)
      copyChunk(Data, Bands, Pixels, Pitch, Next * Chunk,
                Buffers + Stage * ChunkBytes);
    Next += gridDim.x;
    commitCopies();
  };
  for (int Stage = 0; Stage < Stages - 1; ++Stage)
    Start(Stage);

  int Stage = 0;
  for (int At = blockIdx.x; At < Chunks; At += gridDim.x) {
    waitForCopies<Stages - 2>();
    // The chunk is there for all, and all have read the one before, whose place
    // the next copy takes.
    __syncthreads();
    Start(Stage == 0 ? Stages - 1 : Stage - 1);
    const uint8_t *Here = Buffers + Stage * ChunkBytes;
    Sums.add(Here);
    Sums.add(Here + SliceBytes);
    Stage = Stage + 1 == Stages ? 0 : Stage + 1;
  }
  Sums.store(Products, OfBands, Bands);
}

void addProductsV6(const uint8_t *Data, int64_t *Products, int64_t *OfBands,
                   int Bands, int Pixels, int Pitch) {
  cudaFuncSetAttribute(addProductsOnTensorCores,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  int Chunks = (Pixels + Chunk - 1) / Chunk;
  addProductsOnTensorCores<<<blocksFor(Chunks, Chunk), Threads, SharedBytes>>>(
      Data, Products, OfBands, Bands, Pixels, Pitch, Chunks);
}

} // namespace mnf
