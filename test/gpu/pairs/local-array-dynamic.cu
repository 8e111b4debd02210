// Rule: cuda-memory-local-array
// An index that data decides keeps the array in memory; a chain of selections
// keeps it in registers.
// Options: --buffer=In=random,count=16777216,below=8
#include "Pair.cuh"

constexpr int Threads = 1 << 20, Each = 16;

__global__ void before(const unsigned *In, unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Count[8] = {};
  for (int J = 0; J < Each; ++J)
    Count[In[J * Threads + I]] += J + 1;
  unsigned Hash = 0;
#pragma unroll
  for (int K = 0; K < 8; ++K)
    Hash = Hash * 31 + Count[K];
  Out[I] = Hash;
}

__global__ void after(const unsigned *In, unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Count[8] = {};
  for (int J = 0; J < Each; ++J) {
    const unsigned Which = In[J * Threads + I];
#pragma unroll
    for (int K = 0; K < 8; ++K)
      Count[K] += K == Which ? J + 1 : 0;
  }
  unsigned Hash = 0;
#pragma unroll
  for (int K = 0; K < 8; ++K)
    Hash = Hash * 31 + Count[K];
  Out[I] = Hash;
}

int main() {
  const unsigned *In = input<unsigned>(Threads * Each, 8);
  unsigned *Expected = output<unsigned>(Threads),
           *Out = output<unsigned>(Threads);
  Pair P("local-array-dynamic");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Out);
}
