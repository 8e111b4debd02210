// A sum that is stored each round, and the same in a register or behind a
// pointer that promises that nothing else leads there.
//
// RUN: %warpwise check --checks='-*,cuda-memory-redundant-round-trip' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Threads = 1 << 18, Each = 32;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 0;
  for (int J = 0; J < Each; ++J)
    Out[I] += In[J * Threads + I];
  // CHECK: [[@LINE-1]]:12: warning: 'Out' is stored in each round of a loop: 32 stores to the same addresses where one would do; about {{[12]\..*}}x faster {{.*}} when repaired [cuda-memory-redundant-round-trip]
  // CHECK: note: the compiler has to store it each time: what is loaded from 'In' may be the same memory
  // CHECK: note: keep it in a variable of its own during the loop, and store it to 'Out' once after it
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += In[J * Threads + I];
  Out[I] = Sum;
}

__global__ void restricted(const float *In, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 0;
  for (int J = 0; J < Each; ++J)
    Out[I] += In[J * Threads + I];
}

// A product of matrices: each thread has a row of results.
__global__ void product(const float *A, const float *B, float *C, int N) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int Column = 0; Column < 16; ++Column)
    for (int K = 0; K < 64; ++K)
      // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: 'C' is stored in each round of a loop: 64 stores
      C[Column * N + Row] += A[K * N + Row] * B[K * 16 + Column];
}

// Every round has an element of its own.
__global__ void scaled(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int J = 0; J < Each; ++J)
    Out[J * Threads + I] += In[J * Threads + I];
}

void launch(const float *In, float *Out) {
  before<<<Threads / 256, 256>>>(In, Out);
  after<<<Threads / 256, 256>>>(In, Out);
  restricted<<<Threads / 256, 256>>>(In, Out);
  product<<<64, 128>>>(In, In, Out, 8192);
  scaled<<<Threads / 256, 256>>>(In, Out);
}
// CHECK: note: 2 warnings in 5 kernels
