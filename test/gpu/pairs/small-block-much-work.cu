// Rule: cuda-memory-small-block
// Blocks of 64 that live long: larger ones bring nothing.
#include "Pair.cuh"

constexpr int Threads = 1 << 18, Each = 64;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += In[J * Threads + I];
  Out[I] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += In[J * Threads + I];
  Out[I] = Sum;
}

int main() {
  const float *In = input<float>(Threads * Each);
  float *Expected = output<float>(Threads), *Out = output<float>(Threads);
  Pair P("small-block-much-work");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 64, 64>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Out);
}
