// Rule: cuda-memory-small-block
// An element per thread, or as many blocks as the GPU holds, each with many
// elements.
#include "Pair.cuh"

constexpr int N = 1 << 22, Blocks = 1056;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I];
}

__global__ void after(const float *In, float *Out) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    Out[I] = 2 * In[I];
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("grid-of-tiny-blocks");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 64, 64>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
