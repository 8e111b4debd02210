// Rule: cuda-memory-synchronous-staging
// Tiles that pass through registers on their way to shared memory, and tiles
// that are copied while the one before is used: pays while data comes from
// DRAM, not from L2, since copies of 4 bytes are slow.
#include "Pair.cuh"
#include <cuda_pipeline.h>

constexpr int Blocks = 528, Tiles = 64;

__device__ float used(const float *Tile, int T) {
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < 16; ++I)
    Sum += Tile[(T + 17 * I) % 256] * I;
  return Sum;
}

__global__ void before(const float *In, float *Out) {
  __shared__ float Tile[256];
  const int T = threadIdx.x;
  float Sum = 0;
  for (int I = 0; I < Tiles; ++I) {
    Tile[T] = In[(blockIdx.x * Tiles + I) * 256 + T];
    __syncthreads();
    Sum += used(Tile, T);
    __syncthreads();
  }
  Out[blockIdx.x * 256 + T] = Sum;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Tile[2][256];
  const int T = threadIdx.x;
  float Sum = 0;
  __pipeline_memcpy_async(&Tile[0][T], &In[blockIdx.x * Tiles * 256 + T], 4);
  __pipeline_commit();
  for (int I = 0; I < Tiles; ++I) {
    if (I + 1 < Tiles)
      __pipeline_memcpy_async(&Tile[(I + 1) % 2][T],
                              &In[(blockIdx.x * Tiles + I + 1) * 256 + T], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    Sum += used(Tile[I % 2], T);
    __syncthreads();
  }
  Out[blockIdx.x * 256 + T] = Sum;
}

int main() {
  const float *In = input<float>(Blocks * Tiles * 256);
  float *Expected = output<float>(Blocks * 256),
        *Out = output<float>(Blocks * 256);
  Pair P("synchronous-staging");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
