// Rule: cuda-memory-synchronous-staging
// A density at each of many places from all points, 256 of which lie in shared
// memory at a time. A block an SM waits for each tile, or computes with one
// while the next is copied.
#include "Pair.cuh"
#include <cuda_pipeline.h>

constexpr int Blocks = 132, Places = Blocks * 128, Points = 16384, Tile = 256;

__device__ float density(float2 At, const float2 *Tile, float Sum) {
#pragma unroll 16
  for (int P = 0; P < 256; ++P) {
    const float X = At.x - Tile[P].x, Y = At.y - Tile[P].y;
    Sum += fmaxf(0, 1 - 9 * (X * X + Y * Y));
  }
  return Sum;
}

__global__ void before(const float2 *Place, const float4 *Point, float *Out) {
  __shared__ float4 Near[Tile / 2];
  const int T = threadIdx.x;
  const float2 At = Place[blockIdx.x * 128 + T];
  float Sum = 0;
  for (int From = 0; From < Points / 2; From += Tile / 2) {
    Near[T] = Point[From + T];
    __syncthreads();
    Sum = density(At, reinterpret_cast<const float2 *>(Near), Sum);
    __syncthreads();
  }
  Out[blockIdx.x * 128 + T] = Sum;
}

__global__ void after(const float2 *Place, const float4 *Point, float *Out) {
  __shared__ float4 Near[2][Tile / 2];
  const int T = threadIdx.x;
  const float2 At = Place[blockIdx.x * 128 + T];
  __pipeline_memcpy_async(&Near[0][T], &Point[T], sizeof(float4));
  __pipeline_commit();
  float Sum = 0;
  for (int From = 0; From < Points / 2; From += Tile / 2) {
    const int Now = From / (Tile / 2) % 2;
    if (From + Tile / 2 < Points / 2)
      __pipeline_memcpy_async(&Near[1 - Now][T], &Point[From + Tile / 2 + T],
                              sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    Sum = density(At, reinterpret_cast<const float2 *>(Near[Now]), Sum);
    __syncthreads();
  }
  Out[blockIdx.x * 128 + T] = Sum;
}

int main() {
  const float *Place = input<float>(2 * Places),
              *Point = input<float>(2 * Points);
  float *Expected = output<float>(Places), *Out = output<float>(Places);
  Pair P("density-estimate-cp-async");
  P.same(Expected, Out, Places);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 128>>>((const float2 *)Place, (const float4 *)Point,
                              Expected);
    else
      after<<<Blocks, 128>>>((const float2 *)Place, (const float4 *)Point, Out);
}
