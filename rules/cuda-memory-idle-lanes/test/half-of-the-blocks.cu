// What lies above the diagonal of a square: blocks below it end at once, or are
// not launched. And every other cell of a board, half of the lanes of each
// warp.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-idle-lanes' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 4096, Tile = 16, Tiles = N / Tile, Pitch = N + 2;

__device__ float In[8 * N], Out[N * N], Board[Pitch * Pitch];

__device__ void compare(int Row, int Column) {
  if (Column < Row)
    return;
  float Sum = 0;
#pragma unroll
  for (int D = 0; D < 8; ++D)
    Sum += In[D * N + Row] * In[D * N + Column];
  Out[Row * N + Column] = Sum;
}

// CHECK: [[@LINE+2]]{{.*}}: warning: {{4[789]}} % of 65536 blocks have nothing to do; about 1.{{.*}}x faster {{.*}} when repaired [cuda-memory-idle-lanes]
// CHECK: note: launch no more threads than work: number the work by the thread, so that {{1\.9|2}}{{.*}} times fewer do it
__global__ void square() {
  compare(blockIdx.y * Tile + threadIdx.y,
          blockIdx.x * Tile + threadIdx.x);
}

__global__ void triangle() {
  const int B = blockIdx.x, Right = int((sqrtf(8.0f * B + 1) - 1) / 2);
  const int Down = B - Right * (Right + 1) / 2;
  compare(Down * Tile + threadIdx.y, Right * Tile + threadIdx.x);
}

// CHECK: [[@LINE+1]]{{.*}}: warning: 16 of 32 lanes of each warp have nothing to do
__global__ void red() {
  float *U = Board;
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const int I = (Y + 1) * Pitch + X + 1;
  if ((X + Y) % 2 == 0)
    U[I] = 0.25f * (U[I - 1] + U[I + 1] + U[I - Pitch] + U[I + Pitch]);
}

void launch() {
  square<<<dim3(Tiles, Tiles), dim3(Tile, Tile)>>>();
  triangle<<<Tiles *(Tiles + 1) / 2, dim3(Tile, Tile)>>>();
  red<<<dim3(N / 32, N / 8), dim3(32, 8)>>>();
}
// CHECK: note: 2 warnings in 3 kernels
