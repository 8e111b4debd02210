//===- Transform.cu - The MNF transformation of 8-bit data (V0) -----------===//
//
// A matrix product that cuBLAS does not offer for 8-bit samples. The weights
// are the same for all threads of a warp but lie in global memory (the paper's
// V1 moves them to constant memory, C_2), and a warp asks for only 32 bytes of
// the image at a time.
//
//===----------------------------------------------------------------------===//

#include "Mnf.h"

namespace mnf {

__global__ void transformImage(const unsigned char *Image, const float *Weights,
                               float *Components, int Pixels, int Bands) {
  int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (Pixel >= Pixels)
    return;

  float Sum = 0;
  for (int Band = 0; Band < Bands; ++Band)
    Sum +=
        Weights[Band * gridDim.y + blockIdx.y] * Image[Band * Pixels + Pixel];
  Components[blockIdx.y * Pixels + Pixel] = Sum;
}

} // namespace mnf
