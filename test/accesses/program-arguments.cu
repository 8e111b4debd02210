// Without a word about the command line the block and the pitch are not known;
// --program-args says them.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null \
// RUN:   | FileCheck --check-prefix=UNKNOWN %s
// RUN: %warpwise accesses --cuda-path=none --program-args='"4" 64' %s \
// RUN:   2>/dev/null | FileCheck --check-prefix=KNOWN %s
// RUN: %warpwise check --cuda-path=none --program-args='4 64' %s 2>&1 \
// RUN:   | FileCheck --check-prefix=CHECK %s
// RUN: %warpwise check --cuda-path=none --program-args= %s 2>&1 \
// RUN:   | FileCheck --check-prefix=NONE %s
#include <cstdlib>

__global__ void pick(const float *In, float *Out, int Pitch) {
  Out[threadIdx.x] = In[threadIdx.x * Pitch];
}

int main(int Count, char **Words) {
  if (Count != 3)
    return 1;
  float *In, *Out;
  cudaMalloc(&In, 1 << 20);
  cudaMalloc(&Out, 1 << 20);
  pick<<<1, atoi(Words[2])>>>(In, Out, atoi(Words[1]));
}

// UNKNOWN: "source": "assumed"
// UNKNOWN: "proof": "estimated"

// KNOWN: "block": [
// KNOWN-NEXT: 64,
// KNOWN: "source": "launch"
// KNOWN: "line": 15
// KNOWN: "op": "load"
// KNOWN: "proof": "exact"
// KNOWN: "sectors": 16

// CHECK: the block shape of 1 kernel is known
// NONE: the block shape of 0 kernels is known
