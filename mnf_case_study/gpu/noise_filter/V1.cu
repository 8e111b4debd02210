//===- V1.cu - The window in registers (L_3) ------------------------------===//
//
// The paper gives the median up for the mean, because no sorting then indexes
// the window. A median by comparisons at fixed places needs no such index
// either and keeps the result; both are here.
//
//===----------------------------------------------------------------------===//

#include "Median.cuh"
#include "NoiseFilter.h"

namespace mnf {

template <bool Mean>
__global__ void filterNoiseInRegisters(const uint8_t *Image, int16_t *Noise,
                                       int Samples, int Lines, int Pitch) {
  int Column = blockIdx.x * blockDim.x + threadIdx.x;
  int Line = blockIdx.y * blockDim.y + threadIdx.y;
  if (Column >= Samples || Line >= Lines)
    return;

  const uint8_t *Band = Image + size_t(blockIdx.z) * Pitch;
  const uint8_t *Above = Band + max(Line - 1, 0) * Samples;
  const uint8_t *Middle = Band + Line * Samples;
  const uint8_t *Below = Band + min(Line + 1, Lines - 1) * Samples;
  int Left = max(Column - 1, 0), Right = min(Column + 1, Samples - 1);

  int Signal;
  if constexpr (Mean)
    Signal = (Above[Left] + Above[Column] + Above[Right] + Middle[Left] +
              Middle[Column] + Middle[Right] + Below[Left] + Below[Column] +
              Below[Right]) /
             9;
  else
    Signal = medianOf(sortColumn(Above[Left], Middle[Left], Below[Left]),
                      sortColumn(Above[Column], Middle[Column], Below[Column]),
                      sortColumn(Above[Right], Middle[Right], Below[Right]));
  Noise[size_t(blockIdx.z) * Pitch + Line * Samples + Column] =
      Middle[Column] - Signal;
}

void filterNoiseV1(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch) {
  dim3 Block(32, 8);
  dim3 Grid((Samples + 31) / 32, (Lines + 7) / 8, Bands);
  filterNoiseInRegisters<false>
      <<<Grid, Block>>>(Image, Noise, Samples, Lines, Pitch);
}

void filterNoiseV1Mean(const uint8_t *Image, int16_t *Noise, int Samples,
                       int Lines, int Bands, int Pitch) {
  dim3 Block(32, 8);
  dim3 Grid((Samples + 31) / 32, (Lines + 7) / 8, Bands);
  filterNoiseInRegisters<true>
      <<<Grid, Block>>>(Image, Noise, Samples, Lines, Pitch);
}

} // namespace mnf
