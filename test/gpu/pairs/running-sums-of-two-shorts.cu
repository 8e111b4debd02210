// Rule: cuda-memory-narrow-access
// Running sums of 512 shorts: each thread brings one and takes part in the sum
// over the block, or brings two as a short2, adds them up, and takes part once.
#include "Pair.cuh"

constexpr int Threads = 256, Blocks = 1 << 16, Elements = Blocks * 2 * Threads;

/// The sum of the numbers of all threads before this one and its own.
__device__ float runningSum(float Own, float *Sums) {
  Sums[threadIdx.x] = Own;
  __syncthreads();
  for (unsigned Step = 1; Step < blockDim.x; Step *= 2) {
    const float Before = threadIdx.x >= Step ? Sums[threadIdx.x - Step] : 0;
    __syncthreads();
    Sums[threadIdx.x] += Before;
    __syncthreads();
  }
  return Sums[threadIdx.x];
}

__global__ void before(const short *In, float *Out) {
  __shared__ float Sums[2 * Threads];
  const unsigned I = blockIdx.x * 2 * Threads + threadIdx.x;
  Out[I] = runningSum(In[I] & 255, Sums);
}

__global__ void after(const short2 *In, float2 *Out) {
  __shared__ float Sums[Threads];
  const unsigned I = blockIdx.x * Threads + threadIdx.x;
  const short2 Two = In[I];
  const float First = Two.x & 255, Second = Two.y & 255;
  const float Sum = runningSum(First + Second, Sums);
  Out[I] = {Sum - Second, Sum};
}

int main() {
  const short *In = input<short>(Elements);
  float *Expected = output<float>(Elements), *Out = output<float>(Elements);
  Pair P("running-sums-of-two-shorts");
  P.same(Expected, Out, Elements);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 2 * Threads>>>(In, Expected);
    else
      after<<<Blocks, Threads>>>(reinterpret_cast<const short2 *>(In),
                                 reinterpret_cast<float2 *>(Out));
}
