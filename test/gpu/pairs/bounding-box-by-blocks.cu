// Rule: cuda-memory-atomic-contention
// The box around a million points of whole numbers, as largest and smallest
// coordinates (negated, so that all six are maxima): six atomics a point, or
// six a block after a reduction within warps and in shared memory.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__device__ int bound(const int3 &P, int Of) {
  const int C = Of % 3 == 0 ? P.x : Of % 3 == 1 ? P.y : P.z;
  return Of < 3 ? C : 1000000 - C;
}

__global__ void before(const int3 *Points, int *Box) {
  const int3 Mine = Points[blockIdx.x * blockDim.x + threadIdx.x];
  for (int Of = 0; Of < 6; ++Of)
    atomicMax(Box + Of, bound(Mine, Of));
}

__global__ void after(const int3 *Points, int *Box) {
  __shared__ int Most[6];
  if (threadIdx.x < 6)
    Most[threadIdx.x] = 0;
  __syncthreads();
  const int3 Mine = Points[blockIdx.x * blockDim.x + threadIdx.x];
  for (int Of = 0; Of < 6; ++Of) {
    const int OfWarp = __reduce_max_sync(~0u, bound(Mine, Of));
    if (threadIdx.x % 32 == 0)
      atomicMax(Most + Of, OfWarp);
  }
  __syncthreads();
  if (threadIdx.x < 6)
    atomicMax(Box + threadIdx.x, Most[threadIdx.x]);
}

int main() {
  const int *Points = input<int>(3 * N, 1000000);
  int *Expected = output<int>(6), *Out = output<int>(6);
  Pair P("bounding-box-by-blocks");
  P.same(Expected, Out, 6);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 512, 512>>>((const int3 *)Points, Expected);
    else
      after<<<N / 512, 512>>>((const int3 *)Points, Out);
}
