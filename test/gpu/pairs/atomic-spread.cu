// Rule: cuda-memory-atomic-contention
// Atomics where each lane has a word of its own: no contention, and no dearer
// than to load and store.
#include "Pair.cuh"

constexpr int N = 1 << 21;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&Out[I], In[I]);
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] += In[I];
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("atomic-spread");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
