// Blocks that wait for each of 64 tiles; the same with copies that run beside.
// Where many blocks wait in turns, or the tile comes but once, there is nothing
// to say.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-synchronous-staging' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// RUN: %checkpriced --checks='-*,cuda-memory-synchronous-staging' \
// RUN:   --profile=tesla-k20c %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KEPLER --implicit-check-not=warning:
// KEPLER: note: 0 warnings in 3 kernels

constexpr int Blocks = 264, Tiles = 64, Tile = 1024, Uses = 8;

__global__ void before(const float *In, float *Out) {
  __shared__ float Row[Tile];
  float Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
    const float *From = In + (blockIdx.x * Tiles + T) * Tile;
    for (int I = threadIdx.x; I < Tile; I += blockDim.x)
      // CHECK: [[@LINE+4]]:16: warning: the block waits for each tile of 'In' before it works on it, 64 times; about {{[2-4]\..*}}x faster {{.*}} when repaired [cuda-memory-synchronous-staging]
      // CHECK: note: the kernel takes about {{.*}} bound by latency
      // CHECK: note: block is 256, from this launch
      // CHECK: note: bring the next tile while this one is worked on: a second buffer, filled by __pipeline_memcpy_async or cuda::memcpy_async
      Row[I] = From[I];
    __syncthreads();
    for (int K = 0; K < Uses; ++K)
      Sum += Row[(threadIdx.x * 5 + K * 129) % Tile];
    __syncthreads();
  }
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

__device__ void bring(float *To, const float *From) {
  const unsigned Shared = __cvta_generic_to_shared(To + threadIdx.x * 4);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(Shared),
               "l"(From + threadIdx.x * 4));
  asm volatile("cp.async.commit_group;");
}

__global__ void after(const float *In, float *Out) {
  __shared__ __align__(16) float Rows[2][Tile];
  float Sum = 0;
  bring(Rows[0], In + blockIdx.x * Tiles * Tile);
  for (int T = 0; T < Tiles; ++T) {
    const int Next = T + 1 < Tiles ? T + 1 : T;
    bring(Rows[(T + 1) % 2], In + (blockIdx.x * Tiles + Next) * Tile);
    asm volatile("cp.async.wait_group 1;");
    __syncthreads();
    for (int K = 0; K < Uses; ++K)
      Sum += Rows[T % 2][(threadIdx.x * 5 + K * 129) % Tile];
    __syncthreads();
  }
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

__global__ void once(const float *In, float *Out) {
  __shared__ float Row[256];
  Row[threadIdx.x] = In[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  Out[blockIdx.x * 256 + threadIdx.x] = Row[255 - threadIdx.x];
}

void launch(const float *In, float *Out) {
  before<<<Blocks, 256>>>(In, Out);
  after<<<Blocks, 256>>>(In, Out);
  once<<<1 << 14, 256>>>(In, Out);
}
// CHECK: note: 1 warning in 3 kernels
