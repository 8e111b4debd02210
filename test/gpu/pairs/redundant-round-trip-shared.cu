// Rule: cuda-memory-redundant-round-trip
// A running sum that volatile keeps in shared memory from turn to turn, or in a
// register; the block adds the sums up afterwards.
#include "Pair.cuh"

constexpr int Threads = 256, Each = 1024, Blocks = 1 << 10;

__device__ void addUp(volatile int *Sums, int *Out) {
  const int T = threadIdx.x;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (T < Half)
      Sums[T] = Sums[T] + Sums[T + Half];
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Sums[0];
}

__global__ void before(const int *In, int *Out) {
  __shared__ volatile int Sums[Threads];
  const int T = threadIdx.x, First = blockIdx.x % 16 * Threads;
  Sums[T] = 0;
  for (int J = 0; J < Each; ++J)
    Sums[T] = Sums[T] + In[First + J * Threads + T];
  addUp(Sums, Out);
}

__global__ void after(const int *In, int *Out) {
  __shared__ volatile int Sums[Threads];
  const int T = threadIdx.x, First = blockIdx.x % 16 * Threads;
  int Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += In[First + J * Threads + T];
  Sums[T] = Sum;
  addUp(Sums, Out);
}

int main() {
  const int *In = input<int>(Threads * (Each + 16));
  int *Expected = output<int>(Blocks), *Out = output<int>(Blocks);
  Pair P("redundant-round-trip-shared");
  P.same(Expected, Out, Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(In, Expected);
    else
      after<<<Blocks, Threads>>>(In, Out);
}
