// Loads with cache hints and managed variables, which Clang's CUDA headers lack.
//
// RUN: %warpwise accesses %s 2>&1 | FileCheck %s --implicit-check-not=skipped
// RUN: %warpwise accesses --cuda-path=none %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=skipped

__managed__ int Table[64];

__global__ void copy(float4 *Out, const float4 *In, int *Picked) {
  __stcs(Out + threadIdx.x, __ldcs(In + threadIdx.x));
  Picked[threadIdx.x] = Table[threadIdx.x % 64];
}

// CHECK: "bytes": 16
// CHECK: "object": "Table"
