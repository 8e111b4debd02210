// Rule: cuda-memory-synchronous-staging
// Power of 32 Doppler bins of radar dwells of 32 pulses, from tiles in shared
// memory that two blocks per SM walk through. The remedy copies the next tile
// asynchronously into a second buffer while the block works on this one.
#include "Pair.cuh"
#include <cuda_pipeline.h>

constexpr int Dwells = 256, Pulses = 32, Gates = 1024, Wide = 64, Groups = 4;
constexpr int Tiles = Dwells * Gates / Wide, Bins = Pulses / Groups;
constexpr int Blocks = 264;

__device__ size_t startOf(int Tile) {
  return size_t(Tile / (Gates / Wide)) * Pulses * Gates +
         Tile % (Gates / Wide) * Wide + threadIdx.x;
}

__device__ void fillTurns(float2 *Turns) {
#pragma unroll
  for (int B = 0; B < Bins; ++B)
    sincospif(-2.0f * (threadIdx.y * Bins + B) / Pulses, &Turns[B].y,
              &Turns[B].x);
}

/// The Fourier sums of a gate by Horner's scheme, eight bins a thread.
__device__ void transform(const float2 (*Tile)[Wide], const float2 *Turns,
                          float *Out) {
  float2 Sums[Bins] = {};
#pragma unroll 4
  for (int P = Pulses - 1; P >= 0; --P) {
    const float2 Echo = Tile[P][threadIdx.x];
#pragma unroll
    for (int B = 0; B < Bins; ++B) {
      const float2 S = Sums[B], T = Turns[B];
      Sums[B].x = S.x * T.x - S.y * T.y + Echo.x;
      Sums[B].y = S.x * T.y + S.y * T.x + Echo.y;
    }
  }
#pragma unroll
  for (int B = 0; B < Bins; ++B)
    Out[(threadIdx.y * Bins + B) * Gates] =
        Sums[B].x * Sums[B].x + Sums[B].y * Sums[B].y;
}

__global__ void before(const float2 *__restrict__ In, float *__restrict__ Out) {
  __shared__ float2 Tile[Pulses][Wide];
  float2 Turns[Bins];
  fillTurns(Turns);
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x) {
    const size_t Start = startOf(T);
#pragma unroll
    for (int P = 0; P < Pulses; P += Groups)
      Tile[P + threadIdx.y][threadIdx.x] =
          In[Start + (P + threadIdx.y) * Gates];
    __syncthreads();
    transform(Tile, Turns, Out + Start);
    __syncthreads();
  }
}

__device__ void copyAhead(float2 (*Tile)[Wide], const float2 *In, int T) {
  if (T < Tiles) {
    const size_t Start = startOf(T);
#pragma unroll
    for (int P = 0; P < Pulses; P += Groups)
      __pipeline_memcpy_async(&Tile[P + threadIdx.y][threadIdx.x],
                              &In[Start + (P + threadIdx.y) * Gates],
                              sizeof(float2));
  }
  __pipeline_commit();
}

__global__ void after(const float2 *__restrict__ In, float *__restrict__ Out) {
  __shared__ float2 Buffers[2][Pulses][Wide];
  float2 Turns[Bins];
  fillTurns(Turns);
  copyAhead(Buffers[0], In, blockIdx.x);
  int Now = 0;
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x) {
    copyAhead(Buffers[Now ^ 1], In, T + gridDim.x);
    __pipeline_wait_prior(1);
    __syncthreads();
    transform(Buffers[Now], Turns, Out + startOf(T));
    __syncthreads();
    Now ^= 1;
  }
}

int main() {
  constexpr int N = Dwells * Pulses * Gates;
  const float *In = input<float>(2 * N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("doppler-tiles-cp-async");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, dim3(Wide, Groups)>>>((const float2 *)In, Expected);
    else
      after<<<Blocks, dim3(Wide, Groups)>>>((const float2 *)In, Out);
}
