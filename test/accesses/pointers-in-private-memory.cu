// Pointers that are kept in private memory lead to what is stored there: shared
// memory, or anything where they are of both kinds.
// RUN: %warpwise accesses --gpu=nvidia-h200 %s -- | FileCheck %s

__global__ void shared(float *out, int n) {
  __shared__ float a[128], b[128];
  float *both[2] = {a, b};
  for (int i = 0; i < n; ++i)
    // CHECK: "line": [[#@LINE+3]],
    // CHECK-NEXT: "column"
    // CHECK-NEXT: "space": "shared"
    both[i & 1][threadIdx.x * 4] = i;
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void mixed(float *out, int n) {
  __shared__ float a[128];
  float *both[2] = {a, out};
  for (int i = 0; i < n; ++i)
    // CHECK: "line": [[#@LINE+3]],
    // CHECK-NEXT: "column"
    // CHECK-NEXT: "space": "generic"
    both[i & 1][threadIdx.x * 4] = i;
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x];
}

void launch(float *out, int n) {
  shared<<<1, 32>>>(out, n);
  mixed<<<1, 32>>>(out, n);
}
