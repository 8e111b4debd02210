// A table in constant memory, indexed by the lane, then by the block.
//
// RUN: %warpwise check --checks='-*,cuda-memory-constant-nonuniform' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__constant__ float Weights[256];

// Before: 32 words, 32 passes.
__global__ void byLane(float *Data) {
  Data[threadIdx.x] = Weights[threadIdx.x];
  // CHECK: index-by-lane.cu:[[@LINE-1]]:23: warning: constant load differs between lanes: 32 words per request (ideal 1), one pass each{{.*}} [cuda-memory-constant-nonuniform]
  // CHECK: note: profile nvidia-h100-pcie: warp.constant.cycles_per_word is
  // CHECK: note: index 'Weights' by the block or the loop instead of the lane
}

// After: one word for all lanes.
__global__ void byBlock(float *Data) {
  Data[blockIdx.x * blockDim.x + threadIdx.x] = Weights[blockIdx.x];
}

void launch(float *Data) {
  byLane<<<1, 256>>>(Data);
  byBlock<<<256, 256>>>(Data);
}
