// Rule: cuda-memory-atomic-contention
// A histogram of bytes in each block's shared memory, or in each warp's: evenly
// spread bytes rarely meet.
// Options: --buffer=In=random,count=8388608,below=256
#include "Pair.cuh"

constexpr int N = 1 << 23, Blocks = 528;

__global__ void before(const unsigned char *In, unsigned *All) {
  __shared__ unsigned Mine[256];
  Mine[threadIdx.x] = 0;
  __syncthreads();
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    atomicAdd(&Mine[In[I]], 1);
  __syncthreads();
  atomicAdd(&All[threadIdx.x], Mine[threadIdx.x]);
}

__global__ void after(const unsigned char *In, unsigned *All) {
  __shared__ unsigned Mine[8][256];
  const int Warp = threadIdx.x / 32;
  for (int W = 0; W < 8; ++W)
    Mine[W][threadIdx.x] = 0;
  __syncthreads();
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    atomicAdd(&Mine[Warp][In[I]], 1);
  __syncthreads();
  unsigned Sum = 0;
  for (int W = 0; W < 8; ++W)
    Sum += Mine[W][threadIdx.x];
  atomicAdd(&All[threadIdx.x], Sum);
}

int main() {
  const unsigned char *In = input<unsigned char>(N, 256);
  unsigned *Expected = output<unsigned>(256), *Out = output<unsigned>(256);
  Pair P("histogram-per-warp");
  P.same(Expected, Out, 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
