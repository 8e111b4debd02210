// GNU compound literals as the shape of a launch: read, not recursed into.
//
// RUN: %warpwise accesses %s 2>&1 | FileCheck %s

__global__ void scale(float *Out) { Out[threadIdx.x] = 1; }

int main() { scale<<<(dim3){2, 1, 1}, (dim3){64, 1, 1}>>>(nullptr); }

// CHECK: "block": [
// CHECK-NEXT: 64,
// CHECK: "source": "launch"
