// One word for a launch: as it is written, and added up by blocks.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 18;

// CHECK: [[@LINE+6]]{{.*}}: warning: each block makes 256 atomics on one word of 'Sum', which take turns; about 1{{[0-9][0-9]\..*}}x faster {{.*}} when repaired [cuda-memory-atomic-contention]
// CHECK: note: nvcc adds up what the lanes of a warp add to one word only for integers, and where it sees that it is one
// CHECK: note: the kernel takes about {{.*}} bound by atomics
// CHECK: note: block is 256, from this launch
// CHECK: note: add up in each thread, then in the block (__shfl_down_sync and shared memory), and let one thread add the sum to 'Sum'
__global__ void floatsBefore(const float *In, float *Sum) {
  atomicAdd(Sum, In[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void floatsAfter(const float *In, float *Sum) {
  __shared__ float Part[8];
  float Mine = In[blockIdx.x * blockDim.x + threadIdx.x];
  for (int Step = 16; Step > 0; Step /= 2)
    Mine += __shfl_down_sync(~0u, Mine, Step);
  if (threadIdx.x % 32 == 0)
    Part[threadIdx.x / 32] = Mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int W = 1; W < 8; ++W)
      Mine += Part[W];
    atomicAdd(Sum, Mine);
  }
}

// nvcc joins a warp's, which leaves eight of a block.
// CHECK: [[@LINE+5]]{{.*}}: warning: each block makes 8 atomics on one word of 'Count'
// CHECK: note: nvcc makes one atomic of those of a warp; the warps of a block are left
// CHECK: note: count in the block first (__syncthreads_count, or a scan), and let one thread reserve room in 'Count' for all
__global__ void slots(const float *In, unsigned *Count, float *Out) {
  const float Mine = In[blockIdx.x * blockDim.x + threadIdx.x];
  if (atomicAdd(Count, 1) == 0)
    *Out = Mine;
}

// CHECK: [[@LINE+8]]{{.*}}: warning: 32 lanes of a warp add to one word of shared memory, 'Sum', by turns
// CHECK: note: shared memory has no such atomic
// CHECK: note: let the lanes of a warp combine their values by __shfl_down_sync
__global__ void shared(const float *In, float *Sums) {
  __shared__ float Sum;
  if (threadIdx.x == 0)
    Sum = 0;
  __syncthreads();
  atomicAdd(&Sum, In[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    Sums[blockIdx.x] = Sum;
}

void launch(const float *In, float *Out, unsigned *Count) {
  floatsBefore<<<N / 256, 256>>>(In, Out);
  floatsAfter<<<N / 256, 256>>>(In, Out);
  slots<<<16 * N / 256, 256>>>(In, Count, Out);
  shared<<<16 * N / 256, 256>>>(In, Out);
}
// CHECK: note: 3 warnings in 4 kernels
