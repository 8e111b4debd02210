// Rule: cuda-memory-needless-staging
// Vertices of three words are projected by a matrix. Lanes load words twelve
// bytes apart, or the block first brings its 768 words to shared memory in
// order. The advice for float3 arrays in the first CUDA programming guides and
// talks (Harris, "Optimizing CUDA"), repeated since.
#include "Pair.cuh"

constexpr int Vertices = 1 << 22, Block = 256;

struct Matrix {
  float M[16];
};

__device__ float4 project(const Matrix &A, float X, float Y, float Z) {
  const float W = A.M[12] * X + A.M[13] * Y + A.M[14] * Z + A.M[15];
  const float Inverse = 1 / W;
  return make_float4(
      (A.M[0] * X + A.M[1] * Y + A.M[2] * Z + A.M[3]) * Inverse,
      (A.M[4] * X + A.M[5] * Y + A.M[6] * Z + A.M[7]) * Inverse,
      (A.M[8] * X + A.M[9] * Y + A.M[10] * Z + A.M[11]) * Inverse, Inverse);
}

__global__ void before(const float *__restrict__ Position,
                       float4 *__restrict__ Projected, Matrix A) {
  const int I = blockIdx.x * Block + threadIdx.x;
  Projected[I] =
      project(A, Position[3 * I], Position[3 * I + 1], Position[3 * I + 2]);
}

__global__ void after(const float *__restrict__ Position,
                      float4 *__restrict__ Projected, Matrix A) {
  __shared__ float Staged[3 * Block];
  const int T = threadIdx.x;
  const float *Start = Position + 3 * Block * blockIdx.x;
  Staged[T] = Start[T];
  Staged[T + Block] = Start[T + Block];
  Staged[T + 2 * Block] = Start[T + 2 * Block];
  __syncthreads();
  Projected[blockIdx.x * Block + T] =
      project(A, Staged[3 * T], Staged[3 * T + 1], Staged[3 * T + 2]);
}

int main() {
  const float *Position = input<float>(3 * Vertices);
  const Matrix A = {{1.3f, 0.1f, 0.0f, -0.5f, 0.0f, 1.7f, 0.2f, -0.6f, 0.1f,
                     0.0f, -1.0f, -0.2f, 0.0f, 0.1f, 1.0f, 2.0f}};
  float *Expected = output<float>(4 * Vertices),
        *Out = output<float>(4 * Vertices);
  Pair P("vertices-projected-staged");
  P.same(Expected, Out, 4 * Vertices);
  while (P.next())
    if (P.beforesTurn())
      before<<<Vertices / Block, Block>>>(
          Position, reinterpret_cast<float4 *>(Expected), A);
    else
      after<<<Vertices / Block, Block>>>(Position,
                                         reinterpret_cast<float4 *>(Out), A);
}
