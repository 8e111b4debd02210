// A table that calls make is no constant for the compiler, and no static in code
// of the device may be made by calls: numbers in their place are one.
//
// RUN: %checkpriced --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h200 --no-nvcc %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
#include <cuda_runtime.h>

constexpr int N = 1 << 20;

__global__ void knots(const int *__restrict__ Place, float *__restrict__ Out) {
  // CHECK: [[@LINE+2]]: warning: each thread stores the table 'Knots' in its local memory in Clang's view
  // CHECK: note: declare 'Knots' static, with numbers in place of what calls in its braces return: one table for all threads
  const float2 Knots[36] = {
      make_float2(0, 0), make_float2(1, 1), make_float2(2, 4),
      make_float2(3, 9), make_float2(4, 16), make_float2(5, 25),
      make_float2(6, 36), make_float2(7, 12), make_float2(8, 27),
      make_float2(9, 7), make_float2(10, 26), make_float2(11, 10),
      make_float2(12, 33), make_float2(13, 21), make_float2(14, 11),
      make_float2(15, 3), make_float2(16, 34), make_float2(17, 30),
      make_float2(18, 28), make_float2(19, 28), make_float2(20, 30),
      make_float2(21, 34), make_float2(22, 3), make_float2(23, 11),
      make_float2(24, 21), make_float2(25, 33), make_float2(26, 10),
      make_float2(27, 26), make_float2(28, 7), make_float2(29, 27),
      make_float2(30, 12), make_float2(31, 36), make_float2(32, 25),
      make_float2(33, 16), make_float2(34, 9), make_float2(35, 4)};
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float2 Knot = Knots[Place[I] & 31];
  Out[I] = Knot.x + Knot.y;
}

void launch(const int *Place, float *Out) {
  knots<<<N / 256, 256>>>(Place, Out);
}

// CHECK: note: 1 warning in 1 kernel
