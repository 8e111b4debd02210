// Rule: cuda-memory-atomic-contention
// Integers that a warp adds to one word are added up by the compiler: to do it
// by hand brings nothing.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__global__ void before(const unsigned *In, unsigned *Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (In[I] < 50)
    atomicAdd(Count, 1);
}

__global__ void after(const unsigned *In, unsigned *Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned Those = __ballot_sync(~0u, In[I] < 50);
  if (threadIdx.x % 32 == 0)
    atomicAdd(Count, __popc(Those));
}

int main() {
  const unsigned *In = input<unsigned>(N);
  unsigned *Expected = output<unsigned>(1), *Out = output<unsigned>(1);
  Pair P("atomic-one-word-aggregated");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
