// Rule: cuda-memory-synchronous-staging
// Energy of the difference of second order of each electrode's signal, tile by
// tile in shared memory: a block waits for a tile and works on it, or, as
// advised, the next tile comes asynchronously to a second buffer meanwhile.
#include "../Pair.cuh"
#include <cuda_pipeline.h>

constexpr int Electrodes = 264, Tile = 512, Tiles = 96, Border = 8;
constexpr int Block = 128, Staged = Tile + 2 * Border;
constexpr int Pitch = Tile * Tiles + 2 * Border;

__device__ float energyOf(const float *Samples, float Sum) {
  for (int I = threadIdx.x; I < Tile; I += Block) {
    const float Second =
        Samples[I] - 2 * Samples[I + Border] + Samples[I + 2 * Border];
    Sum += Second * Second;
  }
  return Sum;
}

__device__ void store(float Sum, float *Energy) {
  __shared__ float Partial[Block / 32];
  for (int Off = 16; Off > 0; Off /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Off);
  if (threadIdx.x % 32 == 0)
    Partial[threadIdx.x / 32] = Sum;
  __syncthreads();
  if (threadIdx.x == 0)
    Energy[blockIdx.x] = Partial[0] + Partial[1] + Partial[2] + Partial[3];
}

__global__ void before(const float *__restrict__ Signal,
                       float *__restrict__ Energy, int TileCount) {
  __shared__ float4 Buffer[Staged / 4];
  const float *Mine = Signal + size_t(blockIdx.x) * Pitch;
  float Sum = 0;
  for (int T = 0; T < TileCount; ++T) {
    const float4 *From = reinterpret_cast<const float4 *>(Mine + T * Tile);
    for (int I = threadIdx.x; I < Staged / 4; I += Block)
      Buffer[I] = From[I];
    __syncthreads();
    Sum = energyOf(reinterpret_cast<const float *>(Buffer), Sum);
    __syncthreads();
  }
  store(Sum, Energy);
}

__device__ void bring(const float *Samples, float4 *Buffer) {
  const float4 *From = reinterpret_cast<const float4 *>(Samples);
  for (int I = threadIdx.x; I < Staged / 4; I += Block)
    __pipeline_memcpy_async(&Buffer[I], &From[I], sizeof(float4));
  __pipeline_commit();
}

__global__ void after(const float *__restrict__ Signal,
                      float *__restrict__ Energy, int TileCount) {
  __shared__ float4 Buffers[2][Staged / 4];
  const float *Mine = Signal + size_t(blockIdx.x) * Pitch;
  float Sum = 0;
  bring(Mine, Buffers[0]);
  for (int T = 0; T < TileCount; ++T) {
    __pipeline_wait_prior(0);
    // All have tile T, and nobody works on tile T - 1 any longer.
    __syncthreads();
    if (T + 1 < TileCount)
      bring(Mine + (T + 1) * Tile, Buffers[(T + 1) % 2]);
    Sum = energyOf(reinterpret_cast<const float *>(Buffers[T % 2]), Sum);
  }
  store(Sum, Energy);
}

int main() {
  const float *Signal = input<float>(size_t(Electrodes) * Pitch);
  float *Expected = output<float>(Electrodes), *Out = output<float>(Electrodes);
  Pair P("electrode-energies-direct-as-advised");
  P.same(Expected, Out, Electrodes);
  while (P.next())
    if (P.beforesTurn())
      before<<<Electrodes, Block>>>(Signal, Expected, Tiles);
    else
      after<<<Electrodes, Block>>>(Signal, Out, Tiles);
}
