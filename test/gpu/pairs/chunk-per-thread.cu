// Rule: cuda-memory-uncoalesced-access
// A thread adds up 16 neighbouring elements; by strides of the block lanes
// would be neighbours. L1 has the rest of the sector when it is asked for.
#include "Pair.cuh"

constexpr int Threads = 1 << 20, Each = 16;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += In[I * Each + J];
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
  const float *Turned =
      arranged(In, Threads * Each, Threads * Each,
               [](size_t I) { return I % Threads * Each + I / Threads; });
  float *Expected = output<float>(Threads), *Out = output<float>(Threads);
  Pair P("chunk-per-thread");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(Turned, Out);
}
