// Results of one thread share most of what they read of the tile, which registers
// keep; from global memory each loads it again, as the stores between may change
// it (column-filter-without-tile of test/gpu/pairs: 0.74 on an H200).
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-needless-staging' \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel

void __syncthreads();

constexpr int Width = 3072, Radius = 8, BlockX = 16, BlockY = 8, Steps = 8;
__constant__ float Taps[2 * Radius + 1];

__global__ void columns(float *Out, const float *In) {
  __shared__ float Tile[BlockX][(Steps + 2) * BlockY + 1];
  const int X = blockIdx.x * BlockX + threadIdx.x;
  const int Y = blockIdx.y * Steps * BlockY + threadIdx.y;
#pragma unroll
  for (int I = 0; I < Steps + 2; ++I)
    Tile[threadIdx.x][threadIdx.y + I * BlockY] =
        In[(Y + I * BlockY) * Width + X];
  __syncthreads();
#pragma unroll
  for (int I = 1; I < Steps + 1; ++I) {
    float Sum = 0;
#pragma unroll
    for (int J = -Radius; J <= Radius; ++J)
      Sum += Taps[Radius - J] * Tile[threadIdx.x][threadIdx.y + I * BlockY + J];
    Out[(Y + I * BlockY) * Width + X] = Sum;
  }
}

void run(float *Out, const float *In) {
  columns<<<dim3(Width / BlockX, 48), dim3(BlockX, BlockY)>>>(Out, In);
}
