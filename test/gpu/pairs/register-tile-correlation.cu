// Rule: cuda-memory-single-result
// Sums of products of rows that lie in shared memory: one sum a thread, or two
// by two.
#include "Pair.cuh"

constexpr int Rows = 1024, Columns = 256, Tile = 32;

__global__ void before(const float *In, float *Out) {
  __shared__ float A[Tile][Tile + 1], B[Tile][Tile + 1];
  const int X = threadIdx.x, Y = threadIdx.y;
  float Sum = 0;
  for (int From = 0; From < Columns; From += Tile) {
    A[Y][X] = In[(blockIdx.y * Tile + Y) * Columns + From + X];
    B[Y][X] = In[(blockIdx.x * Tile + Y) * Columns + From + X];
    __syncthreads();
    for (int K = 0; K < Tile; ++K)
      Sum += A[Y][K] * B[X][K];
    __syncthreads();
  }
  Out[(blockIdx.y * Tile + Y) * Rows + blockIdx.x * Tile + X] = Sum;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float A[Tile][Tile + 1], B[Tile][Tile + 1];
  const int X = threadIdx.x, Y = threadIdx.y;
  float Sum[2][2] = {};
  for (int From = 0; From < Columns; From += Tile) {
    for (int I = Y; I < Tile; I += 16)
      for (int J = X; J < Tile; J += 16) {
        A[I][J] = In[(blockIdx.y * Tile + I) * Columns + From + J];
        B[I][J] = In[(blockIdx.x * Tile + I) * Columns + From + J];
      }
    __syncthreads();
    for (int K = 0; K < Tile; ++K) {
      const float A0 = A[Y][K], A1 = A[Y + 16][K];
      const float B0 = B[X][K], B1 = B[X + 16][K];
      Sum[0][0] += A0 * B0;
      Sum[0][1] += A0 * B1;
      Sum[1][0] += A1 * B0;
      Sum[1][1] += A1 * B1;
    }
    __syncthreads();
  }
  for (int I = 0; I < 2; ++I)
    for (int J = 0; J < 2; ++J)
      Out[(blockIdx.y * Tile + Y + 16 * I) * Rows + blockIdx.x * Tile + X +
          16 * J] = Sum[I][J];
}

int main() {
  const float *In = input<float>(Rows * Columns);
  float *Expected = output<float>(Rows * Rows),
        *Out = output<float>(Rows * Rows);
  Pair P("register-tile-correlation");
  P.same(Expected, Out, Rows * Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Rows / Tile, Rows / Tile), dim3(Tile, Tile)>>>(In,
                                                                   Expected);
    else
      after<<<dim3(Rows / Tile, Rows / Tile), dim3(16, 16)>>>(In, Out);
}
