// Sources that mark their functions for the device under nvcc alone.
//
// RUN: %warpwise accesses %s | FileCheck %s
// RUN: %warpwise accesses %s -- -U__NVCC__ | FileCheck --check-prefix=OTHER %s

#ifdef __NVCC__
#define DEVICE __device__
#else
#define DEVICE
#endif

DEVICE float twice(float Value) { return 2 * Value; }

__global__ void scale(float *Out) { Out[threadIdx.x] = twice(threadIdx.x); }

// CHECK: "status": "clean"
// OTHER-NOT: "status": "clean"
