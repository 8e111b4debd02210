// Rule: cuda-memory-atomic-contention
// A histogram of 4,096 bins in global memory, or one for each block in shared
// memory.
#include "Pair.cuh"

constexpr int N = 1 << 22, Bins = 4096, Blocks = 264;

// Options: --buffer=In=random,count=4194304,below=65536
__global__ void before(const unsigned short *In, int *Counts) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x)
    atomicAdd(&Counts[In[I] % Bins], 1);
}

__global__ void after(const unsigned short *In, int *Counts) {
  __shared__ int Mine[Bins];
  for (int I = threadIdx.x; I < Bins; I += blockDim.x)
    Mine[I] = 0;
  __syncthreads();
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x)
    atomicAdd(&Mine[In[I] % Bins], 1);
  __syncthreads();
  for (int I = threadIdx.x; I < Bins; I += blockDim.x)
    atomicAdd(&Counts[I], Mine[I]);
}

int main() {
  const unsigned short *In = input<unsigned short>(N, 65536);
  int *Expected = output<int>(Bins), *Out = output<int>(Bins);
  Pair P("histogram-of-thousands");
  P.same(Expected, Out, Bins);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 512>>>(In, Expected);
    else
      after<<<Blocks, 512>>>(In, Out);
}
