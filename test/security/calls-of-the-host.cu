// Names of functions of the C library, with and without the mark of CUDA's
// mathematics, lead nowhere: neither where threads run side by side nor where
// each runs by itself.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not %warpwise reuse --quiet --cuda-path=none %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=crashed
// RUN: not %warpwise reuse --quiet --cuda-path=none --jobs=1 %s --
// RUN: cd %S && rmdir %t

extern "C" __device__ int __nv_system(const char *);
extern "C" __device__ int system(const char *);
extern "C" __device__ int __nv_creat(const char *, int);
extern "C" __device__ int renamed(const char *) asm("system");
extern "C" __device__ float __nv_sinf(const char *); // not what its name says

// CHECK-DAG: error: kernel 'sideBySide': the accesses of a call of '__nv_system' are not modelled
__global__ void sideBySide(float *P, int *Q) {
  if (threadIdx.x == 0)
    Q[0] = __nv_system("touch was-run");
  int V = __shfl_sync(~0u, threadIdx.x * 2, threadIdx.x ^ 3);
  P[V] = 1;
}

// CHECK-DAG: error: kernel 'decidesAnAddress': addresses depend on a call of '__nv_creat', which is not modelled
__global__ void decidesAnAddress(float *P) {
  P[__nv_creat("was-made", 0600)] = 1;
}

// CHECK-DAG: error: kernel 'plain': addresses depend on a call of 'system', which is not modelled
__global__ void plain(float *P) { P[system("touch was-run")] = 1; }

// CHECK-DAG: error: kernel 'labelled': addresses depend on a call of 'system', which is not modelled
__global__ void labelled(float *P) { P[renamed("touch was-run")] = 1; }

// CHECK-DAG: error: kernel 'otherType': addresses depend on a call of '__nv_sinf', which is not modelled
__global__ void otherType(float *P) { P[(int)__nv_sinf("touch was-run")] = 1; }

// CHECK-DAG: error: kernel 'throughPointer': {{.*}} not modelled
__global__ void throughPointer(float *P, int (**F)(const char *)) {
  P[(*F)("touch was-run")] = 1;
}

void launch(float *P, int *Q, int (**F)(const char *)) {
  sideBySide<<<1, 32>>>(P, Q);
  decidesAnAddress<<<1, 32>>>(P);
  plain<<<1, 32>>>(P);
  labelled<<<1, 32>>>(P);
  otherType<<<1, 32>>>(P);
  throughPointer<<<1, 32>>>(P, F);
}
