// Rule: none
// Sums of 2048 numbers each: the last 256 are added in shared memory with a
// barrier a step, or with shuffles within warps. The numbers come from DRAM.
#include "Pair.cuh"

constexpr int Blocks = 12288, Each = 2048;

__device__ float ownSum(const float *In) {
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < Each; I += 256)
    Sum += In[blockIdx.x * Each + I + threadIdx.x];
  return Sum;
}

__global__ void before(const float *In, float *Out) {
  __shared__ float Sums[256];
  const int T = threadIdx.x;
  Sums[T] = ownSum(In);
  __syncthreads();
  for (int Half = 128; Half; Half /= 2) {
    if (T < Half)
      Sums[T] += Sums[T + Half];
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Sums[0];
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Sums[8];
  const int T = threadIdx.x;
  float Sum = ownSum(In);
  for (int Half = 16; Half; Half /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Half);
  if (T % 32 == 0)
    Sums[T / 32] = Sum;
  __syncthreads();
  if (T >= 8)
    return;
  Sum = Sums[T];
  for (int Half = 4; Half; Half /= 2)
    Sum += __shfl_down_sync(255, Sum, Half);
  if (T == 0)
    Out[blockIdx.x] = Sum;
}

int main() {
  const float *In = input<float>(Blocks * Each);
  float *Expected = output<float>(Blocks), *Out = output<float>(Blocks);
  Pair P("block-sums-by-shuffles");
  P.same(Expected, Out, Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
