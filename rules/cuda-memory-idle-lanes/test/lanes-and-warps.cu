// One lane of eight works, or one warp of four; and the same with as many
// threads as have something to do.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-idle-lanes' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 20;

__device__ float rooted(float X) {
  for (int I = 0; I < 32; ++I)
    X = sqrtf(X + I);
  return X;
}

// CHECK: [[@LINE+3]]{{.*}}: warning: 28 of 32 lanes of each warp have nothing to do; about {{[67]\..*}}x faster {{.*}} when repaired [cuda-memory-idle-lanes]
// CHECK: note: launched here
// CHECK: note: launch no more threads than work: number the work by the thread, so that 8 times fewer do it
__global__ void lanesBefore(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I % 8 == 0)
    Out[I / 8] = rooted(In[I / 8]);
}

__global__ void lanesAfter(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = rooted(In[I]);
}

// CHECK: [[@LINE+1]]{{.*}}: warning: 6 of 8 warps of each block have nothing to do
__global__ void warpsBefore(const float *In, float *Out) {
  if (threadIdx.x >= 64)
    return;
  const int I = blockIdx.x * 64 + threadIdx.x;
  Out[I] = 2 * In[I];
}

__global__ void warpsAfter(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I];
}

void launch(const float *In, float *Out) {
  lanesBefore<<<N / 32, 256>>>(In, Out);
  lanesAfter<<<N / 256, 256>>>(In, Out);
  warpsBefore<<<1 << 16, 256>>>(In, Out);
  warpsAfter<<<(1 << 16) / 4, 256>>>(In, Out);
}
// CHECK: note: 2 warnings in 4 kernels
