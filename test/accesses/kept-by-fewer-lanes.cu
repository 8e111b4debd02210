// What a load has brought stays in a register while lanes leave the loop around
// it: the last lanes' round makes no request. (33 lanes in 2 warps read 16 and 1
// words of c, and lanes 0 to 4 once more.)
// RUN: %warpwise accesses --gpu=nvidia-h200 %s -- | FileCheck %s

__constant__ float c[300];

__global__ void k(float *out) {
  float s = 0;
  for (int v = threadIdx.x; v < blockDim.x + 5; v += blockDim.x)
    s += c[3 * (threadIdx.x / 2)];
  out[threadIdx.x] = s;
}

void launch(float *out) { k<<<1, 33>>>(out); }

// CHECK: "space": "constant"
// CHECK: "proof": "exact"
// CHECK: "words": 8.5
