// Forty-eight sums with bounds that leave 32 registers, and with bounds that
// leave enough. Without nvcc nobody knows.
//
// REQUIRES: toolkit-nvcc
// RUN: %checkpriced --explain --checks='-*,cuda-memory-register-spill' \
// RUN:   --profile=nvidia-h200 --cuda-path=%cuda %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// RUN: %checkpriced --no-nvcc --checks='-*,cuda-memory-register-spill' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONE --implicit-check-not=warning:
// ALONE: note: 0 warnings in 3 kernels

constexpr int Threads = 1 << 17, Sums = 48, Steps = 32;

__device__ void sumsOf(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum[Sums];
#pragma unroll
  for (int K = 0; K < Sums; ++K)
    Sum[K] = K;
#pragma unroll 1
  for (int J = 0; J < Steps; ++J) {
    const float X = In[J * Threads + I];
#pragma unroll
    for (int K = 0; K < Sums; ++K)
      Sum[K] = Sum[K] * X + K;
  }
  float All = 0;
#pragma unroll
  for (int K = 0; K < Sums; ++K)
    All += Sum[K] * (K + 1);
  Out[I] = All;
}

// CHECK: [[@LINE+5]]{{.*}}: warning: 32 registers do not hold what a thread needs: up to {{[0-9]+}} bytes are spilled to local memory; about {{[0-9.]+}}x faster {{.*}} when repaired [cuda-memory-register-spill]
// CHECK: note: nvcc's code has spill stores of {{[0-9]+}} bytes and spill loads of {{[0-9]+}} bytes
// CHECK: note: the kernel takes about
// CHECK: note: launched here
// CHECK: note: leave it about {{[6-8][0-9]}} registers: __launch_bounds__(256, {{[34]}}), and no -maxrregcount below that
__global__ void __launch_bounds__(256, 8) before(const float *In, float *Out) {
  sumsOf(In, Out);
}

__global__ void __launch_bounds__(256, 4) after(const float *In, float *Out) {
  sumsOf(In, Out);
}

__global__ void plain(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I];
}

void launch(const float *In, float *Out) {
  before<<<Threads / 256, 256>>>(In, Out);
  after<<<Threads / 256, 256>>>(In, Out);
  plain<<<Threads / 256, 256>>>(In, Out);
}
// CHECK: note: 1 warning in 3 kernels
