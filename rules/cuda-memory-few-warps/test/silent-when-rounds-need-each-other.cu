// Rounds that need what the one before has found, that store it, that end when
// they have found what they look for; short loops, and threads enough.
//
// RUN: %warpwise check --checks='-*,cuda-memory-few-warps' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 6 kernels

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
  few<<<Columns / 128, 128>>>(A, Out);
  many<<<64 * Columns / 128, 128>>>(A, Out);
}
