//===- V3.cu - Twenty components of four pixels a thread ------------------===//
//
// Beyond the paper. A word of four samples is converted once and serves 80
// multiplications from registers; the weights of a band are five broadcasts
// from shared memory. That leaves the multiplications themselves.
//
//===----------------------------------------------------------------------===//

#include "../DeviceImage.h"
#include "Transformation.h"

namespace mnf {

constexpr int Threads = 128, Group = 20;

/// A byte as a float: 2^23 + byte has it in its last bits. Two instructions at
/// full rate, where a conversion runs at an eighth of it.
__device__ static float asFloat(uint32_t Word, int Byte) {
  return __uint_as_float(__byte_perm(Word, 0x4b000000u, 0x7440 + Byte)) -
         8388608.0f;
}

__global__ void __launch_bounds__(Threads)
    transformFourPixels(const uint8_t *Image, const float *Weights,
                        float *Result, int Bands, int Components, int Pixels,
                        int Pitch, int ResultPitch) {
  // Components that the last group has not got weigh nothing.
  __shared__ __align__(16) float OfBands[MostBands][Group];
  for (int I = threadIdx.x; I < Bands * Group; I += Threads) {
    int Component = blockIdx.y * Group + I % Group;
    OfBands[I / Group][I % Group] =
        Component < Components ? Weights[I / Group * Components + Component]
                               : 0;
  }
  __syncthreads();

  int Pixel = 4 * (blockIdx.x * Threads + threadIdx.x);
  if (Pixel >= Pixels)
    return;
  float Sums[Group][4] = {};
#pragma unroll 4
  for (int Band = 0; Band < Bands; ++Band) {
    uint32_t Word = *reinterpret_cast<const uint32_t *>(
        Image + size_t(Band) * Pitch + Pixel);
    float Samples[4];
#pragma unroll
    for (int J = 0; J < 4; ++J)
      Samples[J] = asFloat(Word, J);
#pragma unroll
    for (int I = 0; I < Group; I += 4) {
      float4 Four = *reinterpret_cast<const float4 *>(&OfBands[Band][I]);
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        Sums[I][J] += Four.x * Samples[J];
        Sums[I + 1][J] += Four.y * Samples[J];
        Sums[I + 2][J] += Four.z * Samples[J];
        Sums[I + 3][J] += Four.w * Samples[J];
      }
    }
  }
#pragma unroll
  for (int I = 0; I < Group; ++I) {
    int Component = blockIdx.y * Group + I;
    if (Component < Components)
      // The pitch leaves room for what is behind the last pixel.
      *reinterpret_cast<float4 *>(
          &Result[size_t(Component) * ResultPitch + Pixel]) =
          make_float4(Sums[I][0], Sums[I][1], Sums[I][2], Sums[I][3]);
  }
}

void transformV3(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch) {
  dim3 Grid((Pixels + 4 * Threads - 1) / (4 * Threads),
            (Components + Group - 1) / Group);
  transformFourPixels<<<Grid, Threads>>>(
      Image, Weights, Result, Bands, Components, Pixels, Pitch, ResultPitch);
}

} // namespace mnf
