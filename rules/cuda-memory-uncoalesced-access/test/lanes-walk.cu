// Each lane walks along 16 elements of its own: no byte is moved for nobody, but
// every request looks up 32 lines of L1. Where that is what the kernel waits for
// it is a finding; five members of a record that DRAM brings in any case are
// none.
//
// RUN: %checkpriced --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --explain-silence %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Threads = 1 << 20, Each = 16;

// CHECK: [[@LINE+6]]{{.*}}: warning: global load is uncoalesced: 32 sectors per request (ideal 4), which L1 looks up one by one for each of the 8 requests that share them; about {{1\.[89]|2\.}}
// CHECK: note: store 'In' so that the elements of neighbouring lanes lie side by side, or pass them through shared memory
__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += In[I * Each + J];
  Out[I] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += In[J * Threads + I];
  Out[I] = Sum;
}

struct Cell {
  float Density, U, V, W, Energy;
};

__global__ void members(const Cell *All, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell &C = All[I];
  Out[I] = C.Energy - 0.5f * C.Density * (C.U * C.U + C.V * C.V + C.W * C.W);
}

void launch(const float *In, const Cell *All, float *Out) {
  before<<<Threads / 256, 256>>>(In, Out);
  after<<<Threads / 256, 256>>>(In, Out);
  members<<<4 * Threads / 256, 256>>>(All, Out);
}
// CHECK: note: 1 warning in 3 kernels
