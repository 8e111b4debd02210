// Rule: cuda-memory-idle-lanes
// Many small matrices of 12 x 12, one for each element of a mesh, times a
// vector each: a warp has a matrix and twelve lanes a row, or all lanes of the
// block have rows of some matrix.
#include "Pair.cuh"

constexpr int N = 1 << 16, Size = 12;

__device__ float row(const float *Matrix, const float *X, int Row) {
  float Sum = 0;
#pragma unroll
  for (int C = 0; C < Size; ++C)
    Sum += Matrix[C * Size + Row] * X[C];
  return Sum;
}

__global__ void before(const float *__restrict__ Matrices,
                       const float *__restrict__ X, float *__restrict__ Y) {
  const int M = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Row = threadIdx.x % 32;
  if (Row < Size)
    Y[M * Size + Row] = row(Matrices + M * Size * Size, X + M * Size, Row);
}

__global__ void after(const float *__restrict__ Matrices,
                      const float *__restrict__ X, float *__restrict__ Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x, M = I / Size;
  Y[I] = row(Matrices + M * Size * Size, X + M * Size, I % Size);
}

int main() {
  const float *Matrices = input<float>(N * Size * Size),
              *X = input<float>(N * Size);
  float *Expected = output<float>(N * Size), *Out = output<float>(N * Size);
  Pair P("matrices-of-twelve-packed");
  P.same(Expected, Out, N * Size);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 8, 256>>>(Matrices, X, Expected);
    else
      after<<<N * Size / 256, 256>>>(Matrices, X, Out);
}
