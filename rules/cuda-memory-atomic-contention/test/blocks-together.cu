// Frames that overlap: a block adds once to each word, and those beside it add
// to the same ones. One block that does what several do adds up first.
//
// RUN: %checkpriced --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Frames = 8192, Length = 1024, Hop = 256;

// CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: each block makes likely {{[0-9]+}} atomics on each word of 'Stream', which take turns; about {{[1-9]\..*}}x faster
__global__ void overlapAdd(const float *Frame, float *Stream) {
  for (int I = threadIdx.x; I < Length; I += 256)
    atomicAdd(&Stream[blockIdx.x * Hop + I], Frame[blockIdx.x * Length + I]);
}
// CHECK: note: if it does what 7 blocks do now: blocks beside each other add to the same {{[0-9]+}} words
// CHECK: note: let a block do what 7 blocks do, add up in an array in shared memory first, and add its {{[0-9]+}} words to 'Stream' once a block

// Blocks apart have nothing in common.
__global__ void apart(const float *Frame, float *Stream) {
  for (int I = threadIdx.x; I < Length; I += 256)
    atomicAdd(&Stream[blockIdx.x * Length + I], Frame[blockIdx.x * Length + I]);
}

// So few blocks that the GPU would be empty.
__global__ void few(const float *Frame, float *Stream) {
  for (int I = threadIdx.x; I < Length; I += 256)
    atomicAdd(&Stream[blockIdx.x * Hop + I], Frame[blockIdx.x * Length + I]);
}

void launch(const float *Frame, float *Stream) {
  overlapAdd<<<Frames, 256>>>(Frame, Stream);
  apart<<<Frames, 256>>>(Frame, Stream);
  few<<<128, 256>>>(Frame, Stream);
}
