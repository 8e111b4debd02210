// Bins that data choose: found where the data are known, and not after each
// block has bins of its own.
//
// RUN: %checkpriced --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=nvidia-h200 --buffer=In=random,count=4194304,below=256 \
// RUN:   %s -- 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %checkpriced --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=warning:
// UNKNOWN: note: 0 warnings in 2 kernels, {{[0-9]+}} of {{[0-9]+}} accesses judged

constexpr int N = 1 << 22, Blocks = 528;

// CHECK: [[@LINE+4]]{{.*}}: warning: each block makes likely {{[0-9]+}} atomics on each word of 'Bins', which take turns; about 1{{[0-9][0-9]\.}}
// CHECK: note: add up in an array in shared memory first, and add its {{2[0-9][0-9]}} words to 'Bins' once a block
__global__ void before(const unsigned *In, unsigned *Bins) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    atomicAdd(&Bins[In[I]], 1);
}

__global__ void after(const unsigned *In, unsigned *Bins) {
  __shared__ unsigned Mine[256];
  Mine[threadIdx.x] = 0;
  __syncthreads();
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    atomicAdd(&Mine[In[I]], 1);
  __syncthreads();
  atomicAdd(&Bins[threadIdx.x], Mine[threadIdx.x]);
}

void launch(const unsigned *In, unsigned *Bins) {
  before<<<Blocks, 256>>>(In, Bins);
  after<<<Blocks, 256>>>(In, Bins);
}
// CHECK: note: 1 warning in 2 kernels
