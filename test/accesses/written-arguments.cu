// A struct that is passed by value is the kernel's own copy: what it writes to
// that is what it reads later, and not what the launch gave.
//
// RUN: %warpwise accesses --quiet --output=%t.json %s
// RUN: FileCheck %s --input-file=%t.json

struct Shape {
  int Rows, Pitch;
};

// CHECK: "name": "branch(
// CHECK: "proof": "estimated"
// CHECK: "possible": [
// CHECK-NEXT: 1,
// CHECK-NEXT: 32
__global__ void branch(float *X, Shape S, int N) {
  if (N > 3)
    S.Pitch = 7 * threadIdx.x;
  X[S.Pitch] = 1;
}

// CHECK: "name": "rounds(
// CHECK: "proof": "estimated"
// CHECK: "least": 4
// CHECK-NEXT: "most": 32
__global__ void rounds(float *X, Shape S, int N) {
  for (int I = 0; I < N; ++I) {
    X[S.Pitch * 32 + threadIdx.x] = 1;
    S.Pitch += threadIdx.x;
  }
}

__device__ void turn(Shape &S) {
  const int Rows = S.Rows;
  S.Rows = S.Pitch;
  S.Pitch = Rows;
}

// CHECK: "name": "turned(
// CHECK: "proof": "exact"
// CHECK: "sectors": 16
__global__ void turned(float *X, Shape S) {
  turn(S);
  X[S.Pitch * threadIdx.x] = 1;
}

void launch(float *X, int N) {
  branch<<<64, 64>>>(X, Shape{0, 0}, N);
  rounds<<<64, 64>>>(X, Shape{0, 0}, N);
  float *Own;
  cudaMalloc(&Own, 1 << 20);
  turned<<<64, 64>>>(Own, Shape{4, 1});
}
