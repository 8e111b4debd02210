// Rule: cuda-memory-synchronous-staging
// Channels of sound, a block each, are filtered by 24 taps, 2048 samples at a
// time in shared memory: these are loaded and then used, or the next are on
// their way meanwhile.
#include "Pair.cuh"

#include <cuda_pipeline.h>

constexpr int Channels = 132, Tile = 2048, Tiles = 32, Taps = 24;
constexpr int Pitch = Tile * Tiles + Taps, Threads = 256, Held = Tile + Taps;

__device__ void filter(const float *Samples, const float *Weights, float *Out) {
  for (int I = threadIdx.x; I < Tile; I += Threads) {
    float Sum = 0;
    for (int J = 0; J < Taps; ++J)
      Sum += Weights[J] * Samples[I + J];
    Out[I] = Sum;
  }
}

__global__ void before(const float *In, const float *Weights, float *Out) {
  __shared__ float Samples[Held];
  const float *From = In + blockIdx.x * Pitch;
  for (int N = 0; N < Tiles; ++N) {
    for (int I = threadIdx.x; I < Held; I += Threads)
      Samples[I] = From[N * Tile + I];
    __syncthreads();
    filter(Samples, Weights, Out + (blockIdx.x * Tiles + N) * Tile);
    __syncthreads();
  }
}

__global__ void after(const float *In, const float *Weights, float *Out) {
  __shared__ float Samples[2][Held];
  const float *From = In + blockIdx.x * Pitch;
  const auto Fetch = [&](int N) {
    for (int I = threadIdx.x; I < Held; I += Threads)
      __pipeline_memcpy_async(&Samples[N % 2][I], From + N * Tile + I, 4);
    __pipeline_commit();
  };
  Fetch(0);
  for (int N = 0; N < Tiles; ++N) {
    if (N + 1 < Tiles)
      Fetch(N + 1);
    __pipeline_wait_prior(N + 1 < Tiles ? 1 : 0);
    __syncthreads();
    filter(Samples[N % 2], Weights, Out + (blockIdx.x * Tiles + N) * Tile);
    __syncthreads();
  }
}

int main() {
  const float *In = input<float>(Channels * Pitch), *Weights = In + 999;
  constexpr int Count = Channels * Tile * Tiles;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("echo-filter-tiles-ahead");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Channels, Threads>>>(In, Weights, Expected);
    else
      after<<<Channels, Threads>>>(In, Weights, Out);
}
