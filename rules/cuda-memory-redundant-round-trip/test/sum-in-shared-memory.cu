// A running sum that volatile keeps in shared memory, and the same in a
// register.
//
// RUN: %warpwise check --checks='-*,cuda-memory-redundant-round-trip' \
// RUN:   --profile=nvidia-h200 --explain %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Threads = 256, Each = 64, Blocks = 4096;

__global__ void before(const float *In, float *Out) {
  __shared__ volatile float Sums[Threads];
  const int T = threadIdx.x, First = blockIdx.x * Threads * Each;
  Sums[T] = 0;
  for (int J = 0; J < Each; ++J)
    Sums[T] = Sums[T] + In[First + J * Threads + T];
  // CHECK: [[@LINE-1]]:13: warning: 'Sums' is loaded and stored in each round of a loop: 64 stores to the same words of shared memory where one would do; {{.*}} faster {{.*}} when repaired [cuda-memory-redundant-round-trip]
  // CHECK: note: volatile asks for each of them, though no other thread can look at the words before the loop is over
  // CHECK: note: keep it in a variable of its own during the loop, and store it to 'Sums' once after it
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (T < Half)
      Sums[T] = Sums[T] + Sums[T + Half];
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Sums[0];
}

__global__ void after(const float *In, float *Out) {
  __shared__ volatile float Sums[Threads];
  const int T = threadIdx.x, First = blockIdx.x * Threads * Each;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += In[First + J * Threads + T];
  Sums[T] = Sum;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (T < Half)
      Sums[T] = Sums[T] + Sums[T + Half];
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Sums[0];
}

// Threads meet in the outer loop: a register could hold the sum of one tile.
// Dynamic shared memory, two words a thread.
__global__ void tiles(const float *In, float *Out) {
  extern __shared__ volatile float Parts[];
  __shared__ float Tile[Threads];
  const int T = threadIdx.x;
  Parts[T] = Parts[Threads + T] = 0;
  for (int B = 0; B < 8; ++B) {
    Tile[T] = In[(blockIdx.x * 8 + B) * Threads + T];
    __syncthreads();
    for (int J = 0; J < Threads; ++J) {
      // CHECK: [[@LINE+1]]:16: warning: 'Parts' is loaded and stored in each round of a loop: 256 stores to the same words {{.*}}x faster
      Parts[T] = Parts[T] + Tile[J];
      // CHECK: note: {{.*}}the same at [[@LINE+1]]:26
      Parts[Threads + T] = Parts[Threads + T] + Tile[J] * Tile[J];
    }
    __syncthreads();
    Out[(blockIdx.x * 8 + B) * Threads + T] = Parts[T] * Parts[Threads + T];
  }
}

void launch(const float *In, float *Out) {
  before<<<Blocks, Threads>>>(In, Out);
  after<<<Blocks, Threads>>>(In, Out);
  tiles<<<Blocks, Threads, 2 * Threads * sizeof(float)>>>(In, Out);
}
// CHECK: note: 2 warnings in 3 kernels
