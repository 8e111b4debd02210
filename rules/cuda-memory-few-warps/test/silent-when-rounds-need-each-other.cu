// Rounds that need what the one before has found, that store it, that end when
// they have found what they look for; short loops, and threads enough.
//
// RUN: %warpwise check --checks='-*,cuda-memory-few-warps' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 9 kernels

constexpr int Rows = 4096, Columns = 4096;

__global__ void recurrence(const float *A, float *Out) {
  const int C = blockIdx.x * 128 + threadIdx.x;
  float State = 0;
  for (int R = 0; R < Rows; ++R)
    State = State * 0.9f + A[R * Columns + C];
  Out[C] = State;
}

__global__ void prefix(const float *A, float *Out) {
  const int C = blockIdx.x * 128 + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < Rows; ++R) {
    Sum += A[R * Columns + C];
    Out[R * Columns + C] = Sum;
  }
}

__global__ void used(const float *A, float *Out) {
  const int C = blockIdx.x * 128 + threadIdx.x;
  float Sum = 0, Mixed = 0;
  for (int R = 0; R < Rows; ++R) {
    Sum += A[R * Columns + C];
    Mixed += A[R * Columns + C] * Sum;
  }
  Out[C] = Mixed;
}

__global__ void first(const float *A, int *Out) {
  const int C = blockIdx.x * 128 + threadIdx.x;
  int R = 0;
  while (R < Rows && A[R * Columns + C] < 0.5f)
    ++R;
  Out[C] = R;
}

// Twice the value so far, and more: no sum.
__global__ void doubled(const float *A, float *Out) {
  const int C = blockIdx.x * 128 + threadIdx.x;
  float Value = 0;
  for (int R = 0; R < Rows; ++R)
    Value = (Value + A[R * Columns + C]) + Value;
  Out[C] = Value;
}

__global__ void grown(const float *A, float *Out) {
  const int C = blockIdx.x * 128 + threadIdx.x;
  float Value = 1;
  for (int R = 0; R < Rows; ++R)
    Value = fmaf(Value, A[R * Columns + C], Value);
  Out[C] = Value;
}

// The block waits for each product before it makes the next.
__global__ void steps(const float *A, float *Out) {
  __shared__ float X[1024];
  X[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int Step = 0; Step < 100; ++Step) {
    float Sum = 0;
    for (int K = 0; K < 1024; ++K)
      Sum += A[K * 1024 + threadIdx.x] * X[K];
    __syncthreads();
    X[threadIdx.x] = Sum;
    __syncthreads();
  }
  Out[threadIdx.x] = X[threadIdx.x];
}

__global__ void few(const float *A, float *Out) {
  const int C = blockIdx.x * 128 + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < 24; ++R)
    Sum += A[R * Columns + C];
  Out[C] = Sum;
}

__global__ void many(const float *A, float *Out) {
  const int C = blockIdx.x * 128 + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < Rows; ++R)
    Sum += A[R * 64 * Columns + C];
  Out[C] = Sum;
}

void launch(const float *A, float *Out, int *Found) {
  recurrence<<<Columns / 128, 128>>>(A, Out);
  prefix<<<Columns / 128, 128>>>(A, Out);
  used<<<Columns / 128, 128>>>(A, Out);
  first<<<Columns / 128, 128>>>(A, Found);
  doubled<<<Columns / 128, 128>>>(A, Out);
  grown<<<Columns / 128, 128>>>(A, Out);
  steps<<<1, 1024>>>(A, Out);
  few<<<Columns / 128, 128>>>(A, Out);
  many<<<64 * Columns / 128, 128>>>(A, Out);
}
