// Loops run to their end and every warp counts: a scan's exit value feeds the
// loop that follows, and half of the warps do nothing in the last rounds.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

__global__ void sweep(float *Out) {
  __shared__ float Tile[256];
  unsigned Offset = 1;
  for (unsigned D = 128; D > 0; D >>= 1) {
    __syncthreads();
    if (threadIdx.x < D)
      Tile[Offset * (2 * threadIdx.x + 1) - 1] = 1;
    Offset <<= 1;
  }
  // Offset is 256 here: all lanes write to one bank.
  // CHECK: "line": [[@LINE+8]],
  // CHECK: "space": "shared",
  // CHECK: "op": "load",
  // CHECK: "proof": "exact",
  // CHECK: "active_lanes": 1,
  // CHECK: "wavefronts": 1,
  __syncthreads();
  if (threadIdx.x * Offset < 256)
    Out[0] = Tile[threadIdx.x * Offset];
}

void launch(float *Out) { sweep<<<1, 128>>>(Out); }
