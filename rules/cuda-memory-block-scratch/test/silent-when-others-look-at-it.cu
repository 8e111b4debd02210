// Parts of which the next block has the half, too, parts that are too large,
// that are loaded once, and threads that keep things for themselves.
//
// RUN: %warpwise check --min-gain=0 --checks='-*,cuda-memory-block-scratch' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 4 kernels

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

__global__ void alone(float *Values) {
  float *Mine = Values + blockIdx.x * 256 + threadIdx.x;
  for (int Round = 0; Round < 64; ++Round)
    *Mine = 0.5f * *Mine + Round;
}

void launch(float *Values) {
  shared<<<Blocks, 256>>>(Values);
  large<<<Blocks, 256>>>(Values);
  once<<<Blocks, 256>>>(Values);
  alone<<<Blocks, 256>>>(Values);
}
