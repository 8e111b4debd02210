// Data decide who goes on: half of the warps. What is asked within, and ends at the
// same place, is part of that condition; what is asked after it is another one.
//
// RUN: %warpwise accesses --cuda-path=none %s -- -arch=sm_90 2>/dev/null | FileCheck %s

__global__ void filter(const int *A, const int *B, const int *C, const int *D,
                       int *Out) {
  int Sum = 0;
  for (int Round = 0; Round < 16; ++Round) {
    const int I = Round * 256 + threadIdx.x;
    // CHECK: "line": [[@LINE+4]]
    // CHECK: "object": "A"
    // CHECK-NEXT: "trips": 16,
    // CHECK: "object": "B"
    if (A[I] > 0 && B[I] > 0)
      // CHECK-NEXT: "trips": 8,
      // CHECK: "object": "C"
      // CHECK-NEXT: "trips": 8,
      Sum += C[I];
    if (Sum > 8)
      // CHECK: "object": "D"
      // CHECK-NEXT: "trips": 8,
      Sum += D[I];
  }
  Out[threadIdx.x] = Sum;
}

void run(const int *A, const int *B, const int *C, const int *D, int *Out) {
  filter<<<1, 256>>>(A, B, C, D, Out);
}
