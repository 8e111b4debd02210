//===- NoiseFilter.cu - Noise estimate by a median filter (V0) ------------===//
//
// The median needs the window sorted, and sorting indexes the private array
// with values that only the data decide: it cannot live in registers. The
// paper's first optimisation (L_3) replaces the median by the mean.
//
//===----------------------------------------------------------------------===//

#include "Mnf.h"

namespace mnf {

__device__ static int clamp(int Value, int Last) {
  return Value < 0 ? 0 : Value > Last ? Last : Value;
}

__global__ void filterNoise(const unsigned char *Image, short *Noise, int Width,
                            int Height) {
  int Column = blockIdx.x * blockDim.x + threadIdx.x;
  int Row = blockIdx.y * blockDim.y + threadIdx.y;
  if (Column >= Width || Row >= Height)
    return;

  int Band = blockIdx.z * Width * Height;
  unsigned char Window[9];
  int Filled = 0;
  for (int Y = Row - 1; Y <= Row + 1; ++Y) {
    for (int X = Column - 1; X <= Column + 1; ++X) {
      int Pixel = clamp(Y, Height - 1) * Width + clamp(X, Width - 1);
      unsigned char Sample = Image[Band + Pixel];
      int Slot = Filled++;
      for (; Slot > 0 && Window[Slot - 1] > Sample; --Slot)
        Window[Slot] = Window[Slot - 1];
      Window[Slot] = Sample;
    }
  }
  int Here = Band + Row * Width + Column;
  Noise[Here] = Image[Here] - Window[4];
}

} // namespace mnf
