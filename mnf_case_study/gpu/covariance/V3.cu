//===- V3.cu - Samples through shared memory (S_5, S_6) -------------------===//
//
// A sample is a factor of 224 elements. A block loads the samples of 16 x 16
// elements once for all of them. The lanes of a warp read different bands at
// the same pixel of Right: rows of 64 words, so all of them in one bank.
//
//===----------------------------------------------------------------------===//

#include "Covariance.h"

namespace mnf {

/// A block computes Tile x Tile elements from Depth pixels at a time.
constexpr int Tile = 16, Depth = 64;
/// Pixels of a block: enough blocks for any GPU, and 65,536 products of bytes
/// stay below 2^32.
constexpr int PixelsOfBlock = 16384;

template <typename Sample>
__global__ void addProductsOfTile(const Sample *Data, int64_t *Products,
                                  int Bands, int Pixels, int Pitch) {
  __shared__ int Left[Tile][Depth], Right[Tile][Depth];
  int X = threadIdx.x, Y = threadIdx.y;
  int FirstRow = blockIdx.y * Tile, FirstColumn = blockIdx.x * Tile;
  int First = blockIdx.z * PixelsOfBlock;
  int Last = min(First + PixelsOfBlock, Pixels);
  int64_t Sum = 0;
  for (int Pixel = First; Pixel < Last; Pixel += Depth) {
    // Half a warp loads neighbouring pixels of one band.
    for (int K = X; K < Depth; K += Tile) {
      bool Inside = Pixel + K < Last;
      Left[Y][K] = Inside && FirstRow + Y < Bands
                       ? Data[size_t(FirstRow + Y) * Pitch + Pixel + K]
                       : 0;
      Right[Y][K] = Inside && FirstColumn + Y < Bands
                        ? Data[size_t(FirstColumn + Y) * Pitch + Pixel + K]
                        : 0;
    }
    __syncthreads();
    int Part = 0;
    for (int K = 0; K < Depth; ++K)
      Part += Left[Y][K] * Right[X][K];
    Sum += Part;
    __syncthreads();
  }
  if (FirstRow + Y < Bands && FirstColumn + X < Bands)
    atomicAdd(reinterpret_cast<unsigned long long *>(
                  &Products[(FirstRow + Y) * Bands + FirstColumn + X]),
              static_cast<unsigned long long>(Sum));
}

template <typename Sample>
void addProductsV3(const Sample *Data, int64_t *Products, int Bands, int Pixels,
                   int Pitch) {
  dim3 Block(Tile, Tile);
  dim3 Grid((Bands + Tile - 1) / Tile, (Bands + Tile - 1) / Tile,
            (Pixels + PixelsOfBlock - 1) / PixelsOfBlock);
  addProductsOfTile<<<Grid, Block>>>(Data, Products, Bands, Pixels, Pitch);
}

template void addProductsV3(const uint8_t *, int64_t *, int, int, int);
template void addProductsV3(const int16_t *, int64_t *, int, int, int);

} // namespace mnf
