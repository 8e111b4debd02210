// Rule: cuda-memory-missing-restrict
// A table of 32 KB is looked up by way of L1. As advised, the kernel's pointers
// are declared __restrict__.
// Options: --buffer=Index=random,count=4194304,below=8192
#include "../Pair.cuh"

constexpr int N = 1 << 22, Table = 8192, Blocks = 528;

__global__ void before(const float *In, const unsigned *Index, float *Out) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    Out[I] = In[Index[I]];
}

__global__ void after(const float *__restrict__ In,
                      const unsigned *__restrict__ Index,
                      float *__restrict__ Out) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    Out[I] = In[Index[I]];
}

int main() {
  const float *In = input<float>(Table);
  const unsigned *Index = input<unsigned>(N, Table);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("gather-small-table-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Index, Expected);
    else
      after<<<Blocks, 256>>>(In, Index, Out);
}
