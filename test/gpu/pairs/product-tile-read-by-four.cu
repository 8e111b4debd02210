// Rule: cuda-memory-narrow-access
// A matrix product, 4 x 4 results a thread: what a step needs of the tiles in
// shared memory takes eight loads of a word or, one tile turned, two of four.
#include "Pair.cuh"

constexpr int N = 1024, Tile = 64, Deep = 16;

__global__ void before(const float *A, const float *B, float *C) {
  __shared__ float TileA[Tile][Deep + 1], TileB[Deep][Tile];
  const int T = threadIdx.x, X = T % 16, Y = T / 16;
  const int Row = blockIdx.y * Tile, Column = blockIdx.x * Tile;
  float Sums[4][4] = {};
  for (int K = 0; K < N; K += Deep) {
    for (int I = 0; I < 4; ++I) {
      TileA[Y + 16 * I][X] = A[(Row + Y + 16 * I) * N + K + X];
      TileB[T / 64 + 4 * I][T % 64] =
          B[(K + T / 64 + 4 * I) * N + Column + T % 64];
    }
    __syncthreads();
#pragma unroll
    for (int D = 0; D < Deep; ++D)
      for (int I = 0; I < 4; ++I)
        for (int J = 0; J < 4; ++J)
          Sums[I][J] += TileA[4 * Y + I][D] * TileB[D][X + 16 * J];
    __syncthreads();
  }
  for (int I = 0; I < 4; ++I)
    for (int J = 0; J < 4; ++J)
      C[(Row + 4 * Y + I) * N + Column + X + 16 * J] = Sums[I][J];
}

__global__ void after(const float *A, const float *B, float *C) {
  __shared__ __align__(16) float TileA[Deep][Tile + 4], TileB[Deep][Tile];
  const int T = threadIdx.x, X = T % 16, Y = T / 16;
  const int Row = blockIdx.y * Tile, Column = blockIdx.x * Tile;
  float Sums[4][4] = {};
  for (int K = 0; K < N; K += Deep) {
    for (int I = 0; I < 4; ++I) {
      TileA[X][Y + 16 * I] = A[(Row + Y + 16 * I) * N + K + X];
      TileB[T / 64 + 4 * I][T % 64] =
          B[(K + T / 64 + 4 * I) * N + Column + T % 64];
    }
    __syncthreads();
#pragma unroll
    for (int D = 0; D < Deep; ++D) {
      const float4 Left = *reinterpret_cast<float4 *>(&TileA[D][4 * Y]);
      const float4 Right = *reinterpret_cast<float4 *>(&TileB[D][4 * X]);
      const float L[4] = {Left.x, Left.y, Left.z, Left.w};
      const float R[4] = {Right.x, Right.y, Right.z, Right.w};
      for (int I = 0; I < 4; ++I)
        for (int J = 0; J < 4; ++J)
          Sums[I][J] += L[I] * R[J];
    }
    __syncthreads();
  }
  for (int I = 0; I < 4; ++I)
    *reinterpret_cast<float4 *>(&C[(Row + 4 * Y + I) * N + Column + 4 * X]) = {
        Sums[I][0], Sums[I][1], Sums[I][2], Sums[I][3]};
}

int main() {
  const float *A = input<float>(N * N), *B = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("product-tile-read-by-four");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / Tile, N / Tile), 256>>>(A, B, Expected);
    else
      after<<<dim3(N / Tile, N / Tile), 256>>>(A, B, Out);
}
