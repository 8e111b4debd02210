// Rule: cuda-memory-atomic-contention
// A block adds up floats in one word of shared memory, or by shuffles first.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__global__ void before(const float *In, float *Sums) {
  __shared__ float Sum;
  if (threadIdx.x == 0)
    Sum = 0;
  __syncthreads();
  atomicAdd(&Sum, In[blockIdx.x * 256 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    Sums[blockIdx.x] = Sum;
}

__global__ void after(const float *In, float *Sums) {
  __shared__ float Sum;
  if (threadIdx.x == 0)
    Sum = 0;
  __syncthreads();
  float Mine = In[blockIdx.x * 256 + threadIdx.x];
  for (int Step = 16; Step > 0; Step /= 2)
    Mine += __shfl_down_sync(~0u, Mine, Step);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&Sum, Mine);
  __syncthreads();
  if (threadIdx.x == 0)
    Sums[blockIdx.x] = Sum;
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N / 256), *Out = output<float>(N / 256);
  Pair P("atomic-shared-one-word");
  P.same(Expected, Out, N / 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
