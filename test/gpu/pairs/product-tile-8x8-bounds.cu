// Rule: cuda-memory-register-spill
// A product of matrices with 8x8 results per thread: bounds that leave 64
// registers do not hold them.
#include "Pair.cuh"

constexpr int N = 2048, Deep = 256;

__device__ void product(const float *A, const float *B, float *C) {
  __shared__ float TileA[8][128], TileB[8][128];
  const int T = threadIdx.x, TX = T % 16, TY = T / 16;
  const int X = blockIdx.x * 128, Y = blockIdx.y * 128;
  float Sum[8][8] = {};
  for (int Tile = 0; Tile < Deep; Tile += 8) {
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      const int K = T / 128 + 2 * I, J = T % 128;
      TileA[K][J] = A[(Tile + K) * N + Y + J];
      TileB[K][J] = B[(Tile + K) * N + X + J];
    }
    __syncthreads();
#pragma unroll
    for (int K = 0; K < 8; ++K) {
      float Left[8], Right[8];
#pragma unroll
      for (int I = 0; I < 8; ++I) {
        Left[I] = TileA[K][TY + 16 * I];
        Right[I] = TileB[K][TX + 16 * I];
      }
#pragma unroll
      for (int I = 0; I < 8; ++I)
#pragma unroll
        for (int J = 0; J < 8; ++J)
          Sum[I][J] += Left[I] * Right[J];
    }
    __syncthreads();
  }
#pragma unroll
  for (int I = 0; I < 8; ++I)
#pragma unroll
    for (int J = 0; J < 8; ++J)
      C[(Y + TY + 16 * I) * N + X + TX + 16 * J] = Sum[I][J];
}

__global__ void __launch_bounds__(256, 4)
    before(const float *A, const float *B, float *C) {
  product(A, B, C);
}

__global__ void __launch_bounds__(256, 2)
    after(const float *A, const float *B, float *C) {
  product(A, B, C);
}

int main() {
  const float *A = input<float>(Deep * N), *B = input<float>(Deep * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("product-tile-8x8-bounds");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 128, N / 128), 256>>>(A, B, Expected);
    else
      after<<<dim3(N / 128, N / 128), 256>>>(A, B, Out);
}
