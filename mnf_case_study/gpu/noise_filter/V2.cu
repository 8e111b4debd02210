//===- V2.cu - Lines through shared memory (S_5) --------------------------===//
//
// Each line serves the windows of three lines, so a block loads its tile and
// the edge about it once.
//
//===----------------------------------------------------------------------===//

#include "Median.cuh"
#include "NoiseFilter.h"

namespace mnf {

constexpr int Wide = 32, High = 8;

__global__ void filterNoiseThroughShared(const uint8_t *Image, int16_t *Noise,
                                         int Samples, int Lines, int Pitch) {
  __shared__ uint8_t Tile[High + 2][Wide + 2];
  const uint8_t *Band = Image + size_t(blockIdx.z) * Pitch;
  int FirstColumn = blockIdx.x * Wide, FirstLine = blockIdx.y * High;
  for (int Y = threadIdx.y; Y < High + 2; Y += High) {
    int Line = min(max(FirstLine + Y - 1, 0), Lines - 1);
    for (int X = threadIdx.x; X < Wide + 2; X += Wide) {
      int Column = min(max(FirstColumn + X - 1, 0), Samples - 1);
      Tile[Y][X] = Band[Line * Samples + Column];
    }
  }
  __syncthreads();

  int Column = FirstColumn + threadIdx.x, Line = FirstLine + threadIdx.y;
  if (Column >= Samples || Line >= Lines)
    return;
  const auto SortedAt = [&](int X) {
    return sortColumn(Tile[threadIdx.y][X], Tile[threadIdx.y + 1][X],
                      Tile[threadIdx.y + 2][X]);
  };
  int X = threadIdx.x;
  int Signal = medianOf(SortedAt(X), SortedAt(X + 1), SortedAt(X + 2));
  Noise[size_t(blockIdx.z) * Pitch + Line * Samples + Column] =
      Tile[threadIdx.y + 1][X + 1] - Signal;
}

void filterNoiseV2(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch) {
  dim3 Block(Wide, High);
  dim3 Grid((Samples + Wide - 1) / Wide, (Lines + High - 1) / High, Bands);
  filterNoiseThroughShared<<<Grid, Block>>>(Image, Noise, Samples, Lines,
                                            Pitch);
}

} // namespace mnf
