// Rule: cuda-memory-register-spill
// A few of 40 sums spill, beside a stream from DRAM.
#include "Pair.cuh"

constexpr int Threads = 1 << 18, Sums = 40, Steps = 32;

__device__ void sumsOf(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum[Sums];
#pragma unroll
  for (int K = 0; K < Sums; ++K)
    Sum[K] = K;
#pragma unroll 1
  for (int J = 0; J < Steps; ++J) {
    const float X = In[J * Threads + I];
#pragma unroll
    for (int K = 0; K < Sums; ++K)
      Sum[K] = Sum[K] * X + K;
  }
  float All = 0;
#pragma unroll
  for (int K = 0; K < Sums; ++K)
    All += Sum[K] * (K + 1);
  Out[I] = All;
}

__global__ void __launch_bounds__(256, 6) before(const float *In, float *Out) {
  sumsOf(In, Out);
}

__global__ void __launch_bounds__(256, 4) after(const float *In, float *Out) {
  sumsOf(In, Out);
}

int main() {
  const float *In = input<float>(Threads * Steps);
  float *Expected = output<float>(Threads), *Out = output<float>(Threads);
  Pair P("register-spill-some");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Out);
}
