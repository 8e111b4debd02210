// Rule: cuda-memory-missing-reuse
// A matrix product from global memory, and by tiles of 32x32.
#include "Pair.cuh"

constexpr int N = 1024;

__global__ void before(const float *A, const float *B, float *C) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 32 + threadIdx.y;
  float Sum = 0;
  for (int K = 0; K < N; ++K)
    Sum += A[Y * N + K] * B[K * N + X];
  C[Y * N + X] = Sum;
}

__global__ void after(const float *A, const float *B, float *C) {
  __shared__ float TileA[32][32], TileB[32][32];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * 32 + TX, Y = blockIdx.y * 32 + TY;
  float Sum = 0;
  for (int Tile = 0; Tile < N; Tile += 32) {
    TileA[TY][TX] = A[Y * N + Tile + TX];
    TileB[TY][TX] = B[(Tile + TY) * N + X];
    __syncthreads();
#pragma unroll
    for (int K = 0; K < 32; ++K)
      Sum += TileA[TY][K] * TileB[K][TX];
    __syncthreads();
  }
  C[Y * N + X] = Sum;
}

int main() {
  const float *A = input<float>(N * N), *B = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("missing-reuse-matmul");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 32), dim3(32, 32)>>>(A, B, Expected);
    else
      after<<<dim3(N / 32, N / 32), dim3(32, 32)>>>(A, B, Out);
}
