// Rule: cuda-memory-atomic-contention
// Five sums that fit a line and a curve to sixteen million points, by few
// blocks that stride over them: at the end each warp adds its sums to the
// totals atomically, or the block's warps add up theirs first.
#include "Pair.cuh"

constexpr int N = 1 << 24, Blocks = 132, Threads = 512, Moments = 5;

__device__ __forceinline__ void gather(const float *X, const float *Y, int N,
                                       float (&Sum)[Moments]) {
  for (int I = blockIdx.x * Threads + threadIdx.x; I < N;
       I += gridDim.x * Threads) {
    const float A = X[I], B = Y[I];
    Sum[0] += A;
    Sum[1] += B;
    Sum[2] += A * A;
    Sum[3] += A * B;
    Sum[4] += A * A * B;
  }
#pragma unroll
  for (int M = 0; M < Moments; ++M)
#pragma unroll
    for (int Step = 16; Step > 0; Step /= 2)
      Sum[M] += __shfl_xor_sync(~0u, Sum[M], Step);
}

__global__ void before(const float *__restrict__ X, const float *__restrict__ Y,
                       int N, double *__restrict__ Total) {
  float Sum[Moments] = {};
  gather(X, Y, N, Sum);
  if (threadIdx.x % 32 == 0)
#pragma unroll
    for (int M = 0; M < Moments; ++M)
      atomicAdd(Total + M, double(Sum[M]));
}

__global__ void after(const float *__restrict__ X, const float *__restrict__ Y,
                      int N, double *__restrict__ Total) {
  __shared__ float Part[Moments][Threads / 32];
  float Sum[Moments] = {};
  gather(X, Y, N, Sum);
  if (threadIdx.x % 32 == 0)
#pragma unroll
    for (int M = 0; M < Moments; ++M)
      Part[M][threadIdx.x / 32] = Sum[M];
  __syncthreads();
  if (threadIdx.x >= Moments)
    return;
  double OfBlock = 0;
  for (int W = 0; W < Threads / 32; ++W)
    OfBlock += Part[threadIdx.x][W];
  atomicAdd(Total + threadIdx.x, OfBlock);
}

int main() {
  const float *X = input<float>(N), *Y = input<float>(N);
  double *Expected = output<double>(Moments), *Out = output<double>(Moments);
  Pair P("moments-atomics-by-block");
  P.same(Expected, Out, Moments);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(X, Y, N, Expected);
    else
      after<<<Blocks, Threads>>>(X, Y, N, Out);
}
