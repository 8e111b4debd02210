// The user knows the block shape that the code does not tell.
//
// RUN: %warpwise check --gpu=nvidia-h100-pcie --block=narrow=8x32 %s -- \
// RUN:   2>/dev/null | FileCheck %s --implicit-check-not=warning:
// RUN: %warpwise check --gpu=nvidia-h100-pcie --block=32x8 %s -- | count 0
// RUN: %warpwise check --gpu=nvidia-h100-pcie --block='n*=32x8' %s -- | count 0

__global__ void narrow(float *Out) {
  __shared__ float Tile[32][32];
  Tile[threadIdx.y][threadIdx.x] = 1;
  // CHECK: block-option.cu:[[@LINE-1]]:{{.*}} warning: {{.*}} [cuda-memory-bank-conflict]
  // CHECK: note: block is 8x32, {{.*}}--block
  __syncthreads();
  if (threadIdx.x + threadIdx.y == 0)
    Out[0] = Tile[1][1];
}
