// Rule: cuda-memory-scalar-stream
// Sums and sums of squares of sixteen million doubles, of each block apart: a
// thread keeps one pair of sums, or four that do not wait for each other.
#include "Pair.cuh"

constexpr int N = 1 << 24, Blocks = 256, Threads = 256;

__device__ void addUp(double Sum, double Square, double *Out) {
  __shared__ double Part[2][Threads / 32];
  for (int Step = 16; Step > 0; Step /= 2) {
    Sum += __shfl_down_sync(~0u, Sum, Step);
    Square += __shfl_down_sync(~0u, Square, Step);
  }
  if (threadIdx.x % 32 == 0) {
    Part[0][threadIdx.x / 32] = Sum;
    Part[1][threadIdx.x / 32] = Square;
  }
  __syncthreads();
  if (threadIdx.x >= 2)
    return;
  double Total = 0;
  for (int W = 0; W < Threads / 32; ++W)
    Total += Part[threadIdx.x][W];
  Out[2 * blockIdx.x + threadIdx.x] = Total;
}

__global__ void before(const double *__restrict__ In, int Count,
                       double *__restrict__ Out) {
  double Sum = 0, Square = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Count;
       I += gridDim.x * Threads) {
    const double X = In[I];
    Sum += X;
    Square += X * X;
  }
  addUp(Sum, Square, Out);
}

__global__ void after(const double *__restrict__ In, int Count,
                      double *__restrict__ Out) {
  const int Stride = gridDim.x * Threads;
  double S0 = 0, S1 = 0, S2 = 0, S3 = 0, Q0 = 0, Q1 = 0, Q2 = 0, Q3 = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Count; I += 4 * Stride) {
    const double A = In[I], B = In[I + Stride], C = In[I + 2 * Stride],
                 D = In[I + 3 * Stride];
    S0 += A, S1 += B, S2 += C, S3 += D;
    Q0 += A * A, Q1 += B * B, Q2 += C * C, Q3 += D * D;
  }
  addUp(S0 + S1 + (S2 + S3), Q0 + Q1 + (Q2 + Q3), Out);
}

int main() {
  const double *In = input<double>(N);
  double *Expected = output<double>(2 * Blocks),
         *Out = output<double>(2 * Blocks);
  Pair P("variance-four-sums");
  P.same(Expected, Out, 2 * Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(In, N, Expected);
    else
      after<<<Blocks, Threads>>>(In, N, Out);
}
