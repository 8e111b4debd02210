// Rule: cuda-memory-few-warps
// Norms of 8192 vectors of 64 numbers that lie side by side: 64 blocks are few,
// but so are the rounds; or four threads a vector.
#include "Pair.cuh"

constexpr int Vectors = 8192, Long = 64, Parts = 4;

__global__ void before(const float *__restrict__ In, float *__restrict__ Out,
                       int Long) {
  const int V = blockIdx.x * 128 + threadIdx.x;
  float Sum = 0;
  for (int I = 0; I < Long; ++I)
    Sum += In[I * Vectors + V] * In[I * Vectors + V];
  Out[V] = Sum;
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out,
                      int Long) {
  __shared__ float Part[Parts][32];
  const int V = blockIdx.x * 32 + threadIdx.x;
  float Sum = 0;
  for (int I = threadIdx.y; I < Long; I += Parts)
    Sum += In[I * Vectors + V] * In[I * Vectors + V];
  Part[threadIdx.y][threadIdx.x] = Sum;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int P = 1; P < Parts; ++P)
      Sum += Part[P][threadIdx.x];
    Out[V] = Sum;
  }
}

int main() {
  const float *In = input<float>(Vectors * Long);
  float *Expected = output<float>(Vectors), *Out = output<float>(Vectors);
  Pair P("norms-of-short-vectors-split");
  P.same(Expected, Out, Vectors);
  while (P.next())
    if (P.beforesTurn())
      before<<<Vectors / 128, 128>>>(In, Expected, Long);
    else
      after<<<Vectors / 32, dim3(32, Parts)>>>(In, Out, Long);
}
