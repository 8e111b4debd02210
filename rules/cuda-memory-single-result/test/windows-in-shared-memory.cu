// Differences of a frame from itself a lag later: the windows of neighbouring
// lanes are the same but for one element. With four lags a thread they were
// 2.08 times as fast on an H200 (pitch-differences-four-lags of test/gpu/pairs).
//
// RUN: %checkpriced --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 --explain %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Frames = 512, Hop = 256, Window = 1024, Lags = 512;
constexpr int Length = Window + Lags;

__global__ void lags(const float *__restrict__ Sound,
                     float *__restrict__ Difference) {
  __shared__ float Frame[Length];
  for (int I = threadIdx.x; I < Length; I += blockDim.x)
    Frame[I] = Sound[blockIdx.x * Hop + I];
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I < Window; ++I) {
    // CHECK: [[@LINE+3]]:36: warning: a thread goes through a window of 'Frame' for one result, and the next lane through the same but for one element; about 1.{{[3-9].*}}x faster
    // CHECK: note: it makes 1024 loads of it
    // CHECK: note: give each thread 4 results in a row, load 4 elements at a time as a vector (align the array to it), and keep in registers what the next result needs, too
    const float Delta = Frame[I] - Frame[I + threadIdx.x];
    Sum += Delta * Delta;
  }
  Difference[blockIdx.x * Lags + threadIdx.x] = Sum;
}

// Every second element: a vector of four brings two, and the next lane's window
// is none of this one.
__global__ void everySecond(const float *__restrict__ Sound,
                            float *__restrict__ Difference) {
  __shared__ float Frame[2 * Window + Lags];
  for (int I = threadIdx.x; I < 2 * Window + Lags; I += blockDim.x)
    Frame[I] = Sound[blockIdx.x * Hop + I];
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I < Window; ++I) {
    const float Delta = Frame[2 * I] - Frame[2 * I + threadIdx.x];
    Sum += Delta * Delta;
  }
  Difference[blockIdx.x * Lags + threadIdx.x] = Sum;
}

// What each thread has for itself no other needs.
__global__ void rowsOfTheirOwn(const float *__restrict__ Sound,
                               float *__restrict__ Sums) {
  __shared__ float Tile[64][128];
  for (int I = 0; I < 64; ++I)
    Tile[I][threadIdx.x] = Sound[(blockIdx.x * 64 + I) * 128 + threadIdx.x];
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I < 64; ++I)
    Sum = Sum * 0.5f + Tile[I][threadIdx.x];
  Sums[blockIdx.x * 128 + threadIdx.x] = Sum;
}

void launch(const float *Sound, float *Out) {
  lags<<<Frames, Lags>>>(Sound, Out);
  everySecond<<<Frames, Lags>>>(Sound, Out);
  rowsOfTheirOwn<<<Frames, 128>>>(Sound, Out);
}

// CHECK: note: 1 warning in 3 kernels
