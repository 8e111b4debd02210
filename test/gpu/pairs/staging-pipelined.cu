// Rule: cuda-memory-staging
// Tiles are brought while the ones before are summed up, two of them at a
// time.
#include "Pair.cuh"

#include <cuda_pipeline.h>

constexpr int Blocks = 264, Tiles = 64, Tile = 1024, Uses = 8;

__global__ void before(const float *In, float *Out) {
  __shared__ float Row[Tile];
  float Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
    const float *From = In + (blockIdx.x * Tiles + T) * Tile;
    for (int I = threadIdx.x; I < Tile; I += blockDim.x)
      Row[I] = From[I];
    __syncthreads();
    for (int K = 0; K < Uses; ++K)
      Sum += Row[(threadIdx.x * 5 + K * 129) % Tile];
    __syncthreads();
  }
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

__device__ void bring(float *To, const float *From) {
  const int I = threadIdx.x * 4;
  __pipeline_memcpy_async(To + I, From + I, 16);
  __pipeline_commit();
}

__global__ void after(const float *In, float *Out) {
  __shared__ __align__(16) float Rows[2][Tile];
  float Sum = 0;
  bring(Rows[0], In + blockIdx.x * Tiles * Tile);
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles) {
      bring(Rows[(T + 1) % 2], In + (blockIdx.x * Tiles + T + 1) * Tile);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int K = 0; K < Uses; ++K)
      Sum += Rows[T % 2][(threadIdx.x * 5 + K * 129) % Tile];
    __syncthreads();
  }
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

int main() {
  const float *In = input<float>(size_t(Blocks) * Tiles * Tile);
  float *Expected = output<float>(Blocks * 256),
        *Out = output<float>(Blocks * 256);
  Pair P("staging-pipelined");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
