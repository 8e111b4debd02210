//===- V2.cu - The image through shared memory (S_5, S_6) -----------------===//
//
// All components need the same samples: a block loads those of 64 pixels once
// and computes all components of them.
//
//===----------------------------------------------------------------------===//

#include "../DeviceImage.h"
#include "Transformation.h"

namespace mnf {

__constant__ static float ConstantWeights[MostBands * MostComponents];

/// A thread has each fourth component.
constexpr int Wide = 64, Groups = 4, OfThread = MostComponents / Groups;
constexpr int Depth = 32;

__global__ void transformThroughShared(const uint8_t *Image, float *Result,
                                       int Bands, int Components, int Pixels,
                                       int Pitch, int ResultPitch) {
  __shared__ uint8_t Tile[Depth][Wide];
  int Pixel = blockIdx.x * Wide + threadIdx.x;
  float Sums[OfThread] = {};
  for (int First = 0; First < Bands; First += Depth) {
    for (int Row = threadIdx.y; Row < Depth; Row += Groups)
      if (First + Row < Bands && Pixel < Pixels)
        Tile[Row][threadIdx.x] = Image[size_t(First + Row) * Pitch + Pixel];
    __syncthreads();
    int Count = min(Depth, Bands - First);
    for (int Row = 0; Row < Count; ++Row) {
      float Sample = Tile[Row][threadIdx.x];
#pragma unroll
      for (int I = 0; I < OfThread; ++I) {
        int Component = threadIdx.y + Groups * I;
        if (Component < Components)
          Sums[I] +=
              ConstantWeights[(First + Row) * Components + Component] * Sample;
      }
    }
    __syncthreads();
  }
  if (Pixel >= Pixels)
    return;
#pragma unroll
  for (int I = 0; I < OfThread; ++I)
    if (int Component = threadIdx.y + Groups * I; Component < Components)
      Result[size_t(Component) * ResultPitch + Pixel] = Sums[I];
}

void transformV2(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch) {
  cudaMemcpyToSymbolAsync(ConstantWeights, Weights,
                          sizeof(float) * Bands * Components, 0,
                          cudaMemcpyDeviceToDevice);
  transformThroughShared<<<(Pixels + Wide - 1) / Wide, dim3(Wide, Groups)>>>(
      Image, Result, Bands, Components, Pixels, Pitch, ResultPitch);
}

} // namespace mnf
