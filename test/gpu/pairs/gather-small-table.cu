// Rule: cuda-memory-gather
// A table of 32 KB, looked up by way of L1 or copied to shared memory, which
// has no lines to find but the same banks.
// Options: --buffer=Index=random,count=4194304,below=8192
#include "Pair.cuh"

constexpr int N = 1 << 22, Table = 8192, Blocks = 528;

__global__ void before(const float *In, const unsigned *Index, float *Out) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    Out[I] = In[Index[I]];
}

__global__ void after(const float *In, const unsigned *Index, float *Out) {
  __shared__ float Copy[Table];
  for (int I = threadIdx.x; I < Table; I += 256)
    Copy[I] = In[I];
  __syncthreads();
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    Out[I] = Copy[Index[I]];
}

int main() {
  const float *In = input<float>(Table);
  const unsigned *Index = input<unsigned>(N, Table);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("gather-small-table");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Index, Expected);
    else
      after<<<Blocks, 256>>>(In, Index, Out);
}
