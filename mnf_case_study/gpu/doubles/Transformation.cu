//===- Transformation.cu - Samples of any type, any number of bands -------===//
//
// As transformation/V3: twenty components of four pixels a thread. The weights
// of more bands than 224 come to shared memory in parts.
//
//===----------------------------------------------------------------------===//

#include "Doubles.h"

namespace mnf::doubles {

constexpr int Group = 20, Threads = 128, BandsOfPart = 224;

/// Four samples, with no instruction that converts: 2^23 + sample has the
/// sample in its last bits, and \p Less is 2^23 more for integers.
__device__ static float4 loadFour(const uint8_t *At, float Less) {
  uint32_t Word = *reinterpret_cast<const uint32_t *>(At);
  const auto Of = [&](int Selector) {
    return __uint_as_float(__byte_perm(Word, 0x4b000000u, Selector)) - Less;
  };
  return make_float4(Of(0x7440), Of(0x7441), Of(0x7442), Of(0x7443));
}
__device__ static float4 loadFour(const uint16_t *At, float Less) {
  uint2 Words = *reinterpret_cast<const uint2 *>(At);
  const auto Of = [&](uint32_t Word, int Selector) {
    return __uint_as_float(__byte_perm(Word, 0x4b000000u, Selector)) - Less;
  };
  return make_float4(Of(Words.x, 0x7410), Of(Words.x, 0x7432),
                     Of(Words.y, 0x7410), Of(Words.y, 0x7432));
}
__device__ static float4 loadFour(const float *At, float) {
  return *reinterpret_cast<const float4 *>(At);
}

template <typename Sample>
__global__ void __launch_bounds__(Threads)
    transformFour(const Sample *Image, const float *Weights, float *Result,
                  int Bands, int Components, int Pixels, int Pitch,
                  int ResultPitch, float Less) {
  __shared__ __align__(16) float OfBands[BandsOfPart][Group];
  int Pixel = 4 * (blockIdx.x * Threads + threadIdx.x);
  float Sums[Group][4] = {};
  for (int First = 0; First < Bands; First += BandsOfPart) {
    int Count = min(BandsOfPart, Bands - First);
    __syncthreads();
    for (int I = threadIdx.x; I < Count * Group; I += Threads) {
      int Component = blockIdx.y * Group + I % Group;
      OfBands[I / Group][I % Group] =
          Component < Components
              ? Weights[size_t(First + I / Group) * Components + Component]
              : 0;
    }
    __syncthreads();
    if (Pixel >= Pixels)
      continue;
#pragma unroll 2
    for (int Band = 0; Band < Count; ++Band) {
      float4 Samples =
          loadFour(Image + size_t(First + Band) * Pitch + Pixel, Less);
#pragma unroll
      for (int I = 0; I < Group; ++I) {
        float Weight = OfBands[Band][I];
        Sums[I][0] += Weight * Samples.x;
        Sums[I][1] += Weight * Samples.y;
        Sums[I][2] += Weight * Samples.z;
        Sums[I][3] += Weight * Samples.w;
      }
    }
  }
  if (Pixel >= Pixels)
    return;
#pragma unroll
  for (int I = 0; I < Group; ++I)
    if (int Component = blockIdx.y * Group + I; Component < Components)
      // The pitch leaves room for what is behind the last pixel.
      *reinterpret_cast<float4 *>(
          &Result[size_t(Component) * ResultPitch + Pixel]) =
          make_float4(Sums[I][0], Sums[I][1], Sums[I][2], Sums[I][3]);
}

template <typename Sample>
void transform(const Sample *Image, const float *Weights, float *Result,
               int Bands, int Components, int Pixels, int Pitch,
               int ResultPitch, int Less) {
  const float More = sizeof(Sample) == 4 ? 0 : 8388608.0f;
  dim3 Grid((Pixels + 4 * Threads - 1) / (4 * Threads),
            (Components + Group - 1) / Group);
  transformFour<<<Grid, Threads>>>(Image, Weights, Result, Bands, Components,
                                   Pixels, Pitch, ResultPitch,
                                   More + float(Less));
}

template void transform(const uint8_t *, const float *, float *, int, int, int,
                        int, int, int);
template void transform(const uint16_t *, const float *, float *, int, int, int,
                        int, int, int);
template void transform(const float *, const float *, float *, int, int, int,
                        int, int, int);

} // namespace mnf::doubles
