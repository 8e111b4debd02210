// Rule: cuda-memory-block-scratch
// A line is smoothed, and edges are found in what comes out, block by block:
// the smooth line goes to an array that nobody else looks at, or stays in
// shared memory.
#include "Pair.cuh"

constexpr int N = 1 << 22, Threads = 256;

__device__ float smooth(const float *In, int I) {
  return 0.25f * In[I] + 0.5f * In[I + 1] + 0.25f * In[I + 2];
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Level,
                       float *__restrict__ Out) {
  const int T = threadIdx.x, I = blockIdx.x * Threads + T;
  Level[I] = smooth(In, I);
  __syncthreads();
  const float Right = T + 1 < Threads ? Level[I + 1] : smooth(In, I + 1);
  Out[I] = Right - Level[I];
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float Level[Threads];
  const int T = threadIdx.x, I = blockIdx.x * Threads + T;
  const float Mine = smooth(In, I);
  Level[T] = Mine;
  __syncthreads();
  const float Right = T + 1 < Threads ? Level[T + 1] : smooth(In, I + 1);
  Out[I] = Right - Mine;
}

int main() {
  const float *In = input<float>(N + 4);
  float *Level = output<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("edges-from-levels-in-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(In, Level, Expected);
    else
      after<<<N / Threads, Threads>>>(In, Out);
}
