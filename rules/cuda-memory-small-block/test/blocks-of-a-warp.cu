// Blocks of a warp that live for three accesses; the same in blocks of 256.
// So can blocks that share memory; those that live long are left alone.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-small-block' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 23;

// CHECK: [[@LINE+5]]{{.*}}: warning: blocks of 32 threads are small: an SM gets them one by one, every {{[0-9.]+}} ns on NVIDIA H200; about {{[4-6]\..*}}x faster {{.*}} when repaired [cuda-memory-small-block]
// CHECK: note: a warp of them makes no more than 3 requests and is gone
// CHECK: note: launched here
// CHECK: note: profile nvidia-h200: device.launch.block_interval is
// CHECK: note: let a block of 256 threads do what 8 of these blocks do
__global__ void before(const float *X, const float *Y, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 3 * X[I] + Y[I];
}

__global__ void after(const float *X, const float *Y, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 3 * X[I] + Y[I];
}

__global__ void livesLong(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < 64; ++J)
    Sum += In[J * (1 << 18) + I];
  Out[I] = Sum;
}

// CHECK: [[@LINE+4]]{{.*}}: warning: blocks of 32 threads are small: {{.*}}; about {{[4-7]\..*}}x faster {{.*}} when repaired [cuda-memory-small-block]
// CHECK: note: launched here
// CHECK: note: profile nvidia-h200: device.launch.block_interval is
// CHECK: note: let a block of 256 threads do what 8 of these blocks do, with 1024 bytes of shared memory
__global__ void shares(const float *In, float *Out) {
  __shared__ float Tile[32];
  const int I = blockIdx.x * 32 + threadIdx.x;
  Tile[threadIdx.x] = In[I];
  __syncthreads();
  Out[I] = Tile[31 - threadIdx.x];
}

void launch(const float *X, const float *Y, float *Out) {
  before<<<N / 32, 32>>>(X, Y, Out);
  after<<<N / 256, 256>>>(X, Y, Out);
  livesLong<<<(1 << 18) / 64, 64>>>(X, Out);
  shares<<<N / 32, 32>>>(X, Out);
}
// CHECK: note: 2 warnings in 4 kernels
