// Rule: cuda-memory-missing-reuse
// The public matrix of a lattice signature scheme, 6 x 5 polynomials of 256
// coefficients, times the vectors of many signatures, point by point after the
// number theoretic transform. A thread reads a column of the matrix for one
// signature, or for four.
#include "Pair.cuh"

constexpr int Degree = 256, Rows = 6, Columns = 5, Signatures = 2048;
constexpr int AtOnce = 4, Q = 8380417;

/// Sum / 2^32 modulo Q, from 0 to Q - 1.
__device__ int reduced(long long Sum) {
  const int T = int(uint32_t(Sum) * 58728449u);
  const int R = int((Sum - (long long)T * Q) >> 32);
  return R + (R < 0 ? Q : 0);
}

__global__ void before(const int *__restrict__ Matrix,
                       const int *__restrict__ Vectors,
                       int *__restrict__ Products) {
  const int C = threadIdx.x, S = blockIdx.x;
  int V[Columns];
#pragma unroll
  for (int J = 0; J < Columns; ++J)
    V[J] = Vectors[(S * Columns + J) * Degree + C];
#pragma unroll
  for (int K = 0; K < Rows; ++K) {
    long long Sum = 0;
#pragma unroll
    for (int J = 0; J < Columns; ++J)
      Sum += (long long)Matrix[(K * Columns + J) * Degree + C] * V[J];
    Products[(S * Rows + K) * Degree + C] = reduced(Sum);
  }
}

__global__ void after(const int *__restrict__ Matrix,
                      const int *__restrict__ Vectors,
                      int *__restrict__ Products) {
  const int C = threadIdx.x, S = blockIdx.x * AtOnce;
  int V[AtOnce][Columns];
#pragma unroll
  for (int I = 0; I < AtOnce; ++I)
#pragma unroll
    for (int J = 0; J < Columns; ++J)
      V[I][J] = Vectors[((S + I) * Columns + J) * Degree + C];
#pragma unroll
  for (int K = 0; K < Rows; ++K) {
    long long Sum[AtOnce] = {};
#pragma unroll
    for (int J = 0; J < Columns; ++J) {
      const long long A = Matrix[(K * Columns + J) * Degree + C];
#pragma unroll
      for (int I = 0; I < AtOnce; ++I)
        Sum[I] += A * V[I][J];
    }
#pragma unroll
    for (int I = 0; I < AtOnce; ++I)
      Products[((S + I) * Rows + K) * Degree + C] = reduced(Sum[I]);
  }
}

int main() {
  const int *Matrix = input<int>(Rows * Columns * Degree, Q);
  const int *Vectors = input<int>(Signatures * Columns * Degree, Q);
  constexpr size_t Count = size_t(Signatures) * Rows * Degree;
  int *Expected = output<int>(Count), *Out = output<int>(Count);
  Pair P("lattice-signatures-share-matrix");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Signatures, Degree>>>(Matrix, Vectors, Expected);
    else
      after<<<Signatures / AtOnce, Degree>>>(Matrix, Vectors, Out);
}
