// A stream, a window that slides, and rows that lanes walk along by themselves.
//
// RUN: %warpwise check --checks='-*,cuda-memory-missing-reuse' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 3 kernels, 6 of 6 accesses judged

constexpr int N = 1 << 20, Rounds = 64;

__global__ void stream(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Rounds; ++J)
    Sum += In[J * N + I];
  Out[I] = Sum;
}

__global__ void window(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Rounds; ++J)
    Sum += In[I + J];
  Out[I] = Sum;
}

__global__ void rows(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Rounds; ++J)
    Sum += In[I * Rounds + J];
  Out[I] = Sum;
}

void launch(const float *In, float *Out) {
  stream<<<N / 256, 256>>>(In, Out);
  window<<<N / 256, 256>>>(In, Out);
  rows<<<N / 256, 256>>>(In, Out);
}
