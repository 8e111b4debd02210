// What threads leave in an array for themselves: memory of one kernel, and of
// others, too.
//
// RUN: %warpwise check --cuda-path=none --checks='-*,cuda-memory-redundant-round-trip' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

#include <cuda_runtime.h>

constexpr int N = 1 << 24;

__global__ void between(const float *In, float *Between, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Between[I] = 3 * In[I] + 1;
  __syncthreads();
  // CHECK: [[@LINE+2]]:12: warning: each thread loads from 'Between' only what it has stored there itself, and the host code shows it to nobody else; about 1.{{.*}}x faster {{.*}} when repaired [cuda-memory-redundant-round-trip]
  // CHECK: note: keep it in variables of the thread, and do without 'Between'
  Out[I] = Between[I] * Between[I];
}

__global__ void kept(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Between = 3 * In[I] + 1;
  Out[I] = Between * Between;
}

// The first of two stores is left out, and the load.
__global__ void twice(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 3 * In[I] + 1;
  __syncthreads();
  // CHECK: [[@LINE+2]]:12: warning: each thread loads from 'Out' only what it has stored there itself; about 1.{{.*}}x faster {{.*}} when repaired [cuda-memory-redundant-round-trip]
  // CHECK: note: keep it in variables of the thread, and store what others want once
  Out[I] = Out[I] * In[I];
}

// Others look at it: only the load is left out, which L1 serves.
__global__ void shown(const float *In, float *Between, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Between[I] = 3 * In[I] + 1;
  __syncthreads();
  Out[I] = Between[I] * Between[I];
}

__global__ void sum(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] + 1;
}

int main() {
  float *In, *Between, *Shown, *Out;
  cudaMalloc(&In, N * sizeof(float));
  cudaMalloc(&Between, N * sizeof(float));
  cudaMalloc(&Shown, N * sizeof(float));
  cudaMalloc(&Out, N * sizeof(float));
  cudaMemset(Between, 0, N * sizeof(float));
  for (int Round = 0; Round < 2; ++Round)
    between<<<N / 256, 256>>>(In, Between, Out);
  kept<<<N / 256, 256>>>(In, Out);
  twice<<<N / 4 / 512, 512>>>(In, Out);
  shown<<<N / 256, 256>>>(In, Shown, Out);
  sum<<<N / 256, 256>>>(Shown, Out);
  cudaFree(Between);
}

// CHECK: note: 2 warnings in 5 kernels
