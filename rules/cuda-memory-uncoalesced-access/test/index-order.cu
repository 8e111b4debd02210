// Where all arrays of a kernel lie across its warps, one other order of the
// indices cures them: one finding with one price. A transpose has no such order.
//
// RUN: %checkpriced --checks='-*,cuda-memory-uncoalesced-access' --quiet %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void swapped(const float *A, const float *B, float *C) {
  int Row = blockIdx.x * blockDim.x + threadIdx.x;
  int Column = blockIdx.y * blockDim.y + threadIdx.y;
  C[Row * 2048 + Column] = A[Row * 2048 + Column] + B[Row * 2048 + Column];
  // CHECK: [[@LINE-1]]:26: warning: global store is uncoalesced: 32 sectors per request (ideal 4), {{.*}}about {{[3-9]\.[0-9]+}}x faster
  // CHECK: note: every array of this kernel lies across its warps: let threadIdx.x run along their fastest dimension; the same at [[@LINE-2]]:{{[0-9]+}} and [[@LINE-2]]:{{[0-9]+}}
}

__global__ void narrow(const float *A, float *C) {
  int Column = blockIdx.x * blockDim.x + threadIdx.x;
  int Row = blockIdx.y * blockDim.y + threadIdx.y;
  C[Row * 2048 + Column] = A[Row * 2048 + Column];
  // CHECK: [[@LINE-1]]:26: warning: global store is uncoalesced: 32 sectors per request
  // CHECK: note: every array of this kernel lies across its warps: make the block 256 threads wide instead of high; the same at [[@LINE-2]]:28
}

__global__ void transposed(const float *A, float *C) {
  int Column = blockIdx.x * blockDim.x + threadIdx.x;
  int Row = blockIdx.y * blockDim.y + threadIdx.y;
  C[Column * 2048 + Row] = A[Row * 2048 + Column];
  // CHECK: [[@LINE-1]]:26: warning: global store is uncoalesced: 32 sectors per request
  // CHECK: note: 'C' lies across the warps and other arrays along them: pass tiles of it through shared memory, so that neighbouring lanes store neighbouring elements
}

void launch(float *A, float *B, float *C) {
  swapped<<<dim3(64, 256), dim3(32, 8)>>>(A, B, C);
  narrow<<<dim3(2048, 8), dim3(1, 256)>>>(A, C);
  transposed<<<dim3(64, 256), dim3(32, 8)>>>(A, C);
}
