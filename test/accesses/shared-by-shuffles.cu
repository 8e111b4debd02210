// Lanes that get a number from one lane have the same, as have those that take
// a member of one record: eight of them read 128 bytes side by side, wherever
// these lie.
//
// RUN: %warpwise accesses --gpu=nvidia-h200 --quiet %s | FileCheck %s

__global__ void handedOn(const unsigned *Start, const uint4 *Pages,
                         uint4 *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Page = __shfl_sync(~0u, Start[I], 3, 8) % 1048576;
  // CHECK: "line": [[@LINE+2]],
  // CHECK: "sectors": 16,
  Out[I] = Pages[Page * 8 + I % 8];
}

__global__ void member(const uint2 *Start, const uint4 *Pages, uint4 *Out,
                       uint2 *Seen) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  uint2 Its = Start[I / 8];
  Seen[I] = Its;
  // CHECK: "line": [[@LINE+2]],
  // CHECK: "sectors": 16,
  Out[I] = Pages[Its.x % 1048576 * 8 + I % 8];
}

// From the lane before, each has another.
__global__ void neighbours(const unsigned *Start, const uint4 *Pages,
                           uint4 *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Page = __shfl_up_sync(~0u, Start[I], 1) % 1048576;
  // CHECK: "line": [[@LINE+2]],
  // CHECK: "sectors": 32,
  Out[I] = Pages[Page * 8 + I % 8];
}

void launch(const unsigned *Start, const uint2 *Pairs, const uint4 *Pages,
            uint4 *Out, uint2 *Seen) {
  handedOn<<<4096, 256>>>(Start, Pages, Out);
  member<<<4096, 256>>>(Pairs, Pages, Out, Seen);
  neighbours<<<4096, 256>>>(Start, Pages, Out);
}
