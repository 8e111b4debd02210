// Rule: cuda-memory-uncoalesced-access
// A matrix of doubles times a vector: a thread per row, or a warp, whose lanes
// read neighbours and meet by shuffles.
#include "Pair.cuh"

constexpr int Rows = 4096, Columns = 1024;

__global__ void before(const double *A, const double *X, double *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  double Sum = 0;
  for (int C = 0; C < Columns; ++C)
    Sum += A[Row * Columns + C] * X[C];
  Y[Row] = Sum;
}

__global__ void after(const double *A, const double *X, double *Y) {
  const int Lane = threadIdx.x % 32;
  const int Row = blockIdx.x * 8 + threadIdx.x / 32;
  double Sum = 0;
  for (int C = Lane; C < Columns; C += 32)
    Sum += A[Row * Columns + C] * X[C];
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Step);
  if (Lane == 0)
    Y[Row] = Sum;
}

int main() {
  const double *A = input<double>(Rows * Columns), *X = input<double>(Columns);
  double *Expected = output<double>(Rows), *Out = output<double>(Rows);
  Pair P("matrix-vector-double");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 64, 64>>>(A, X, Expected);
    else
      after<<<Rows / 8, 256>>>(A, X, Out);
}
