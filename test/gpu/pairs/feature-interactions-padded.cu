// Rule: cuda-memory-bank-conflict
// Products of the 24 embeddings, 64 numbers each, of every sample of a
// recommender's batch, all with all: in shared memory the embeddings lie 64 or
// 65 words apart.
#include "Pair.cuh"

constexpr int Samples = 8192, Features = 24, Long = 64;

template <int Pitch>
__device__ __forceinline__ void interact(const float *In, float *Out) {
  __shared__ float Tile[Features][Pitch];
  const int T = threadIdx.y * Features + threadIdx.x;
  const float *Sample = In + size_t(blockIdx.x) * Features * Long;
  for (int I = T; I < Features * Long; I += Features * Features)
    Tile[I / Long][I % Long] = Sample[I];
  __syncthreads();
  float Sum = 0;
#pragma unroll 8
  for (int D = 0; D < Long; ++D)
    Sum += Tile[threadIdx.y][D] * Tile[threadIdx.x][D];
  Out[size_t(blockIdx.x) * Features * Features + T] = Sum;
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  interact<Long>(In, Out);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  interact<Long + 1>(In, Out);
}

int main() {
  const size_t Count = size_t(Samples) * Features * Features;
  const float *In = input<float>(size_t(Samples) * Features * Long);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  const dim3 Block(Features, Features);
  Pair P("feature-interactions-padded");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Samples, Block>>>(In, Expected);
    else
      after<<<Samples, Block>>>(In, Out);
}
