// Rule: cuda-memory-atomic-contention
// Every lane adds a float to the same word, or each block once.
#include "Pair.cuh"

constexpr int N = 1 << 18;

__global__ void before(const float *In, float *Sum) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(Sum, In[I]);
}

__global__ void after(const float *In, float *Sum) {
  __shared__ float Part[8];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Mine = In[I];
  for (int Step = 16; Step > 0; Step /= 2)
    Mine += __shfl_down_sync(~0u, Mine, Step);
  if (threadIdx.x % 32 == 0)
    Part[threadIdx.x / 32] = Mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int W = 1; W < 8; ++W)
      Mine += Part[W];
    atomicAdd(Sum, Mine);
  }
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(1), *Out = output<float>(1);
  Pair P("atomic-one-word");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
