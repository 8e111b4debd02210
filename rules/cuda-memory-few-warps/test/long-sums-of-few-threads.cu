// Sums over many rows by 32 blocks, by one, and by blocks that share them out.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-few-warps' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Rows = 8192, Columns = 4096, Threads = 128, Parts = 16;

__global__ void columns(const float *A, const float *X, float *Y) {
  const int C = blockIdx.x * Threads + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < Rows; ++R)
// CHECK: [[@LINE+4]]:{{[0-9]+}}: warning: 128 warps for the 132 SMs of NVIDIA H200, while each thread goes through 8192 rounds of a loop that do not need each other; about {{[89]\..*}}x faster {{.*}} when repaired [cuda-memory-few-warps]
// CHECK: note: all that a round leaves to the next is a sum so far
// CHECK: note: launched here
// CHECK: note: let 16 threads share the rounds, along an axis of the grid or in a wider block, and put together what they find (by atomics, or in the block)
    Sum += X[R] * A[size_t(R) * Columns + C];
  Y[C] = Sum;
}

__global__ void parts(const float *A, const float *X, float *Y) {
  const int C = blockIdx.x * Threads + threadIdx.x;
  float Sum = 0;
  for (int R = blockIdx.y; R < Rows; R += Parts)
    Sum += X[R] * A[size_t(R) * Columns + C];
  atomicAdd(Y + C, Sum);
}

__global__ void greatest(const int *A, int *Most, int *Count) {
  __shared__ int Part[256];
  int Mine = 0, Sum = 0;
  for (int I = threadIdx.x; I < Rows * 256; I += 256) {
// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: 8 warps for the 132 SMs of NVIDIA H200, while each thread goes through 8192 rounds of a loop that do not need each other
    const int Next = A[I];
    Mine = max(Mine, Next);
    if (Next > 0)
      Sum += Next & 7;
  }
  Part[threadIdx.x] = Mine;
  __syncthreads();
  for (int Step = 128; Step > 0; Step /= 2) {
    if (threadIdx.x < Step)
      Part[threadIdx.x] = max(Part[threadIdx.x], Part[threadIdx.x + Step]);
    __syncthreads();
  }
  atomicAdd(Count, Sum);
  if (threadIdx.x == 0)
    *Most = Part[0];
}

void launch(const float *A, const float *X, float *Y, int *Most) {
  columns<<<Columns / Threads, Threads>>>(A, X, Y);
  parts<<<dim3(Columns / Threads, Parts), Threads>>>(A, X, Y);
  greatest<<<1, 256>>>((const int *)A, Most, Most + 1);
}
// CHECK: note: 2 warnings in 3 kernels
