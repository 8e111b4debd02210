// Rule: cuda-memory-atomic-contention
// A count by warps, or by blocks with a word in shared memory.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(const unsigned *In, unsigned *Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned Those = __ballot_sync(~0u, In[I] < 50);
  if (threadIdx.x % 32 == 0)
    atomicAdd(Count, __popc(Those));
}

__global__ void after(const unsigned *In, unsigned *Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Those = __syncthreads_count(In[I] < 50);
  if (threadIdx.x == 0)
    atomicAdd(Count, Those);
}

int main() {
  const unsigned *In = input<unsigned>(N);
  unsigned *Expected = output<unsigned>(1), *Out = output<unsigned>(1);
  Pair P("atomic-block-count");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
