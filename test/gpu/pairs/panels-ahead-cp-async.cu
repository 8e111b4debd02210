// Rule: cuda-memory-synchronous-staging
// Products of neighbouring channels of a long recording, for four distances, by
// 132 blocks, each of which goes through 128 panels of 32 instants of 128
// channels: a panel is loaded, then used, or two more are on their way.
#include "Pair.cuh"

#include <cuda_pipeline.h>

constexpr int Blocks = 132, Channels = 128, Instants = 32, Panels = 128,
              Distances = 4, Size = Channels * Instants, Stages = 3;

__device__ __forceinline__ void correlate(const float *Panel,
                                          float (&Sum)[Distances]) {
  const int T = threadIdx.x;
#pragma unroll 4
  for (int I = 0; I < Instants; ++I)
#pragma unroll
    for (int D = 0; D < Distances; ++D)
      Sum[D] +=
          Panel[I * Channels + T] * Panel[I * Channels + (T + D) % Channels];
}

__device__ __forceinline__ void store(const float (&Sum)[Distances],
                                      float *Out) {
#pragma unroll
  for (int D = 0; D < Distances; ++D)
    Out[(blockIdx.x * Distances + D) * Channels + threadIdx.x] = Sum[D];
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float4 Panel[Size / 4];
  const float4 *From =
      (const float4 *)In + size_t(blockIdx.x) * Panels * (Size / 4);
  float Sum[Distances] = {};
  for (int P = 0; P < Panels; ++P) {
#pragma unroll
    for (int I = 0; I < Size / 4; I += Channels)
      Panel[I + threadIdx.x] = From[P * (Size / 4) + I + threadIdx.x];
    __syncthreads();
    correlate((const float *)Panel, Sum);
    __syncthreads();
  }
  store(Sum, Out);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float4 Panel[Stages][Size / 4];
  const float4 *From =
      (const float4 *)In + size_t(blockIdx.x) * Panels * (Size / 4);
  const auto Fetch = [&](int P) {
    if (P < Panels)
#pragma unroll
      for (int I = 0; I < Size / 4; I += Channels)
        __pipeline_memcpy_async(&Panel[P % Stages][I + threadIdx.x],
                                &From[P * (Size / 4) + I + threadIdx.x], 16);
    __pipeline_commit();
  };
  float Sum[Distances] = {};
  Fetch(0);
  Fetch(1);
  for (int P = 0; P < Panels; ++P) {
    Fetch(P + 2);
    __pipeline_wait_prior(2);
    __syncthreads();
    correlate((const float *)Panel[P % Stages], Sum);
    __syncthreads();
  }
  store(Sum, Out);
}

int main() {
  const float *In = input<float>(size_t(Blocks) * Panels * Size);
  constexpr int Count = Blocks * Distances * Channels;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("panels-ahead-cp-async");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Channels>>>(In, Expected);
    else
      after<<<Blocks, Channels>>>(In, Out);
}
