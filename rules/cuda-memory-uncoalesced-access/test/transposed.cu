// One half of a matrix is copied into the other: the other order of the indices
// would only move what is wrong from the load to the store.
//
// RUN: %checkpriced --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void mirror(double *Matrix, size_t N, int Count) {
  const int J = blockIdx.x * blockDim.x + threadIdx.x;
  const int I = blockIdx.y * blockDim.y + threadIdx.y;
  if (I >= N || J >= N || I >= J)
    return;
  for (int P = 0; P < Count; ++P)
    // CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: global load is uncoalesced: 16 sectors per request where 'N' is large (ideal 8)
    // CHECK: note: in the costliest request of 'Matrix', rows of 16 lanes, an unknown distance apart in a row, 8 bytes from row to row
    // CHECK: note: 'Matrix' is transposed: pass tiles of it through shared memory, so that neighbouring lanes load neighbouring elements
    Matrix[P * N * N + I * N + J] = Matrix[P * N * N + J * N + I];
}

void launch(double *Matrix, size_t N, int Count) {
  const unsigned Blocks = (N + 15) / 16;
  mirror<<<dim3(Blocks, Blocks), dim3(16, 16)>>>(Matrix, N, Count);
}
