// Rule: cuda-memory-missing-restrict
// A store may change what the next turn reads, so the scale is loaded again
// each time.
#include "Pair.cuh"

constexpr int Threads = 1 << 18, Each = 16;

__global__ void before(const float *In, const float *Scale, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int J = 0; J < Each; ++J)
    Out[J * Threads + I] =
        Scale[0] * In[J * Threads + I] + Scale[1] * In[I] + Scale[2];
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Scale,
                      float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int J = 0; J < Each; ++J)
    Out[J * Threads + I] =
        Scale[0] * In[J * Threads + I] + Scale[1] * In[I] + Scale[2];
}

int main() {
  const float *In = input<float>(Threads * Each), *Scale = input<float>(3);
  float *Expected = output<float>(Threads * Each),
        *Out = output<float>(Threads * Each);
  Pair P("missing-restrict");
  P.same(Expected, Out, Threads * Each);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Scale, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Scale, Out);
}
