// One thread is not too many; thousands of blocks with one each are too few
// threads in each, not too many of them.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-idle-lanes' --min-gain=0 \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s --implicit-check-not=warning:

__global__ void spin(volatile unsigned *Latch) {
  while (*Latch < 1)
    ;
}

// CHECK: [[#@LINE+2]]: warning: 31 of 32 lanes of each warp have nothing to do
// CHECK: note: let a block do what 32 of these blocks do, each lane the work of one
__global__ void each(const float *In, float *Out) {
  Out[blockIdx.x] = 2 * In[blockIdx.x];
}
// CHECK: note: 1 warning in 2 kernels

void run(unsigned *Latch, const float *In, float *Out) {
  spin<<<1, 1>>>(Latch);
  each<<<65536, 1>>>(In, Out);
}
