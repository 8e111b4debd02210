// Rule: cuda-memory-redundant-round-trip
// The gradient through a softmax of 16384 rows of 1024: a block reads its two
// rows for their product and again for the result, or keeps them in registers.
#include "Pair.cuh"

constexpr int Rows = 16384, Columns = 1024, Threads = 256,
              Each = Columns / Threads;

__device__ float sumOfBlock(float Sum) {
  __shared__ float Part[Threads / 32];
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Step);
  if (threadIdx.x % 32 == 0)
    Part[threadIdx.x / 32] = Sum;
  __syncthreads();
  Sum = 0;
#pragma unroll
  for (int W = 0; W < Threads / 32; ++W)
    Sum += Part[W];
  return Sum;
}

__global__ void before(const float *Y, const float *DY, float *DX) {
  const int First = blockIdx.x * Columns;
  float Sum = 0;
  for (int C = threadIdx.x; C < Columns; C += Threads)
    Sum += Y[First + C] * DY[First + C];
  Sum = sumOfBlock(Sum);
  for (int C = threadIdx.x; C < Columns; C += Threads)
    DX[First + C] = Y[First + C] * (DY[First + C] - Sum);
}

__global__ void after(const float *Y, const float *DY, float *DX) {
  const int First = blockIdx.x * Columns + threadIdx.x;
  float OfY[Each], OfDY[Each], Sum = 0;
#pragma unroll
  for (int E = 0; E < Each; ++E) {
    OfY[E] = Y[First + E * Threads];
    OfDY[E] = DY[First + E * Threads];
    Sum += OfY[E] * OfDY[E];
  }
  Sum = sumOfBlock(Sum);
#pragma unroll
  for (int E = 0; E < Each; ++E)
    DX[First + E * Threads] = OfY[E] * (OfDY[E] - Sum);
}

int main() {
  constexpr int Count = Rows * Columns;
  const float *Y = input<float>(Count), *DY = input<float>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("softmax-gradient-row-kept");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Threads>>>(Y, DY, Expected);
    else
      after<<<Rows, Threads>>>(Y, DY, Out);
}
