// Rule: cuda-memory-local-array
// A stack that data fills and empties, in local or in shared memory.
// Options: --buffer=In=random,count=8388608,below=16
#include "Pair.cuh"

constexpr int Threads = 1 << 19, Each = 16;

__global__ void before(const unsigned *In, unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Slots[16] = {}, Hash = 0;
  for (int J = 0; J < Each; ++J) {
    const unsigned Which = In[J * Threads + I];
    Hash = Hash * 31 + Slots[Which];
    Slots[Which] = Hash + J + 1;
  }
  Out[I] = Hash;
}

__global__ void after(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Slots[16][128];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int K = 0; K < 16; ++K)
    Slots[K][threadIdx.x] = 0;
  unsigned Hash = 0;
  for (int J = 0; J < Each; ++J) {
    const unsigned Which = In[J * Threads + I];
    Hash = Hash * 31 + Slots[Which][threadIdx.x];
    Slots[Which][threadIdx.x] = Hash + J + 1;
  }
  Out[I] = Hash;
}

int main() {
  const unsigned *In = input<unsigned>(Threads * Each, 16);
  unsigned *Expected = output<unsigned>(Threads),
           *Out = output<unsigned>(Threads);
  Pair P("local-array-to-shared");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 128, 128>>>(In, Expected);
    else
      after<<<Threads / 128, 128>>>(In, Out);
}
