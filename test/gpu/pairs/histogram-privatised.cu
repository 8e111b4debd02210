// Rule: cuda-memory-atomic-contention
// 256 bins in global memory, or first in each block's shared memory.
// Options: --buffer=In=random,count=4194304,below=256
#include "Pair.cuh"

constexpr int N = 1 << 22, Blocks = 528;

__global__ void before(const unsigned *In, unsigned *Bins) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    atomicAdd(&Bins[In[I]], 1);
}

__global__ void after(const unsigned *In, unsigned *Bins) {
  __shared__ unsigned Mine[256];
  Mine[threadIdx.x] = 0;
  __syncthreads();
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    atomicAdd(&Mine[In[I]], 1);
  __syncthreads();
  atomicAdd(&Bins[threadIdx.x], Mine[threadIdx.x]);
}

int main() {
  const unsigned *In = input<unsigned>(N, 256);
  unsigned *Expected = output<unsigned>(256), *Out = output<unsigned>(256);
  Pair P("histogram-privatised");
  P.same(Expected, Out, 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
