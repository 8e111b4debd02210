// Rule: cuda-memory-repeated-pass
// Mean and variance of 4096 rows of 16384 numbers: a block loads its row for
// the mean and again for what differs from it, or keeps 64 numbers a thread.
#include "Pair.cuh"

constexpr int Rows = 4096, Long = 16384, Threads = 256, Each = Long / Threads;

__device__ float sumOfBlock(float Mine) {
  __shared__ float Part[Threads / 32];
  for (int Step = 16; Step > 0; Step /= 2)
    Mine += __shfl_xor_sync(~0u, Mine, Step);
  if (threadIdx.x % 32 == 0)
    Part[threadIdx.x / 32] = Mine;
  __syncthreads();
  float Sum = 0;
  for (int W = 0; W < Threads / 32; ++W)
    Sum += Part[W];
  __syncthreads();
  return Sum;
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  const float *Row = In + size_t(blockIdx.x) * Long;
  float Sum = 0, Squares = 0;
  for (int I = threadIdx.x; I < Long; I += Threads)
    Sum += Row[I];
  const float Mean = sumOfBlock(Sum) / Long;
  for (int I = threadIdx.x; I < Long; I += Threads)
    Squares += (Row[I] - Mean) * (Row[I] - Mean);
  Squares = sumOfBlock(Squares);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Squares / Long;
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  const float *Row = In + size_t(blockIdx.x) * Long;
  float Mine[Each], Sum = 0, Squares = 0;
#pragma unroll
  for (int E = 0; E < Each; ++E) {
    Mine[E] = Row[threadIdx.x + E * Threads];
    Sum += Mine[E];
  }
  const float Mean = sumOfBlock(Sum) / Long;
#pragma unroll
  for (int E = 0; E < Each; ++E)
    Squares += (Mine[E] - Mean) * (Mine[E] - Mean);
  Squares = sumOfBlock(Squares);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Squares / Long;
}

int main() {
  const float *In = input<float>(size_t(Rows) * Long);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("spread-of-rows-in-registers");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Threads>>>(In, Expected);
    else
      after<<<Rows, Threads>>>(In, Out);
}
