// Larger blocks and more elements for each thread are two ways to fewer blocks:
// the one that gains more is said.
//
// RUN: %checkpriced --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

// CHECK: [[@LINE+1]]: warning: blocks of 64 threads are small
__global__ void clears(int *Counts, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Counts[I] = 0;
}

void launch(int *Counts) { clears<<<1 << 17, 64>>>(Counts, 1 << 23); }
// CHECK: note: 1 warning in 1 kernel
