// Parts of which the next block has the half, too, parts that are too large,
// that are loaded once, and threads that keep things for themselves.
//
// RUN: %warpwise check --min-gain=0 --checks='-*,cuda-memory-block-scratch' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 7 kernels

constexpr int Blocks = 2048;

__device__ void halve(float *V, int Count) {
  for (int Round = 0; Round < 64; ++Round) {
    for (int I = threadIdx.x; I < Count; I += 256)
      V[I] = 0.5f * V[Count - 1 - I];
    __syncthreads();
  }
}

__global__ void shared(float *Values) {
  halve(Values + blockIdx.x * 512, 1024);
}

__global__ void large(float *Values) {
  halve(Values + blockIdx.x * 16384, 16384);
}

__global__ void once(float *Values) {
  const int First = blockIdx.x * 256;
  const float Mine = Values[First + 255 - threadIdx.x];
  __syncthreads();
  Values[First + threadIdx.x] = Mine;
}

__global__ void halos(float *Values) {
  float *V = Values + 8 + blockIdx.x * 1024;
  for (int Round = 0; Round < 64; ++Round) {
    for (int I = threadIdx.x; I < 1024; I += 256)
      V[I] = 0.25f * (V[I - 1] + 2 * V[I] + V[I + 1]);
    __syncthreads();
  }
}

__global__ void aliased(float *Values, const float *All, float *Out) {
  float *V = Values + blockIdx.x * 256;
  V[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I < 64; ++I)
    Sum += V[255 - threadIdx.x] + All[(blockIdx.x ^ 1) * 256 + I];
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

// 64 KiB in all, a quarter at a time.
__global__ void stages(float4 *Values) {
  float4 *V = Values + blockIdx.x * 4096;
  for (int Round = 0; Round < 8; ++Round)
    for (int Stage = 0; Stage < 4; ++Stage) {
      float4 *At = V + Stage * 1024;
      for (int I = threadIdx.x; I < 1024; I += 256)
        At[I].x += At[1023 - I].y;
      __syncthreads();
    }
}

__global__ void alone(float *Values) {
  float *Mine = Values + blockIdx.x * 256 + threadIdx.x;
  for (int Round = 0; Round < 64; ++Round)
    *Mine = 0.5f * *Mine + Round;
}

void launch(float *Values, float *Out) {
  float *Mine;
  cudaMalloc((void **)&Mine, Blocks * 256 * sizeof(float));
  aliased<<<Blocks, 256>>>(Mine, Mine, Out);
  cudaFree(Mine);
  halos<<<Blocks, 256>>>(Values);
  stages<<<Blocks, 256>>>((float4 *)Values);
  shared<<<Blocks, 256>>>(Values);
  large<<<Blocks, 256>>>(Values);
  once<<<Blocks, 256>>>(Values);
  alone<<<Blocks, 256>>>(Values);
}
