// What no GPU has room for is one sentence, before a code generator fails on it.
//
// RUN: not %warpwise reuse --quiet --cuda-path=none %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=crashed --implicit-check-not=materialize
// RUN: %warpwise check --cuda-path=none %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SKIPPED --implicit-check-not=crashed
// RUN: %warpwise accesses --quiet --cuda-path=none %s -- \
// RUN:   | FileCheck %s --check-prefix=JSON

// CHECK-DAG: error: kernel 'hugeFrame': a private variable has 1152921504606846976 bytes, a thread at most 524288
// SKIPPED-DAG: kernel 'hugeFrame(int*)' was not analysed: a private variable has 1152921504606846976 bytes
// JSON: "reason": "a private variable has 1152921504606846976 bytes
__global__ void hugeFrame(int *p) {
  int a[1l << 58];
  a[p[1]] = 1;
  p[threadIdx.x] = a[p[0]];
}

// CHECK-DAG: error: kernel 'variableFrame': a private array has a variable size
// SKIPPED-DAG: kernel 'variableFrame(int*, int)' was not analysed: a private array has a variable size
__global__ void variableFrame(int *p, int n) {
  int *a = (int *)__builtin_alloca(n);
  a[p[1]] = 1;
  p[threadIdx.x] = a[p[0]];
}

// CHECK-DAG: error: kernel 'hugeShared': the shared variables have 2147483648 bytes, a block at most 262144
// SKIPPED-DAG: kernel 'hugeShared(char*)' was not analysed: the shared variables have 2147483648 bytes
__global__ void hugeShared(char *p) {
  __shared__ char s[1l << 31];
  s[p[threadIdx.x]] = 1;
  __syncthreads();
  p[threadIdx.x] = s[p[threadIdx.x] + 1];
}

// CHECK-DAG: error: kernel 'hugeVector': it has vectors of more than 4096 bits
// SKIPPED-DAG: kernel 'hugeVector(int*)' was not analysed: it has vectors of more than 4096 bits
typedef int Huge __attribute__((vector_size(4096)));
__global__ void hugeVector(int *p) {
  Huge *h = (Huge *)p;
  h[threadIdx.x] = h[threadIdx.x + 1] * h[0];
}

// CHECK-DAG: error: kernel 'dynamic': {{.*}} asks for 18446744073709551615 bytes of shared memory
__global__ void dynamic(int *p) { p[threadIdx.x] = 1; }

// Functions that call the next one eight times each: 8^8 copies of the last.
// CHECK-DAG: error: kernel 'multiplied': with all that it calls it has {{[0-9]+}} instructions, and no more than 1000000 are worked on
// SKIPPED-DAG: kernel 'multiplied(int*)' was not analysed: with all that it calls it has {{[0-9]+}} instructions
#define CALLS_NEXT(NAME, NEXT)                                                 \
  __device__ void NAME(int *p) {                                               \
    NEXT(p), NEXT(p), NEXT(p), NEXT(p), NEXT(p), NEXT(p), NEXT(p), NEXT(p);    \
  }
__device__ void calls0(int *p) { p[threadIdx.x] += 1; }
CALLS_NEXT(calls1, calls0)
CALLS_NEXT(calls2, calls1)
CALLS_NEXT(calls3, calls2)
CALLS_NEXT(calls4, calls3)
CALLS_NEXT(calls5, calls4)
CALLS_NEXT(calls6, calls5)
CALLS_NEXT(calls7, calls6)
CALLS_NEXT(calls8, calls7)
__global__ void multiplied(int *p) { calls8(p); }

// SKIPPED-DAG: in 2 kernels
__global__ void fine(int *p) { p[threadIdx.x] = 1; }

void launch(int *p, int n) {
  hugeFrame<<<1, 32>>>(p);
  variableFrame<<<1, 32>>>(p, n);
  hugeShared<<<1, 32>>>((char *)p);
  hugeVector<<<1, 32>>>(p);
  dynamic<<<1, 32, ~0ul>>>(p);
  fine<<<1, 32>>>(p);
  multiplied<<<1, 32>>>(p);
}
