// What the model cannot carry is named with its place, and the kernel is not
// called clean. A kernel of which nothing is left after optimisation says so.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

// CHECK-LABEL: "name": "bulk(float*, unsigned int)"
// CHECK: "status": "recovered",
// CHECK-NEXT: "reason": "not modelled: inline assembly 'cp.async.bulk.global.shared::cta.bulk_group' in line [[#@LINE+8]] and 1 more",
// CHECK: "not_modelled": [
// CHECK: "line": [[#@LINE+6]],
// CHECK-NEXT: "column": 3,
// CHECK-NEXT: "reason": "inline assembly 'cp.async.bulk.global.shared::cta.bulk_group'"
// CHECK: "line": [[#@LINE+6]],
// CHECK: "reason": "a call of 'elsewhere(float*)', which this file does not define"
__global__ void bulk(float *Out, unsigned From) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 64;"
               :: "l"(Out), "r"(From));
  extern __device__ void elsewhere(float *);
  elsewhere(Out);
}

// What begins like a math function is none if it takes other pointers.
// CHECK-LABEL: "name": "alike(float*)"
// CHECK: "status": "recovered",
// CHECK: "reason": "a call of '__nv_system', which this file does not define"
extern "C" __device__ int __nv_system(const char *);
__global__ void alike(float *Out) {
  float Whole;
  Out[threadIdx.x] = __nv_system("id") + modff(Out[0], &Whole);
}

// CHECK-LABEL: "name": "idle(int const*)"
// CHECK: "status": "recovered",
// CHECK: "reason": "an access without effect, which compilers remove"
__global__ void idle(const int *In) {
  int V = In[threadIdx.x];
  (void)V;
}

// CHECK-LABEL: "name": "whole(float*)"
// CHECK: "status": "clean",
// CHECK: "not_modelled": [],
// CHECK-NEXT: "memory_instructions": {
// CHECK-NEXT: "written": 1,
// CHECK-NEXT: "lowered": 1,
// CHECK-NEXT: "modelled": 1
__global__ void whole(float *Out) { Out[threadIdx.x] = 1; }

// Surfaces are memory as well.
// CHECK-LABEL: "name": "surface(unsigned long long, float)"
// CHECK: "status": "recovered",
// CHECK: "reason": "a surface access"
// CHECK: "written": 1,
// CHECK: "modelled": 0
__global__ void surface(unsigned long long Of, float Value) {
  surf2Dwrite(Value, Of, threadIdx.x * 4, blockIdx.x);
}
