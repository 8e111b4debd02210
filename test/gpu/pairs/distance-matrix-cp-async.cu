// Rule: cuda-memory-synchronous-staging
// Distances of all pairs of two sets of points of 128 dimensions, by tiles of
// 16x16: a tile is loaded, then used, or it comes while the last one is used.
#include "Pair.cuh"

#include <cuda_pipeline.h>

constexpr int N = 1024, M = 2048, Dims = 128, Tile = 16;

__global__ void before(const float *A, const float *B, float *Out) {
  __shared__ float OfA[Tile][Tile + 1], OfB[Tile][Tile + 1];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * Tile, Y = blockIdx.y * Tile;
  float Sum = 0;
  for (int D = 0; D < Dims; D += Tile) {
    OfA[TY][TX] = A[(Y + TY) * Dims + D + TX];
    OfB[TY][TX] = B[(X + TY) * Dims + D + TX];
    __syncthreads();
#pragma unroll
    for (int K = 0; K < Tile; ++K) {
      const float Off = OfA[TY][K] - OfB[TX][K];
      Sum += Off * Off;
    }
    __syncthreads();
  }
  Out[(Y + TY) * M + X + TX] = sqrtf(Sum);
}

__global__ void after(const float *A, const float *B, float *Out) {
  __shared__ float OfA[2][Tile][Tile + 1], OfB[2][Tile][Tile + 1];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * Tile, Y = blockIdx.y * Tile;
  const float *FromA = A + (Y + TY) * Dims + TX;
  const float *FromB = B + (X + TY) * Dims + TX;
  __pipeline_memcpy_async(&OfA[0][TY][TX], FromA, 4);
  __pipeline_memcpy_async(&OfB[0][TY][TX], FromB, 4);
  __pipeline_commit();
  float Sum = 0;
  for (int D = 0; D < Dims; D += Tile) {
    const int Now = D / Tile % 2;
    if (D + Tile < Dims) {
      __pipeline_memcpy_async(&OfA[!Now][TY][TX], FromA + D + Tile, 4);
      __pipeline_memcpy_async(&OfB[!Now][TY][TX], FromB + D + Tile, 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
#pragma unroll
    for (int K = 0; K < Tile; ++K) {
      const float Off = OfA[Now][TY][K] - OfB[Now][TX][K];
      Sum += Off * Off;
    }
    __syncthreads();
  }
  Out[(Y + TY) * M + X + TX] = sqrtf(Sum);
}

int main() {
  const float *A = input<float>((N + M) * Dims), *B = A + N * Dims;
  float *Expected = output<float>(N * M), *Out = output<float>(N * M);
  Pair P("distance-matrix-cp-async");
  P.same(Expected, Out, N * M);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(M / Tile, N / Tile), dim3(Tile, Tile)>>>(A, B, Expected);
    else
      after<<<dim3(M / Tile, N / Tile), dim3(Tile, Tile)>>>(A, B, Out);
}
