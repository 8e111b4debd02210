// Rule: cuda-memory-missing-reuse
// The Kronecker product of two matrices of doubles, 128x128 and 32x32: the
// second, which each block uses eight times, read from global memory or from a
// copy in shared memory.
#include "Pair.cuh"

constexpr int SizeA = 128, SizeB = 32, Size = SizeA * SizeB;
constexpr int Across = 8, BlockY = 8;

__global__ void before(const double *__restrict__ A,
                       const double *__restrict__ B,
                       double *__restrict__ Product) {
  const int X = threadIdx.x, Row = blockIdx.y, Column = blockIdx.x * Across;
#pragma unroll
  for (int K = 0; K < Across; ++K) {
    const double Factor = A[Row * SizeA + Column + K];
#pragma unroll
    for (int S = 0; S < SizeB; S += BlockY) {
      const int Y = S + threadIdx.y;
      Product[(Row * SizeB + Y) * Size + (Column + K) * SizeB + X] =
          Factor * B[Y * SizeB + X];
    }
  }
}

__global__ void after(const double *__restrict__ A,
                      const double *__restrict__ B,
                      double *__restrict__ Product) {
  __shared__ double Copy[SizeB][SizeB];
  const int X = threadIdx.x, Row = blockIdx.y, Column = blockIdx.x * Across;
#pragma unroll
  for (int S = 0; S < SizeB; S += BlockY)
    Copy[S + threadIdx.y][X] = B[(S + threadIdx.y) * SizeB + X];
  __syncthreads();
#pragma unroll
  for (int K = 0; K < Across; ++K) {
    const double Factor = A[Row * SizeA + Column + K];
#pragma unroll
    for (int S = 0; S < SizeB; S += BlockY) {
      const int Y = S + threadIdx.y;
      Product[(Row * SizeB + Y) * Size + (Column + K) * SizeB + X] =
          Factor * Copy[Y][X];
    }
  }
}

int main() {
  const double *A = input<double>(SizeA * SizeA),
               *B = input<double>(SizeB * SizeB);
  double *Expected = output<double>(Size * Size),
         *Out = output<double>(Size * Size);
  Pair P("kronecker-factors-shared");
  P.same(Expected, Out, Size * Size);
  const dim3 Grid(SizeA / Across, SizeA), Block(SizeB, BlockY);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(A, B, Expected);
    else
      after<<<Grid, Block>>>(A, B, Out);
}
