// Rule: cuda-memory-few-warps
// The scalar product of two vectors of four million numbers, by one block of
// 1024 threads, or by 264 of them, which add up atomically.
#include "Pair.cuh"

constexpr int N = 1 << 22, Threads = 1024;

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
  return Sum;
}

__global__ void before(const float *__restrict__ A, const float *__restrict__ B,
                       float *__restrict__ Out, int Count) {
  float Sum = 0;
  for (int I = threadIdx.x; I < Count; I += Threads)
    Sum += A[I] * B[I];
  Sum = sumOfBlock(Sum);
  if (threadIdx.x == 0)
    *Out = Sum * 1e-6f;
}

__global__ void after(const float *__restrict__ A, const float *__restrict__ B,
                      float *__restrict__ Out, int Count) {
  float Sum = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Count;
       I += gridDim.x * Threads)
    Sum += A[I] * B[I];
  Sum = sumOfBlock(Sum);
  if (threadIdx.x == 0)
    atomicAdd(Out, Sum * 1e-6f);
}

int main() {
  const float *A = input<float>(N), *B = input<float>(N);
  float *Expected = output<float>(1), *Out = output<float>(1);
  Pair P("dot-product-by-many-blocks");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<1, Threads>>>(A, B, Expected, N);
    else
      after<<<264, Threads>>>(A, B, Out, N);
}
