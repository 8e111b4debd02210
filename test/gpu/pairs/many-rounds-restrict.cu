// Rule: cuda-memory-missing-restrict
// Eight rounds of a loop in a grid that fills the GPU: each waits for the store
// of the one before, or all are under way together.
#include "Pair.cuh"

constexpr int Threads = 1 << 22, Rounds = 8;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int R = 0; R < Rounds; ++R)
    Out[R * Threads + I] = 2 * In[R * Threads + I];
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int R = 0; R < Rounds; ++R)
    Out[R * Threads + I] = 2 * In[R * Threads + I];
}

int main() {
  constexpr int All = Threads * Rounds;
  const float *In = input<float>(All);
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("many-rounds-restrict");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Out);
}
