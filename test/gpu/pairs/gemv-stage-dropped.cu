// Rule: cuda-memory-needless-staging
// A vector times a matrix, eight slices of rows: sixteen rows at a time go
// through shared memory, of which each thread reads what it wrote, or not.
#include "Pair.cuh"

constexpr int Rows = 1024, Columns = 8192, Slices = 8, Block = 128;

__global__ void before(const float *Matrix, const float *Vector, float *Out) {
  __shared__ float Tile[16][Block];
  const int T = threadIdx.x, C = blockIdx.x * Block + T;
  const int Start = blockIdx.y * (Rows / Slices);
  float Sum = 0;
  for (int R = Start; R < Start + Rows / Slices; R += 16) {
#pragma unroll
    for (int I = 0; I < 16; ++I)
      Tile[I][T] = Matrix[(R + I) * Columns + C];
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 16; ++I)
      Sum += Vector[R + I] * Tile[I][T];
    __syncthreads();
  }
  Out[blockIdx.y * Columns + C] = Sum;
}

__global__ void after(const float *Matrix, const float *Vector, float *Out) {
  const int T = threadIdx.x, C = blockIdx.x * Block + T;
  const int Start = blockIdx.y * (Rows / Slices);
  float Sum = 0;
#pragma unroll 16
  for (int R = Start; R < Start + Rows / Slices; ++R)
    Sum += Vector[R] * Matrix[R * Columns + C];
  Out[blockIdx.y * Columns + C] = Sum;
}

int main() {
  const float *Matrix = input<float>(Rows * Columns),
              *Vector = input<float>(Rows);
  float *Expected = output<float>(Slices * Columns),
        *Out = output<float>(Slices * Columns);
  Pair P("gemv-stage-dropped");
  P.same(Expected, Out, Slices * Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Columns / Block, Slices), Block>>>(Matrix, Vector, Expected);
    else
      after<<<dim3(Columns / Block, Slices), Block>>>(Matrix, Vector, Out);
}
