// Ends that more elements of a thread would not spare: blocks with a result of
// each thread, prefix sums, bits side by side, tiles, few blocks, and much to
// compute for each element. A sum of the same size is named.
//
// RUN: %warpwise check --checks='-*,cuda-memory-early-reduction' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 24, Block = 256;

__device__ float sumOfWarp(float Mine) {
  for (int Far = 16; Far > 0; Far /= 2)
    Mine += __shfl_xor_sync(0xffffffff, Mine, Far);
  return Mine;
}

__global__ void sums(const float *__restrict__ In, float *__restrict__ Out) {
  // CHECK: [[@LINE+1]]:32: warning: threads bring 1 element of 'In' each
  const float Mine = sumOfWarp(In[blockIdx.x * Block + threadIdx.x]);
  if (threadIdx.x % 32 == 0)
    Out[(blockIdx.x * Block + threadIdx.x) / 32] = Mine;
}

// Each lane stores its share of the sum.
__global__ void shares(const float *__restrict__ In, float *__restrict__ Out) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float Mine = In[I];
  Out[I] = Mine / sumOfWarp(Mine);
}

// The last lane stores, but what comes before is in order.
__global__ void prefixes(const float *__restrict__ In,
                         float *__restrict__ Out) {
  float Mine = In[blockIdx.x * Block + threadIdx.x];
  for (int Far = 1; Far < 32; Far *= 2) {
    const float Before = __shfl_up_sync(0xffffffff, Mine, Far);
    if (threadIdx.x % 32 >= Far)
      Mine = Mine * 0.5f + Before;
  }
  if (threadIdx.x % 32 == 31)
    Out[(blockIdx.x * Block + threadIdx.x) / 32] = Mine;
}

// Each lane has a bit of its own.
__global__ void bits(const float *__restrict__ In, unsigned *__restrict__ Out) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const unsigned Word = __ballot_sync(0xffffffff, In[I] > 0.5f);
  if (threadIdx.x % 32 == 0)
    Out[I / 32] = Word;
}

// What is loaded goes round in shared memory before something else is loaded.
__global__ void turned(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float Row[Block];
  const int I = blockIdx.x * Block + threadIdx.x;
  Row[threadIdx.x] = In[I];
  __syncthreads();
  const float Mine =
      sumOfWarp(Row[Block - 1 - threadIdx.x] * In[I + N]);
  if (threadIdx.x % 32 == 0)
    Out[I / 32] = Mine;
}

// One block for each SM, about.
__global__ void fewBlocks(const float *__restrict__ In,
                          float *__restrict__ Out) {
  const float Mine = sumOfWarp(In[blockIdx.x * Block + threadIdx.x]);
  if (threadIdx.x % 32 == 0)
    Out[(blockIdx.x * Block + threadIdx.x) / 32] = Mine;
}

// Sixty-four sines take longer than the sum.
__global__ void sines(const float *__restrict__ In, float *__restrict__ Out) {
  float Mine = In[blockIdx.x * Block + threadIdx.x];
  for (int I = 0; I < 64; ++I)
    Mine += sinf(Mine * I);
  Mine = sumOfWarp(Mine);
  if (threadIdx.x % 32 == 0)
    Out[(blockIdx.x * Block + threadIdx.x) / 32] = Mine;
}

void launch(const float *In, float *Out) {
  sums<<<N / Block, Block>>>(In, Out);
  shares<<<N / Block, Block>>>(In, Out);
  prefixes<<<N / Block, Block>>>(In, Out);
  bits<<<N / Block, Block>>>(In, (unsigned *)Out);
  turned<<<N / Block, Block>>>(In, Out);
  fewBlocks<<<160, Block>>>(In, Out);
  sines<<<N / Block, Block>>>(In, Out);
}

// CHECK: note: 1 warning in 7 kernels
