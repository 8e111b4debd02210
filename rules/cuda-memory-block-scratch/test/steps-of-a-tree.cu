// A tree whose steps a block keeps in global memory, or in shared memory; and a
// line between two steps that nobody else ever looks at.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-block-scratch' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Blocks = 2048, Steps = 255;

__global__ void inGlobal(float *Values, float *Out) {
  const int T = threadIdx.x;
  float *V = Values + blockIdx.x * 256;
  V[T] = T;
  __syncthreads();
  for (int Left = Steps; Left > 0; --Left) {
    float Value = 0;
    if (T < Left)
      Value = 0.5f * (V[T] + V[T + 1]);
    __syncthreads();
    if (T < Left)
// CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: each block works on 1024 bytes of 'Values' in global memory that no block beside it touches, and comes to each {{4[0-9]+}} times; about 1.{{.*}}x faster {{.*}} when repaired [cuda-memory-block-scratch]
// CHECK: note: L1 passes every store on to L2
// CHECK: note: keep them in shared memory meanwhile: load what is wanted of 'Values' before, and store once what others want
      V[T] = Value;
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = V[0];
}

__global__ void inShared(float *Out) {
  __shared__ float V[256];
  const int T = threadIdx.x;
  V[T] = T;
  __syncthreads();
  for (int Left = Steps; Left > 0; --Left) {
    float Value = 0;
    if (T < Left)
      Value = 0.5f * (V[T] + V[T + 1]);
    __syncthreads();
    if (T < Left)
      V[T] = Value;
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = V[0];
}

__global__ void between(const float *In, float *Level, float *Out) {
  const int T = threadIdx.x, I = blockIdx.x * 256 + T;
// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: each block works on 1024 bytes of 'Level' in global memory that no block beside it touches, and comes to each 2 times
// CHECK: note: keep them in shared memory, and do without 'Level'
  Level[I] = 2 * In[I];
  __syncthreads();
  Out[I] = Level[blockIdx.x * 256 + 255 - T];
}

void launch(float *Values, const float *In, float *Out) {
  float *Level;
  cudaMalloc((void **)&Level, sizeof(float) << 22);
  inGlobal<<<Blocks, 256>>>(Values, Out);
  inShared<<<Blocks, 256>>>(Out);
  between<<<(1 << 22) / 256, 256>>>(In, Level, Out);
  cudaFree(Level);
}
// CHECK: note: 2 warnings in 3 kernels
