// Two launches of one kernel: a warp of the narrow block holds four rows.
//
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void fill(float *Out) {
  __shared__ float Tile[32][64];
  Tile[threadIdx.y][threadIdx.x] = 1;
  // CHECK: only-under-one-block-shape.cu:[[@LINE-1]]:34: warning: shared store is a 4-way bank conflict
  // CHECK: note: under block 8x32 ({{.*}}); clean under 32x8 ({{.*}})
  __syncthreads();
  Out[threadIdx.x] = Tile[0][threadIdx.x];
}

void launch(float *Out) {
  fill<<<1, dim3(32, 8)>>>(Out);
  fill<<<1, dim3(8, 32)>>>(Out);
}
