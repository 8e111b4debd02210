//===- V0.cu - Median in a private array ----------------------------------===//
//
// The median needs the window sorted, and sorting indexes the private array
// with values that only the data decide: it cannot live in registers. The
// paper's first optimisation (L_3) replaces the median by the mean.
//
//===----------------------------------------------------------------------===//

#include "NoiseFilter.h"

namespace mnf {

__device__ static int clamp(int Value, int Last) {
  return Value < 0 ? 0 : Value > Last ? Last : Value;
}

__global__ void filterNoiseInLocalArray(const uint8_t *Image, int16_t *Noise,
                                        int Samples, int Lines, int Pitch) {
  int Column = blockIdx.x * blockDim.x + threadIdx.x;
  int Line = blockIdx.y * blockDim.y + threadIdx.y;
  if (Column >= Samples || Line >= Lines)
    return;

  size_t Band = size_t(blockIdx.z) * Pitch;
  uint8_t Window[9];
  int Filled = 0;
  for (int Y = Line - 1; Y <= Line + 1; ++Y) {
    for (int X = Column - 1; X <= Column + 1; ++X) {
      int Pixel = clamp(Y, Lines - 1) * Samples + clamp(X, Samples - 1);
      uint8_t Sample = Image[Band + Pixel];
      int Slot = Filled++;
      for (; Slot > 0 && Window[Slot - 1] > Sample; --Slot)
        Window[Slot] = Window[Slot - 1];
      Window[Slot] = Sample;
    }
  }
  size_t Here = Band + Line * Samples + Column;
  Noise[Here] = Image[Here] - Window[4];
}

void filterNoiseV0(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch) {
  dim3 Block(16, 16);
  dim3 Grid((Samples + 15) / 16, (Lines + 15) / 16, Bands);
  filterNoiseInLocalArray<<<Grid, Block>>>(Image, Noise, Samples, Lines, Pitch);
}

} // namespace mnf
