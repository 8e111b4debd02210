// Rule: cuda-memory-redundant-round-trip
// A sum that is kept in global memory from turn to turn, or in a register.
#include "Pair.cuh"

constexpr int Threads = 1 << 18, Each = 32;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 0;
  for (int J = 0; J < Each; ++J)
    Out[I] += In[J * Threads + I];
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
  Pair P("redundant-round-trip");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Out);
}
