//===- V3.cu - Each sample is read from shared memory once (S_6) ----------===//
//
// A window shares six of its nine samples with the one below. A thread walks
// down a column and keeps the two lines that it has read; of the nine reads of
// V2 three are left.
//
//===----------------------------------------------------------------------===//

#include "Median.cuh"
#include "NoiseFilter.h"

namespace mnf {

constexpr int Wide = 128, High = 16;

__global__ void filterNoiseDownColumns(const uint8_t *Image, int16_t *Noise,
                                       int Samples, int Lines, int Pitch) {
  __shared__ uint8_t Tile[High + 2][Wide + 2];
  const uint8_t *Band = Image + size_t(blockIdx.z) * Pitch;
  int FirstColumn = blockIdx.x * Wide, FirstLine = blockIdx.y * High;
  for (int Y = 0; Y < High + 2; ++Y) {
    int Line = min(max(FirstLine + Y - 1, 0), Lines - 1);
    for (int X = threadIdx.x; X < Wide + 2; X += Wide) {
      int Column = min(max(FirstColumn + X - 1, 0), Samples - 1);
      Tile[Y][X] = Band[Line * Samples + Column];
    }
  }
  __syncthreads();

  int X = threadIdx.x, Column = FirstColumn + X;
  if (Column >= Samples)
    return;
  int Above[3], Middle[3];
#pragma unroll
  for (int I = 0; I < 3; ++I) {
    Above[I] = Tile[0][X + I];
    Middle[I] = Tile[1][X + I];
  }
  size_t Here = size_t(blockIdx.z) * Pitch + FirstLine * Samples + Column;
  int Count = min(High, Lines - FirstLine);
  for (int Y = 0; Y < Count; ++Y, Here += Samples) {
    SortedColumn Sorted[3];
    int Below[3];
#pragma unroll
    for (int I = 0; I < 3; ++I) {
      Below[I] = Tile[Y + 2][X + I];
      Sorted[I] = sortColumn(Above[I], Middle[I], Below[I]);
    }
    Noise[Here] = Middle[1] - medianOf(Sorted[0], Sorted[1], Sorted[2]);
#pragma unroll
    for (int I = 0; I < 3; ++I) {
      Above[I] = Middle[I];
      Middle[I] = Below[I];
    }
  }
}

void filterNoiseV3(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch) {
  dim3 Grid((Samples + Wide - 1) / Wide, (Lines + High - 1) / High, Bands);
  filterNoiseDownColumns<<<Grid, Wide>>>(Image, Noise, Samples, Lines, Pitch);
}

} // namespace mnf
