// Warps that live long: how fast blocks come does not matter to them, and of
// blocks of a warp an SM holds as many as of larger ones.
//
// RUN: %warpwise check --checks='-*,cuda-memory-small-block' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Rows = 1 << 14, Columns = 1 << 13;

// CHECK: [[@LINE+3]]: warning: blocks of 32 threads are small: an SM of NVIDIA H200 holds no more than 32 of them, 32 of 64 warps
// CHECK-NOT: requests and is gone
// CHECK: note: let a block of 256 threads do what 8 of these blocks do
__global__ void rowSums(const float *In, float *Out) {
  float Sum = 0;
  for (int X = threadIdx.x; X < Columns; X += 32)
    Sum += In[blockIdx.x * Columns + X];
  for (int Far = 16; Far > 0; Far /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Far);
  Out[blockIdx.x * 32 + threadIdx.x] = Sum;
}

// Two warps fill the SM.
__global__ void rowSumsOfTwo(const float *In, float *Out) {
  const int Row = blockIdx.x * 2 + threadIdx.y;
  float Sum = 0;
  for (int X = threadIdx.x; X < Columns; X += 32)
    Sum += In[Row * Columns + X];
  Out[Row * 32 + threadIdx.x] = Sum;
}

void launch(const float *In, float *Out) {
  rowSums<<<Rows, 32>>>(In, Out);
  rowSumsOfTwo<<<Rows / 2, dim3(32, 2)>>>(In, Out);
}
