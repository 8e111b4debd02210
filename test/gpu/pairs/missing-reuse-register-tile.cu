// Rule: cuda-memory-single-result
// A product by tiles where a thread has one result, or four of a column.
#include "Pair.cuh"

constexpr int N = 1024;

__global__ void before(const float *A, const float *B, float *C) {
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

__global__ void after(const float *A, const float *B, float *C) {
  __shared__ float TileA[32][32], TileB[32][32];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * 32 + TX, Y = blockIdx.y * 32 + TY;
  float Sum[4] = {};
  for (int Tile = 0; Tile < N; Tile += 32) {
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      TileA[TY + 8 * I][TX] = A[(Y + 8 * I) * N + Tile + TX];
      TileB[TY + 8 * I][TX] = B[(Tile + TY + 8 * I) * N + X];
    }
    __syncthreads();
#pragma unroll
    for (int K = 0; K < 32; ++K)
#pragma unroll
      for (int I = 0; I < 4; ++I)
        Sum[I] += TileA[TY + 8 * I][K] * TileB[K][TX];
    __syncthreads();
  }
#pragma unroll
  for (int I = 0; I < 4; ++I)
    C[(Y + 8 * I) * N + X] = Sum[I];
}

int main() {
  const float *A = input<float>(N * N), *B = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("missing-reuse-register-tile");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 32), dim3(32, 32)>>>(A, B, Expected);
    else
      after<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(A, B, Out);
}
