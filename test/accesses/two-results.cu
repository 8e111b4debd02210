// Functions of CUDA's mathematics with two results store one or both of them:
// accesses like any others.
//
// RUN: %warpwise accesses --quiet --cuda-path=none %s -- | FileCheck %s
// RUN: %warpwise reuse --quiet --cuda-path=none %s -- \
// RUN:   | FileCheck %s --check-prefix=REUSE

extern "C" __device__ void __nv_sincosf(float, float *, float *);
extern "C" __device__ double __nv_modf(double, double *);
// Not what its name says.
extern "C" __device__ float __nv_frexp(double, int *);

// CHECK: "name": "results(
// CHECK: "op": "store"
// CHECK: "op": "store"
// CHECK: "op": "store"
// REUSE: L1 stores 0.00 % 28 896 B
__global__ void results(float *Sines, float *Cosines, double *Wholes) {
  const int I = threadIdx.x;
  __nv_sincosf(float(I), Sines + I, Cosines + I * 2);
  __nv_modf(double(I), Wholes + I * 2);
}

void launch(float *Sines, float *Cosines, double *Wholes) {
  results<<<1, 32>>>(Sines, Cosines, Wholes);
}
