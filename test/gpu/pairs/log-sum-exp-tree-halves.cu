// Rule: cuda-memory-idle-lanes
// The logarithm of a sum of exponentials of each 1024 log-likelihoods: pairs of
// a largest value and a sum are merged by a tree in shared memory. Threads that
// are multiples of the stride merge, or the first ones: the classic step from
// interleaved to sequential addressing (Harris, "Optimizing parallel
// reduction"), here with exponentials in each step.
#include "Pair.cuh"

constexpr int N = 1 << 24, Block = 256, Each = 4, Blocks = N / Block / Each;

__device__ float2 merged(float2 A, float2 B) {
  const float Top = fmaxf(A.x, B.x);
  return make_float2(Top, A.y * __expf(A.x - Top) + B.y * __expf(B.x - Top));
}

__device__ float2 ofThread(const float *In) {
  float2 Pair = make_float2(20 * In[threadIdx.x], 1.0f);
  for (int E = 1; E < Each; ++E)
    Pair = merged(Pair, make_float2(20 * In[E * Block + threadIdx.x], 1.0f));
  return Pair;
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float2 Pairs[Block];
  const int T = threadIdx.x;
  Pairs[T] = ofThread(In + size_t(blockIdx.x) * Block * Each);
  __syncthreads();
  for (int Stride = 1; Stride < Block; Stride *= 2) {
    if (T % (2 * Stride) == 0)
      Pairs[T] = merged(Pairs[T], Pairs[T + Stride]);
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Pairs[0].x + logf(Pairs[0].y);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float2 Pairs[Block];
  const int T = threadIdx.x;
  Pairs[T] = ofThread(In + size_t(blockIdx.x) * Block * Each);
  __syncthreads();
  for (int Stride = Block / 2; Stride > 0; Stride /= 2) {
    if (T < Stride)
      Pairs[T] = merged(Pairs[T], Pairs[T + Stride]);
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Pairs[0].x + logf(Pairs[0].y);
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(Blocks), *Out = output<float>(Blocks);
  Pair P("log-sum-exp-tree-halves");
  P.same(Expected, Out, Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Block>>>(In, Expected);
    else
      after<<<Blocks, Block>>>(In, Out);
}
