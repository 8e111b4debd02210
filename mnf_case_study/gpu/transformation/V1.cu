//===- V1.cu - Weights in constant memory (C_2) ---------------------------===//

#include "../DeviceImage.h"
#include "Transformation.h"

namespace mnf {

__constant__ static float ConstantWeights[MostBands * MostComponents];

__global__ void transformByConstants(const uint8_t *Image, float *Result,
                                     int Bands, int Pixels, int Pitch,
                                     int ResultPitch) {
  int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (Pixel >= Pixels)
    return;

  float Sum = 0;
  for (int Band = 0; Band < Bands; ++Band)
    Sum += ConstantWeights[Band * gridDim.y + blockIdx.y] *
           Image[size_t(Band) * Pitch + Pixel];
  Result[size_t(blockIdx.y) * ResultPitch + Pixel] = Sum;
}

void transformV1(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch) {
  cudaMemcpyToSymbolAsync(ConstantWeights, Weights,
                          sizeof(float) * Bands * Components, 0,
                          cudaMemcpyDeviceToDevice);
  dim3 Grid((Pixels + 255) / 256, Components);
  transformByConstants<<<Grid, 256>>>(Image, Result, Bands, Pixels, Pitch,
                                      ResultPitch);
}

} // namespace mnf
