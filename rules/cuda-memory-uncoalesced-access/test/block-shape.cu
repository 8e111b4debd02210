// A wider block cures all arrays whose rows the block cuts short: one finding
// with one price.
//
// RUN: %checkpriced --checks='-*,cuda-memory-uncoalesced-access' --quiet %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void sum(const float *A, const float *B, float *C) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  C[Y * 4096 + X] = A[Y * 4096 + X] + B[Y * 4096 + X];
  // CHECK: [[@LINE-1]]:19: warning: global store is uncoalesced: {{.*}}8 sectors per request (ideal 4), {{.*}}about 1.{{[6-9][0-9]?}}x faster
  // CHECK: note: make the block 32 threads wide, so that a warp stays in one row of 'C'; the same at [[@LINE-2]]:{{[0-9]+}} and [[@LINE-2]]:{{[0-9]+}}
}

void launch(float *A, float *B, float *C) {
  sum<<<dim3(1024, 64), dim3(4, 64)>>>(A, B, C);
}
