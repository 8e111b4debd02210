// Words of shared memory that a register must not stand in for, or that other
// threads may look at as far as can be seen.
//
// RUN: %warpwise check --checks='-*,cuda-memory-redundant-round-trip' \
// RUN:   --min-gain=0 --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 13 kernels

constexpr int Threads = 256, Each = 64;

// nvcc keeps it in a register by itself.
__global__ void plain(const float *In, float *Out) {
  __shared__ float Sums[Threads];
  const int T = threadIdx.x;
  Sums[T] = 0;
  for (int J = 0; J < Each; ++J)
    Sums[T] += In[J * Threads + T];
  __syncthreads();
  Out[T] = Sums[Threads - 1 - T];
}

// Threads meet in the loop.
__global__ void meets(const float *In, float *Out) {
  __shared__ volatile float Sums[Threads];
  const int T = threadIdx.x;
  Sums[T] = 0;
  for (int J = 0; J < Each; ++J) {
    Sums[T] = Sums[T] + In[J * Threads + T];
    __syncthreads();
  }
  Out[T] = Sums[Threads - 1 - T];
}

__global__ void meetsInWarp(const float *In, float *Out) {
  __shared__ volatile float Sums[Threads];
  const int T = threadIdx.x;
  Sums[T] = 0;
  for (int J = 0; J < Each; ++J) {
    Sums[T] = Sums[T] + In[J * Threads + T];
    __syncwarp();
  }
  __syncthreads();
  Out[T] = Sums[Threads - 1 - T];
}

__global__ void publishes(const float *In, float *Out) {
  __shared__ volatile float Sums[Threads];
  const int T = threadIdx.x;
  Sums[T] = 0;
  for (int J = 0; J < Each; ++J) {
    Sums[T] = Sums[T] + In[J * Threads + T];
    __threadfence_block();
  }
  __syncthreads();
  Out[T] = Sums[Threads - 1 - T];
}

// The neighbour's word is read in the loop.
__global__ void neighbours(const float *In, float *Out) {
  __shared__ volatile float Sums[Threads];
  const int T = threadIdx.x;
  Sums[T] = 0;
  for (int J = 0; J < Each; ++J)
    Sums[T] = Sums[T] + Sums[T ^ 1] + In[J * Threads + T];
  __syncthreads();
  Out[T] = Sums[Threads - 1 - T];
}

// Lanes of a warp that go on without a barrier.
__global__ void tail(const float *In, float *Out) {
  __shared__ volatile float Sums[Threads];
  const int T = threadIdx.x;
  Sums[T] = 0;
  for (int J = 0; J < Each; ++J)
    Sums[T] = Sums[T] + In[J * Threads + T];
  if (T % 32 < 16)
    Sums[T] = Sums[T] + Sums[T + 16];
  __syncthreads();
  Out[T] = Sums[Threads - 1 - T];
}

// One warp waits for what others count, although barriers lie around.
__global__ void polls(const float *In, float *Out) {
  __shared__ volatile int Done[Threads];
  const int T = threadIdx.x;
  Done[T] = 0;
  __syncthreads();
  if (T >= 32) {
    for (int J = 0; J < Each; ++J) {
      Out[J * Threads + T] = In[J * Threads + T];
      Done[T] = Done[T] + 1;
    }
  } else {
    while (Done[T + 32] < Each)
      ;
  }
  __syncthreads();
  Out[T] = Done[T];
}

// Warps go by barriers of their own, and come to the second at the same time.
__global__ void specialised(const float *In, float *Out) {
  __shared__ volatile int Done[Threads];
  const int T = threadIdx.x;
  if (T >= 32) {
    __syncthreads();
    for (int J = 0; J < Each; ++J)
      Done[T] = Done[T] + int(In[J * Threads + T]);
    __syncthreads();
  } else {
    __syncthreads();
    while (Done[T + 32] < Each)
      ;
    __syncthreads();
  }
  Out[T] = Done[T];
}

// All warps have the same 32 words.
__global__ void sameForWarps(const float *In, float *Out) {
  __shared__ volatile float Sums[32];
  const int T = threadIdx.x;
  Sums[T % 32] = 0;
  for (int J = 0; J < Each; ++J)
    Sums[T % 32] = Sums[T % 32] + In[J * Threads + T];
  __syncthreads();
  Out[T] = Sums[31 - T % 32];
}

// Data say which word, or an argument how far they lie apart.
__global__ void byData(const float *In, const int *Index, float *Out) {
  __shared__ volatile float Sums[Threads];
  const int T = threadIdx.x, At = Index[T];
  for (int J = 0; J < Each; ++J)
    Sums[At] = Sums[At] + In[J * Threads + T];
  __syncthreads();
  Out[T] = Sums[T];
}

__global__ void byArgument(const float *In, float *Out, int Step) {
  __shared__ volatile float Sums[4096];
  const int T = threadIdx.x;
  for (int J = 0; J < Each; ++J)
    Sums[T * Step] = Sums[T * Step] + In[J * Threads + T];
  __syncthreads();
  Out[T] = Sums[T];
}

// Each round has a word of its own.
__global__ void walks(const float *In, float *Out) {
  __shared__ volatile float Sums[Each * Threads];
  const int T = threadIdx.x;
  for (int J = 0; J < Each; ++J)
    Sums[J * Threads + T] = Sums[J * Threads + T] + In[J * Threads + T];
  __syncthreads();
  Out[T] = Sums[Threads - 1 - T];
}

// Two names for the same memory.
__global__ void twoNames(const float *In, float *Out) {
  extern __shared__ volatile float Sums[];
  extern __shared__ volatile int Counts[];
  const int T = threadIdx.x;
  for (int J = 0; J < Each; ++J) {
    Sums[T] = Sums[T] + In[J * Threads + T];
    Out[J] = Counts[Threads - 1 - T];
  }
}

void launch(const float *In, const int *Index, float *Out, int Step) {
  plain<<<256, Threads>>>(In, Out);
  meets<<<256, Threads>>>(In, Out);
  meetsInWarp<<<256, Threads>>>(In, Out);
  publishes<<<256, Threads>>>(In, Out);
  neighbours<<<256, Threads>>>(In, Out);
  tail<<<256, Threads>>>(In, Out);
  polls<<<256, Threads>>>(In, Out);
  specialised<<<256, Threads>>>(In, Out);
  sameForWarps<<<256, Threads>>>(In, Out);
  byData<<<256, Threads>>>(In, Index, Out);
  byArgument<<<256, Threads>>>(In, Out, Step);
  walks<<<256, Threads>>>(In, Out);
  twoNames<<<256, Threads, 1024>>>(In, Out);
}
