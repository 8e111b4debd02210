// Bits that are set again and again, and extremes of many numbers: in the end an
// atomic hardly ever changes anything, and a load can tell before.
//
// RUN: %checkpriced --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
#include <cuda_runtime.h>

constexpr unsigned Edges = 1 << 22, Vertices = 1 << 19, Cells = 1 << 14;

// CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: of the atomics on 'Visited' all but 13 % or so change nothing; about {{[1-9]\..*}}x faster
__global__ void mark(const unsigned *Ends, unsigned *Visited) {
  const unsigned End = Ends[blockIdx.x * 256 + threadIdx.x] % Vertices;
  atomicOr(Visited + End / 32, 1u << End % 32);
}
// CHECK: note: if the indices and what is put there are random: a bit that is set stays set
// CHECK: note: load the word first, and leave the atomic out where it would change nothing of 'Visited'

// As advised.
__global__ void markNew(const unsigned *Ends, unsigned *Visited) {
  const unsigned End = Ends[blockIdx.x * 256 + threadIdx.x] % Vertices;
  if (!(Visited[End / 32] >> End % 32 & 1))
    atomicOr(Visited + End / 32, 1u << End % 32);
}

// CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: of the atomics on 'Nearest' all but 3 % or so change nothing;
__global__ void nearest(const int2 *Seen, int *Nearest) {
  const int2 At = Seen[blockIdx.x * 256 + threadIdx.x]; // cell, depth
  atomicMin(Nearest + unsigned(At.x) % Cells, At.y);
}

// Each word is hit but once or twice.
__global__ void sparse(const unsigned *Ends, unsigned *Large) {
  const unsigned End = Ends[blockIdx.x * 256 + threadIdx.x] % Edges;
  atomicOr(Large + End, 1u);
}

// A sum is never done.
__global__ void sum(const unsigned *Ends, unsigned *Visited) {
  atomicAdd(Visited + Ends[blockIdx.x * 256 + threadIdx.x] % (Vertices / 32), 1);
}

int main() {
  unsigned *Ends, *Visited, *Large;
  int2 *Seen;
  int *Nearest;
  cudaMalloc(&Ends, Edges * sizeof(*Ends));
  cudaMalloc(&Visited, Vertices / 8);
  cudaMalloc(&Large, Edges * sizeof(*Large));
  cudaMalloc(&Seen, Edges * sizeof(*Seen));
  cudaMalloc(&Nearest, Cells * sizeof(*Nearest));
  mark<<<Edges / 256, 256>>>(Ends, Visited);
  markNew<<<Edges / 256, 256>>>(Ends, Visited);
  nearest<<<Edges / 256, 256>>>(Seen, Nearest);
  sparse<<<Edges / 256, 256>>>(Ends, Large);
  sum<<<Edges / 256, 256>>>(Ends, Visited);
}
