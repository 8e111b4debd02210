// Sixty blocks of 1,024 threads clamp so many floats in place, of a length that
// the compiler does not know, four bytes or sixteen bytes a lane at a time.
#ifndef WARPWISE_TEST_GPU_PAIRS_CLAMPBYSIXTYBLOCKS_CUH
#define WARPWISE_TEST_GPU_PAIRS_CLAMPBYSIXTYBLOCKS_CUH

#include "Pair.cuh"

__global__ void before(float *Values, float Floor, size_t Count) {
  unsigned long long I = blockIdx.x * blockDim.x + threadIdx.x;
  for (; I < Count; I += gridDim.x * blockDim.x)
    Values[I] = fmaxf(Values[I], Floor);
}

__global__ void after(float *Values, float Floor, size_t Count) {
  unsigned long long I = blockIdx.x * blockDim.x + threadIdx.x;
  float4 *Fours = reinterpret_cast<float4 *>(Values);
  for (; I < Count / 4; I += gridDim.x * blockDim.x) {
    float4 V = Fours[I];
    V.x = fmaxf(V.x, Floor), V.y = fmaxf(V.y, Floor);
    V.z = fmaxf(V.z, Floor), V.w = fmaxf(V.w, Floor);
    Fours[I] = V;
  }
}

inline void clampBySixtyBlocks(const char *Name, size_t Count) {
  float *Expected = output<float>(Count), *Values = output<float>(Count);
  Pair P(Name);
  P.same(Expected, Values, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<60, 1024>>>(Expected, 1.5f, Count);
    else
      after<<<60, 1024>>>(Values, 1.5f, Count);
}

#endif // WARPWISE_TEST_GPU_PAIRS_CLAMPBYSIXTYBLOCKS_CUH
