// Blocks that sum up one element of each thread, or some that each thread has
// added up before.
//
// RUN: %warpwise check --checks='-*,cuda-memory-early-reduction' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 24, Block = 256;

__device__ void addOfBlock(float Mine, float *Total) {
  __shared__ float Sums[Block];
  Sums[threadIdx.x] = Mine;
  __syncthreads();
  for (int Left = Block / 2; Left > 0; Left /= 2) {
    if (threadIdx.x < Left)
      Sums[threadIdx.x] += Sums[threadIdx.x + Left];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(Total, Sums[0]);
}

__global__ void inSharedMemory(const float *__restrict__ In, float *Total) {
  // CHECK: [[@LINE+3]]:14: warning: threads bring 1 element of 'In' each to what their block puts together; about {{[123]\..*}}x faster {{.*}} when repaired [cuda-memory-early-reduction]
  // CHECK: note: of the instructions, {{[78].}} % put together what threads have found
  // CHECK: note: let each thread put together 16 times as many in a loop first, a block's width or the grid's apart: in as many times fewer blocks, or, where each block or warp has a result of its own, with as many times fewer threads for it
  addOfBlock(In[blockIdx.x * Block + threadIdx.x], Total);
}

__global__ void inALoopFirst(const float *__restrict__ In, float *Total) {
  float Mine = 0;
  for (int I = blockIdx.x * Block + threadIdx.x; I < N; I += gridDim.x * Block)
    Mine += In[I];
  addOfBlock(Mine, Total);
}

// By shuffles, and each block has its own.
__global__ void byShuffles(const float *__restrict__ In,
                           float *__restrict__ Greatest) {
  __shared__ float OfWarp[Block / 32];
  // CHECK: [[@LINE+1]]:16: warning: threads bring 1 element of 'In' each to what their block puts together; about {{[23]\..*}}x faster {{.*}} when repaired [cuda-memory-early-reduction]
  float Mine = In[blockIdx.x * Block + threadIdx.x];
  for (int Far = 16; Far > 0; Far /= 2)
    Mine = fmaxf(Mine, __shfl_down_sync(0xffffffff, Mine, Far));
  if (threadIdx.x % 32 == 0)
    OfWarp[threadIdx.x / 32] = Mine;
  __syncthreads();
  if (threadIdx.x < Block / 32) {
    Mine = OfWarp[threadIdx.x];
    for (int Far = Block / 64; Far > 0; Far /= 2)
      Mine = fmaxf(Mine, __shfl_down_sync(0xff, Mine, Far));
    if (threadIdx.x == 0)
      Greatest[blockIdx.x] = Mine;
  }
}

// Two elements of two arrays each, in a loop.
__global__ void twoEach(const float *__restrict__ A,
                        const float *__restrict__ B, float *Total) {
  float Mine = 0;
#pragma unroll 1
  for (int I = 0; I < 2; ++I) {
    const int At = (blockIdx.x * 2 + I) * Block + threadIdx.x;
    // CHECK: [[@LINE+1]]:13: warning: threads bring 2 elements of 'A' each to what their block puts together; about 1.{{.*}}x faster {{.*}} when repaired [cuda-memory-early-reduction]
    Mine += A[At] * B[At];
  }
  addOfBlock(Mine, Total);
}

// A grid that nobody knows, which ends where the data do.
__global__ void upTo(const float *__restrict__ In, float *Total, int Count) {
  const int I = blockIdx.x * Block + threadIdx.x;
  // CHECK: [[@LINE+1]]:26: warning: threads bring 1 element of 'In' each to what their block puts together; if the grid fills the GPU about {{[23]\..*}}x faster {{.*}} when repaired [cuda-memory-early-reduction]
  addOfBlock(I < Count ? In[I] : 0, Total);
}

void launch(const float *In, float *Out, int Count) {
  inSharedMemory<<<N / Block, Block>>>(In, Out);
  inALoopFirst<<<N / Block / 16, Block>>>(In, Out);
  byShuffles<<<N / Block, Block>>>(In, Out);
  twoEach<<<N / Block / 2, Block>>>(In, In, Out);
  upTo<<<(Count + Block - 1) / Block, Block>>>(In, Out, Count);
}

// CHECK: note: 4 warnings in 5 kernels
