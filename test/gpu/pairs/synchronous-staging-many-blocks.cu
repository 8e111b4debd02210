// Rule: cuda-memory-synchronous-staging
// With eight blocks on each SM others work while one waits: to copy past the
// registers brings little.
#include "Pair.cuh"
#include <cuda_pipeline.h>

constexpr int N = 1 << 23;

__global__ void before(const float4 *In, float *Out) {
  __shared__ float4 Tile[256];
  const int T = threadIdx.x;
  Tile[T] = In[blockIdx.x * 256 + T];
  __syncthreads();
  const float4 A = Tile[T], B = Tile[(T + 1) % 256];
  Out[blockIdx.x * 256 + T] = A.x * B.w + A.y * B.z;
}

__global__ void after(const float4 *In, float *Out) {
  __shared__ float4 Tile[256];
  const int T = threadIdx.x;
  __pipeline_memcpy_async(&Tile[T], &In[blockIdx.x * 256 + T], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float4 A = Tile[T], B = Tile[(T + 1) % 256];
  Out[blockIdx.x * 256 + T] = A.x * B.w + A.y * B.z;
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N / 4), *Out = output<float>(N / 4);
  Pair P("synchronous-staging-many-blocks");
  P.same(Expected, Out, N / 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 1024, 256>>>((const float4 *)In, Expected);
    else
      after<<<N / 1024, 256>>>((const float4 *)In, Out);
}
