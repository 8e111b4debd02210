// Rounds between which a block waits: every other thread compares a pair, or
// adds to its element; and the same by neighbouring threads.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-idle-lanes' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Keys = 512, Blocks = 4096;

__device__ void order(unsigned *Pair) {
  const unsigned A = Pair[0], B = Pair[1];
// CHECK: [[@LINE-1]]:{{[0-9]+}}: warning: 16 of 32 lanes of each warp have nothing to do in the rounds of this loop; about 1.{{.*}}x faster {{.*}} when repaired [cuda-memory-idle-lanes]
// CHECK: note: all warps of a block take part, and wait for each other; in no round have more lanes an access
// CHECK: note: number the work of a round by the thread, so that neighbouring lanes do it, all of them: 2 times fewer threads are enough
  if (A > B) {
    Pair[0] = B;
    Pair[1] = A;
  }
}

__global__ void everyOther(unsigned *Out) {
  __shared__ unsigned Key[Keys];
  const int T = threadIdx.x;
  Key[T] = Out[blockIdx.x * Keys + T];
  __syncthreads();
  for (int Phase = 0; Phase < Keys; ++Phase) {
    if (T % 2 == Phase % 2 && T + 1 < Keys)
      order(Key + T);
    __syncthreads();
  }
  Out[blockIdx.x * Keys + T] = Key[T];
}

__global__ void all(unsigned *Out) {
  __shared__ unsigned Key[Keys];
  const int T = threadIdx.x;
  Key[T] = Out[blockIdx.x * Keys + T];
  Key[T + Keys / 2] = Out[blockIdx.x * Keys + T + Keys / 2];
  __syncthreads();
  for (int Phase = 0; Phase < Keys; ++Phase) {
    const int Left = 2 * T + Phase % 2;
    if (Left + 1 < Keys)
      order(Key + Left);
    __syncthreads();
  }
  Out[blockIdx.x * Keys + T] = Key[T];
  Out[blockIdx.x * Keys + T + Keys / 2] = Key[T + Keys / 2];
}

__global__ void multiples(const double *In, double *Sums) {
  __shared__ double Part[512];
  const int T = threadIdx.x;
  Part[T] = In[blockIdx.x * 512 + T];
  __syncthreads();
  for (int Step = 1; Step < 512; Step *= 2) {
    if (T % (2 * Step) == 0)
// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: 16 of 32 lanes of each warp have nothing to do in the rounds of this loop
      Part[T] += Part[T + Step];
    __syncthreads();
  }
  if (T == 0)
    Sums[blockIdx.x] = Part[0];
}

__global__ void firstOnes(const double *In, double *Sums) {
  __shared__ double Part[512];
  const int T = threadIdx.x;
  Part[T] = In[blockIdx.x * 512 + T];
  __syncthreads();
  for (int Step = 256; Step > 0; Step /= 2) {
    if (T < Step)
      Part[T] += Part[T + Step];
    __syncthreads();
  }
  if (T == 0)
    Sums[blockIdx.x] = Part[0];
}

// One lane of a warp stands for the others.
__global__ void byWarp(const float *In, float *Out, int Rounds) {
  __shared__ float Part[8];
  for (int R = 0; R < 64; ++R) {
    float Sum = In[(R * gridDim.x + blockIdx.x) * 256 + threadIdx.x];
    for (int Step = 16; Step > 0; Step /= 2)
      Sum += __shfl_down_sync(~0u, Sum, Step);
    if (threadIdx.x % 32 == 0)
      Part[threadIdx.x / 32] = Sum;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
      Out[R * 8 + threadIdx.x / 32] = Part[7 - threadIdx.x / 32];
    __syncthreads();
  }
}

// Even lanes store, odd ones load; and all compute.
__global__ void byTurns(float *Out) {
  __shared__ float S[256];
  const int T = threadIdx.x;
  float Mine = T;
  S[T] = T;
  __syncthreads();
  for (int R = 0; R < 64; ++R) {
    Mine = Mine * 0.99f + 1;
    if (T % 2 == 0)
      S[T] = Mine;
    __syncthreads();
    if (T % 2 == 1)
      Mine += S[T - 1];
    __syncthreads();
  }
  Out[blockIdx.x * 256 + T] = Mine;
}

__global__ void computing(float *Out) {
  __shared__ float S[256];
  const int T = threadIdx.x;
  float Mine = T;
  for (int R = 0; R < 64; ++R) {
    Mine = sinf(Mine) + cosf(3 * Mine);
    Mine += __shfl_xor_sync(~0u, Mine, 1);
    if (T % 2 == 0)
      S[(T + R) % 256] = Mine;
    __syncthreads();
  }
  Out[blockIdx.x * 256 + T] = Mine + S[T];
}

void launch(unsigned *Words, double *In, float *Out) {
  everyOther<<<Blocks, Keys>>>(Words);
  all<<<Blocks, Keys / 2>>>(Words);
  multiples<<<Blocks, 512>>>(In, In);
  firstOnes<<<Blocks, 512>>>(In, In);
  byWarp<<<Blocks, 256>>>(Out, Out, 64);
  byTurns<<<Blocks, 256>>>(Out);
  computing<<<Blocks, 256>>>(Out);
}
// CHECK: note: 2 warnings in 7 kernels
