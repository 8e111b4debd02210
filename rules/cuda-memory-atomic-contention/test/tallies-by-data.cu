// Data decide to which of a few words a thread adds. As long as nobody knows
// them they are taken to go all over the array, as large as the host has it.
//
// RUN: %checkpriced --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
#include <cuda_runtime.h>

constexpr int N = 1 << 20, Few = 48, Many = 1 << 22;

// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: each block makes likely 11 atomics on each word of 'Tallies', which take turns; about {{.*}}x faster
__global__ void few(const unsigned *Hits, unsigned long long *Tallies) {
  atomicAdd(Tallies + Hits[blockIdx.x * blockDim.x + threadIdx.x] % Few, 3ull);
}
// CHECK: note: a block adds to about 48 words, if the indices are random; --buffer tells what they are
// CHECK: note: add up in an array in shared memory first, and add its 48 words to 'Tallies' once a block

// A block hits hardly any word twice.
__global__ void many(const unsigned *Hits, unsigned long long *Tallies) {
  atomicAdd(Tallies + Hits[blockIdx.x * blockDim.x + threadIdx.x] % Many, 3ull);
}

int main() {
  unsigned *Hits;
  unsigned long long *Tallies, *Large;
  cudaMalloc(&Hits, N * sizeof(*Hits));
  cudaMalloc(&Tallies, Few * sizeof(*Tallies));
  cudaMalloc(&Large, Many * sizeof(*Large));
  few<<<N / 512, 512>>>(Hits, Tallies);
  many<<<N / 512, 512>>>(Hits, Large);
}
