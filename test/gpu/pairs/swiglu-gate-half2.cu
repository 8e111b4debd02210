// Rule: cuda-memory-narrow-access
// The gated unit of a feed-forward layer: one half of each row of a tensor of
// halves, through a sigmoid, times the other half, one number a thread or a
// pair of them.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int Tokens = 2048, Wide = 8192;

__device__ inline float gated(float Gate, float Up) {
  return Gate / (1.0f + __expf(-Gate)) * Up;
}

__global__ void before(const __half *__restrict__ In, __half *__restrict__ Out,
                       int Wide) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t Row = blockIdx.y;
  const float Gate = __half2float(In[Row * 2 * Wide + C]);
  const float Up = __half2float(In[Row * 2 * Wide + Wide + C]);
  Out[Row * Wide + C] = __float2half_rn(gated(Gate, Up));
}

__global__ void after(const __half2 *__restrict__ In, __half2 *__restrict__ Out,
                      int Wide) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t Row = blockIdx.y;
  const float2 Gate = __half22float2(In[Row * Wide + C]);
  const float2 Up = __half22float2(In[Row * Wide + Wide / 2 + C]);
  Out[Row * (Wide / 2) + C] =
      __floats2half2_rn(gated(Gate.x, Up.x), gated(Gate.y, Up.y));
}

__global__ void fillHalves(__half *Memory, size_t Count) {
  for (size_t I = blockIdx.x * size_t(256) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * 256)
    Memory[I] = __float2half(float(mixed(I) % 4096) / 512.0f - 4.0f);
}

int main() {
  const size_t Count = size_t(Tokens) * Wide;
  __half *In = output<__half>(2 * Count);
  fillHalves<<<1024, 256>>>(In, 2 * Count);
  unsigned short *Expected = output<unsigned short>(Count),
                 *Out = output<unsigned short>(Count);
  Pair P("swiglu-gate-half2");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Wide / 256, Tokens), 256>>>(In, (__half *)Expected, Wide);
    else
      after<<<dim3(Wide / 512, Tokens), 256>>>((const __half2 *)In,
                                               (__half2 *)Out, Wide);
}
