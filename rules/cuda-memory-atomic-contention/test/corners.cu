// Cells add to their corners, each of which is the corner of three others: none of the
// four places adds twice to a word, all of them together do, and are cured together.
//
// RUN: %checkpriced --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
#include <cuda_runtime.h>

constexpr int Side = 2048;

// CHECK: [[@LINE+6]]:{{[0-9]+}}: warning: each block makes 3.{{[34][0-9]*}} atomics on each word of 'Corner', which take turns; about {{.*}}x faster
// CHECK: note: a block adds to about {{297|30[0-9]}} words
// CHECK: note: add up in an array in shared memory first, and add its {{297|30[0-9]}} words to 'Corner' once a block; the same at [[@LINE+5]]:3, [[@LINE+6]]:3 and [[@LINE+7]]:3
__global__ void spread(const float *Cell, float *Corner) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const float Quarter = Cell[Y * Side + X] / 4;
  atomicAdd(&Corner[Y * (Side + 1) + X], Quarter);
  atomicAdd(&Corner[Y * (Side + 1) + X + 1], Quarter);
  atomicAdd(&Corner[(Y + 1) * (Side + 1) + X], Quarter);
  atomicAdd(&Corner[(Y + 1) * (Side + 1) + X + 1], Quarter);
}

// One of them alone goes to each word once.
__global__ void move(const float *Cell, float *Corner) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  atomicAdd(&Corner[Y * (Side + 1) + X], Cell[Y * Side + X]);
}

int main() {
  float *Cell, *Corner;
  cudaMalloc(&Cell, Side * Side * sizeof(float));
  cudaMalloc(&Corner, (Side + 1) * (Side + 1) * sizeof(float));
  spread<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(Cell, Corner);
  move<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(Cell, Corner);
}
