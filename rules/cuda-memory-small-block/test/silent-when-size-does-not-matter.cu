// Small blocks that work long, that are but one, or that some launch makes large;
// and blocks of half the usual size.
//
// RUN: %checkpriced --checks='-*,cuda-memory-small-block' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 4 kernels, 8 of 8 accesses judged

constexpr int N = 1 << 23, Rows = 1 << 14, Columns = 1 << 12;

// A warp sums up a row, and a block has two.
__global__ void rowSums(const float *In, float *Out) {
  const int Row = blockIdx.x * 2 + threadIdx.y;
  float Sum = 0;
  for (int X = threadIdx.x; X < Columns; X += 32)
    Sum += In[Row * Columns + X];
  for (int Far = 16; Far > 0; Far /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Far);
  Out[Row * 32 + threadIdx.x] = Sum; // every lane knows it
}

// The rest that the blocks before left.
__global__ void finishes(const float *In, float *Out) {
  Out[threadIdx.x] = 2 * In[threadIdx.x];
}

// Somebody chose the block for each size.
__global__ void scales(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I];
}

__global__ void adds(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 + In[I];
}

void launch(const float *In, float *Out) {
  rowSums<<<Rows / 2, dim3(32, 2)>>>(In, Out);
  finishes<<<1, 32>>>(In, Out);
  scales<<<N / 32, 32>>>(In, Out);
  scales<<<N / 256, 256>>>(In, Out);
  adds<<<N / 128, 128>>>(In, Out);
}
