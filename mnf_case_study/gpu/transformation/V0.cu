//===- V0.cu - Weights in global memory -----------------------------------===//
//
// A matrix product that cuBLAS does not offer for 8-bit samples. The weights
// are the same for all threads of a warp but lie in global memory (the paper's
// V1 moves them to constant memory, C_2), and a warp asks for only 32 bytes of
// the image at a time.
//
//===----------------------------------------------------------------------===//

#include "Transformation.h"

namespace mnf {

__global__ void transformImage(const uint8_t *Image, const float *Weights,
                               float *Result, int Bands, int Pixels, int Pitch,
                               int ResultPitch) {
  int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (Pixel >= Pixels)
    return;

  float Sum = 0;
  for (int Band = 0; Band < Bands; ++Band)
    Sum += Weights[Band * gridDim.y + blockIdx.y] *
           Image[size_t(Band) * Pitch + Pixel];
  Result[size_t(blockIdx.y) * ResultPitch + Pixel] = Sum;
}

void transformV0(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch) {
  dim3 Grid((Pixels + 255) / 256, Components);
  transformImage<<<Grid, 256>>>(Image, Weights, Result, Bands, Pixels, Pitch,
                                ResultPitch);
}

} // namespace mnf
