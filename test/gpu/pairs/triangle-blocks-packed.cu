// Rule: cuda-memory-idle-lanes
// Similarities of 4096 vectors, above the diagonal alone: blocks below it end
// at once, or none is launched and a block finds its place by a square root.
#include "Pair.cuh"

constexpr int N = 4096, Length = 8, Tile = 16, Tiles = N / Tile;

__device__ void compare(const float *Vector, float *Out, int Row, int Column) {
  if (Column < Row)
    return;
  float Sum = 0;
#pragma unroll
  for (int D = 0; D < Length; ++D)
    Sum += Vector[D * N + Row] * Vector[D * N + Column];
  Out[Row * N + Column] = Sum;
}

__global__ void before(const float *Vector, float *Out) {
  compare(Vector, Out, blockIdx.y * Tile + threadIdx.y,
          blockIdx.x * Tile + threadIdx.x);
}

__global__ void after(const float *Vector, float *Out) {
  const int B = blockIdx.x;
  int Right = int((sqrtf(8.0f * B + 1) - 1) / 2);
  if ((Right + 1) * (Right + 2) / 2 <= B)
    ++Right;
  if (Right * (Right + 1) / 2 > B)
    --Right;
  const int Down = B - Right * (Right + 1) / 2;
  compare(Vector, Out, Down * Tile + threadIdx.y, Right * Tile + threadIdx.x);
}

int main() {
  const float *Vector = input<float>(Length * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("triangle-blocks-packed");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Tiles, Tiles), dim3(Tile, Tile)>>>(Vector, Expected);
    else
      after<<<Tiles *(Tiles + 1) / 2, dim3(Tile, Tile)>>>(Vector, Out);
}
