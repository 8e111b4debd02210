// Rounds that wait for each other's loads, on a grid that nobody knows: where it
// is large enough DRAM is what takes the time, and nothing is gained. The half
// of a matrix that is copied is not the one that the first blocks lie in.
//
// RUN: %checkpriced --checks='-*,cuda-memory-missing-restrict' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void triangles(double *To, const double *From, size_t N, int Count) {
  const size_t J = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t I = blockIdx.y * blockDim.y + threadIdx.y;
  if (I >= N || J >= N || I < J)
    return;
  const size_t Stride = (N + 1) * N / 2, At = I * (I + 1) / 2 + J;
  for (int P = 0; P < Count; ++P)
    To[At + P * Stride] = From[P * N * N + I * N + J];
}

// One warp an SM has nothing to hide them behind.
__global__ void few(double *To, const double *From, int Rows) {
  for (int P = 0; P < Rows; ++P)
    // CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: each round loads from 'From' only after the store to 'To', which may be the same memory; about {{[2-9]\..*}}x faster
    To[P * 4224 + blockIdx.x * 32 + threadIdx.x] =
        From[P * 4224 + blockIdx.x * 32 + threadIdx.x];
}

void launch(double *To, const double *From, int N, int Count) {
  triangles<<<dim3((N + 31) / 32, (N + 31) / 32), dim3(32, 32)>>>(To, From, N,
                                                                 Count);
  few<<<132, 32>>>(To, From, 1024);
}
