//===- V5.cu - Half a matrix, 4 x 4 elements a thread, dp4a ---------------===//
//
// Beyond the paper. V4 reads two words of shared memory for each product. Bytes
// stay packed here: a word of two bands gives four products, and a thread that
// computes 4 x 4 elements reads 8 words for 64 of them. Only tiles on and above
// the diagonal are computed.
//
//===----------------------------------------------------------------------===//

#include "Covariance.h"

namespace mnf {

constexpr int Tile = 32, Threads = 64;
/// Words of four pixels; a row of the tile is one longer, against conflicts.
constexpr int Depth = 32;
constexpr int PixelsOfBlock = 16384;

__global__ void addProductsOfWords(const uint8_t *Data, int64_t *Products,
                                   int Bands, int Pixels, int Pitch) {
  if (blockIdx.x < blockIdx.y)
    return;
  __shared__ uint32_t Left[Tile][Depth + 1], Right[Tile][Depth + 1];
  int X = threadIdx.x % 8, Y = threadIdx.x / 8;
  int FirstRow = blockIdx.y * Tile, FirstColumn = blockIdx.x * Tile;
  int First = blockIdx.z * PixelsOfBlock;
  int Last = min(First + PixelsOfBlock, Pixels);
  uint32_t Sums[4][4] = {}; // 16,384 * 255^2 < 2^32

  for (int Pixel = First; Pixel < Last; Pixel += 4 * Depth) {
    // A warp loads 128 pixels of a band at a time.
    int K = threadIdx.x % Depth;
    int Rest = min(max(Last - Pixel - 4 * K, 0), 4);
    uint32_t Inside = Rest == 4 ? ~0u : (1u << (8 * Rest)) - 1;
    for (int Row = threadIdx.x / Depth; Row < Tile; Row += Threads / Depth) {
      const auto Load = [&](int Band) {
        return Band < Bands && Rest > 0
                   ? *reinterpret_cast<const uint32_t *>(
                         Data + size_t(Band) * Pitch + Pixel + 4 * K) &
                         Inside
                   : 0;
      };
      Left[Row][K] = Load(FirstRow + Row);
      Right[Row][K] = Load(FirstColumn + Row);
    }
    __syncthreads();
#pragma unroll 4
    for (int I = 0; I < Depth; ++I) {
      uint32_t A[4], B[4];
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        A[J] = Left[Y + 8 * J][I];
        B[J] = Right[X + 8 * J][I];
      }
#pragma unroll
      for (int R = 0; R < 4; ++R)
#pragma unroll
        for (int C = 0; C < 4; ++C)
          Sums[R][C] = __dp4a(A[R], B[C], Sums[R][C]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int R = 0; R < 4; ++R)
#pragma unroll
    for (int C = 0; C < 4; ++C) {
      int Row = FirstRow + Y + 8 * R, Column = FirstColumn + X + 8 * C;
      if (Row < Bands && Column < Bands)
        atomicAdd(reinterpret_cast<unsigned long long *>(
                      &Products[Row * Bands + Column]),
                  static_cast<unsigned long long>(Sums[R][C]));
    }
}

void addProductsV5(const uint8_t *Data, int64_t *Products, int Bands,
                   int Pixels, int Pitch) {
  dim3 Grid((Bands + Tile - 1) / Tile, (Bands + Tile - 1) / Tile,
            (Pixels + PixelsOfBlock - 1) / PixelsOfBlock);
  addProductsOfWords<<<Grid, Threads>>>(Data, Products, Bands, Pixels, Pitch);
}

} // namespace mnf
