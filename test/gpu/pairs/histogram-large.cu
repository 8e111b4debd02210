// Rule: cuda-memory-atomic-contention
// With 8192 bins there is little contention; each block has bins of its own to
// clear and to merge, and few values to count.
// Options: --buffer=In=random,count=1048576,below=8192
#include "Pair.cuh"

constexpr int N = 1 << 20, Bins = 8192, Blocks = 528;

__global__ void before(const unsigned *In, unsigned *All) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    atomicAdd(&All[In[I]], 1);
}

__global__ void after(const unsigned *In, unsigned *All) {
  __shared__ unsigned Mine[Bins];
  for (int B = threadIdx.x; B < Bins; B += 256)
    Mine[B] = 0;
  __syncthreads();
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    atomicAdd(&Mine[In[I]], 1);
  __syncthreads();
  for (int B = threadIdx.x; B < Bins; B += 256)
    if (Mine[B])
      atomicAdd(&All[B], Mine[B]);
}

int main() {
  const unsigned *In = input<unsigned>(N, Bins);
  unsigned *Expected = output<unsigned>(Bins), *Out = output<unsigned>(Bins);
  Pair P("histogram-large");
  P.same(Expected, Out, Bins);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
