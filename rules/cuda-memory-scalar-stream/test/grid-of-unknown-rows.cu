// A grid of as many rows as the host code finds out: what lies behind the guard
// is what the kernel does, not a border of the grid that few blocks come to, so
// that only the launch of blocks would count (4 times as fast with vectors).
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-scalar-stream' \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s --implicit-check-not=warning:

__global__ void update(float *A, float *B, float *C, int Size, float D,
                       float E) {
  const int I =
      threadIdx.x + (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x;
  if (I < Size) {
    // CHECK: [[#@LINE+1]]:{{.*}}: warning: each thread handles one element of 4 bytes: {{.*}}about 1.{{[01][0-9]?}}x faster
    const float P = B[I], Q = C[I];
    A[I] += D * P + E * Q;
    B[I] = P + D * Q;
    C[I] = 0;
  }
}

void launch(float *A, float *B, float *C, int Size, int Across, int Rows) {
  update<<<dim3(Across, Rows), 128>>>(A, B, C, Size, 1, 2);
}
