// No load is made twice, but each round's has to wait for the store of the one
// before. That costs a grid that fills the GPU, too: 1.23 times on an H200
// (many-rounds-restrict of test/gpu/pairs).
//
// RUN: %checkpriced --checks='-*,cuda-memory-missing-restrict' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Columns = 1 << 16, Rows = 64;

__global__ void down(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int R = 0; R < Rows; ++R)
    // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: each round loads from 'In' only after the store to 'Out', which may be the same memory; about {{[1-3]\..*}}x faster {{.*}} [cuda-memory-missing-restrict]
    // CHECK: note: declare the kernel's pointers __restrict__
    Out[R * Columns + I] = 2 * In[R * Columns + I];
}

__global__ void promised(const float *__restrict__ In,
                         float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int R = 0; R < Rows; ++R)
    Out[R * Columns + I] = 2 * In[R * Columns + I];
}

__global__ void manyBlocks(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int R = 0; R < 8; ++R)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: each round loads from 'In' only after the store to 'Out', {{.*}}; about 1.{{[12].*}}x faster
    Out[R * (1 << 24) + I] = 2 * In[R * (1 << 24) + I];
}

void launch(const float *In, float *Out) {
  down<<<Columns / 128, 128>>>(In, Out);
  promised<<<Columns / 128, 128>>>(In, Out);
  manyBlocks<<<1 << 16, 256>>>(In, Out);
}
// CHECK: note: 2 warnings in 3 kernels
