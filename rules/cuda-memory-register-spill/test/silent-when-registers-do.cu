// Bounds that leave few registers, and few values; an array in local memory
// because its index is not known, not because registers lack; many values where
// nothing limits the registers.
//
// REQUIRES: toolkit-nvcc
// RUN: %checkpriced --checks='-*,cuda-memory-register-spill' \
// RUN:   --profile=nvidia-h200 --cuda-path=%cuda %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 3 kernels, 7 of 7 accesses judged

constexpr int Threads = 1 << 17, Steps = 32;

template <int Sums> __device__ void sumsOf(const float *In, float *Out) {
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

__global__ void __launch_bounds__(256, 8) few(const float *In, float *Out) {
  sumsOf<8>(In, Out);
}

__global__ void many(const float *In, float *Out) { sumsOf<48>(In, Out); }

__global__ void __launch_bounds__(256, 8)
    picks(const float *In, const int *Which, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Kept[32];
  for (int J = 0; J < 32; ++J)
    Kept[J] = In[J * Threads + I];
  Out[I] = Kept[Which[I]];
}

void launch(const float *In, const int *Which, float *Out) {
  few<<<Threads / 256, 256>>>(In, Out);
  many<<<Threads / 256, 256>>>(In, Out);
  picks<<<Threads / 256, 256>>>(In, Which, Out);
}
