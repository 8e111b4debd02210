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

/// Where rows of samples are. The second set, if there is one, begins at row
/// HalfRows.
constexpr int HalfRows = MostBands / 2;
template <typename Sample> struct Rows {
  const Sample *Sets[2];
  int Counts[2];
};

/// Starts the copies of one chunk; bytes that are not of the image become zero.
template <bool TwoSets, typename Sample>
__device__ static void copyChunk(const Rows<Sample> &Of, int Pixels, int Pitch,
                                 int First, uint8_t *To) {
  constexpr int Pieces = Chunk / 16;
#pragma unroll
  for (int Which = threadIdx.x; Which < MostBands * Pieces; Which += Threads) {
    int Row = Which / Pieces, Piece = Which % Pieces;
    bool Second = TwoSets && Row >= HalfRows;
    int InSet = Row - (Second ? HalfRows : 0);
    int Pixel = First + 16 * Piece;
    int There = InSet < (Second ? Of.Counts[1] : Of.Counts[0])
                    ? min(max(Pixels - Pixel, 0), 16)
                    : 0;
    // An address that exists, even where nothing is read.
    const Sample *From =
        (Second ? Of.Sets[1] : Of.Sets[0]) +
        (There > 0 ? size_t(InSet) * Pitch + Pixel : size_t(0));
    copyAsync(To + placeOf(Row, Piece), reinterpret_cast<const uint8_t *>(From),
              There);
  }
}

template <bool TwoSets, typename Sample>
__global__ void __launch_bounds__(Threads, 1)
    addProductsOfWarpgroups(Rows<Sample> Of, int *Partial, int Pixels,
                            int Pitch, int Chunks) {
  extern __shared__ __align__(1024) uint8_t Buffers[];
  Accumulator<Sample> Sums;
  int Next = blockIdx.x;
  const auto Start = [&](int Stage) {
    if (Next < Chunks)
      copyChunk<TwoSets>(Of, Pixels, Pitch, Next * Chunk,
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
  return partialBytes(blocksFor((Pixels + Chunk - 1) / Chunk));
}

/// \p Bands: how many of the rows have products.
template <bool TwoSets, typename Sample>
static void addProducts(const Rows<Sample> &Of, int64_t *Products,
                        int64_t *OfBands, int Bands, int Pixels, int Pitch,
                        void *Scratch) {
  cudaFuncSetAttribute(addProductsOfWarpgroups<TwoSets, Sample>,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  int Chunks = (Pixels + Chunk - 1) / Chunk, Blocks = blocksFor(Chunks);
  auto *Partial = static_cast<int *>(Scratch);
  addProductsOfWarpgroups<TwoSets>
      <<<Blocks, Threads, SharedBytes>>>(Of, Partial, Pixels, Pitch, Chunks);
  addPartials<Sample>(Partial, Blocks, Products, OfBands, Bands);
}

template <typename Sample>
void addProductsV7(const Sample *Data, int64_t *Products, int64_t *OfBands,
                   int Bands, int Pixels, int Pitch, void *Scratch) {
  addProducts<false, Sample>({{Data, Data}, {Bands, 0}}, Products, OfBands,
                             Bands, Pixels, Pitch, Scratch);
}

template void addProductsV7(const uint8_t *, int64_t *, int64_t *, int, int,
                            int, void *);
template void addProductsV7(const int8_t *, int64_t *, int64_t *, int, int, int,
                            void *);

void addProductsOfRowsV7(const RowsV7 &Of, int64_t *Products, int64_t *OfRows,
                         int Pixels, int Pitch, void *Scratch) {
  addProducts<true, uint8_t>(
      {{Of.Sets[0], Of.Sets[1]}, {Of.Counts[0], Of.Counts[1]}}, Products,
      OfRows, MostBands, Pixels, Pitch, Scratch);
}

} // namespace mnf
