// A variable of a type that has no size here.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

struct Hidden;
extern __device__ Hidden Somewhere;

// CHECK: "op": "store",
// CHECK-NEXT: "bytes": 8,
// CHECK-NEXT: "object": "Out",
__global__ void address(const void **Out) { Out[threadIdx.x] = &Somewhere; }

void launch(const void **Out) { address<<<1, 32>>>(Out); }
