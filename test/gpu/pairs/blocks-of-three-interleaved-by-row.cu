// Rule: cuda-memory-uncoalesced-access
// A damped step of Jacobi's for a matrix of blocks of 3 by 3, twelve a row, as
// of displacements of points, with a thread a row of blocks: the nine numbers
// of a block lie together, row by row, or each in its turn for all rows.
// Options: --buffer=Column=random,count=1572864,below=131072
#include "Pair.cuh"

constexpr int Rows = 1 << 17, PerRow = 12, Nine = 9;

__device__ void subtract(float3 &From, const float (&A)[Nine], float3 X) {
  From.x -= A[0] * X.x + A[1] * X.y + A[2] * X.z;
  From.y -= A[3] * X.x + A[4] * X.y + A[5] * X.z;
  From.z -= A[6] * X.x + A[7] * X.y + A[8] * X.z;
}

__device__ float3 at(const float *X, int Row) {
  return {X[3 * Row], X[3 * Row + 1], X[3 * Row + 2]};
}

// The diagonal block is symmetric: six numbers of its inverse.
__device__ void move(const float *Inverse, float3 R, const float *X, int Row,
                     float *New) {
  float D[6];
#pragma unroll
  for (int K = 0; K < 6; ++K)
    D[K] = 0.6f * Inverse[K * Rows + Row];
  const float3 Old = at(X, Row);
  New[3 * Row] = Old.x + D[0] * R.x + D[1] * R.y + D[2] * R.z;
  New[3 * Row + 1] = Old.y + D[1] * R.x + D[3] * R.y + D[4] * R.z;
  New[3 * Row + 2] = Old.z + D[2] * R.x + D[4] * R.y + D[5] * R.z;
}

__global__ void before(const int *__restrict__ Column,
                       const float *__restrict__ Value,
                       const float *__restrict__ Inverse,
                       const float *__restrict__ Right,
                       const float *__restrict__ X, float *__restrict__ New) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float3 Rest = at(Right, Row);
#pragma unroll 2
  for (int B = 0; B < PerRow; ++B) {
    const int J = Column[B * Rows + Row];
    float A[Nine];
#pragma unroll
    for (int K = 0; K < Nine; ++K)
      A[K] = Value[(Row * PerRow + B) * Nine + K];
    subtract(Rest, A, at(X, J));
  }
  move(Inverse, Rest, X, Row, New);
}

__global__ void after(const int *__restrict__ Column,
                      const float *__restrict__ Value,
                      const float *__restrict__ Inverse,
                      const float *__restrict__ Right,
                      const float *__restrict__ X, float *__restrict__ New) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float3 Rest = at(Right, Row);
#pragma unroll 2
  for (int B = 0; B < PerRow; ++B) {
    const int J = Column[B * Rows + Row];
    float A[Nine];
#pragma unroll
    for (int K = 0; K < Nine; ++K)
      A[K] = Value[(B * Nine + K) * Rows + Row];
    subtract(Rest, A, at(X, J));
  }
  move(Inverse, Rest, X, Row, New);
}

int main() {
  constexpr int Numbers = PerRow * Nine, Count = Rows * Numbers;
  const int *Column = input<int>(Rows * PerRow, Rows);
  const float *ByRow = input<float>(Count);
  const float *Interleaved = arranged(ByRow, Count, Count, [](size_t I) {
    return I % Rows * Numbers + I / Rows;
  });
  const float *Inverse = input<float>(6 * Rows),
              *Right = input<float>(3 * Rows),
              *X = input<float>(3 * Rows);
  float *Expected = output<float>(3 * Rows), *Out = output<float>(3 * Rows);
  Pair P("blocks-of-three-interleaved-by-row");
  P.same(Expected, Out, 3 * Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 128, 128>>>(Column, ByRow, Inverse, Right, X, Expected);
    else
      after<<<Rows / 128, 128>>>(Column, Interleaved, Inverse, Right, X, Out);
}
