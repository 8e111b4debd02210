// Rule: cuda-memory-bank-conflict
// A Hadamard transform of 512 values by three steps of butterflies among eight,
// which lie 64, 8 and 1 apart in shared memory: padded by a word in 32 or not.
#include "Pair.cuh"

constexpr int Rows = 6144, Length = 512;

__device__ void butterflies(float (&V)[8]) {
#pragma unroll
  for (int Half = 4; Half > 0; Half /= 2)
#pragma unroll
    for (int I = 0; I < 8; ++I)
      if ((I & Half) == 0) {
        const float Sum = V[I] + V[I + Half];
        V[I + Half] = V[I] - V[I + Half];
        V[I] = Sum;
      }
}

__global__ void before(const float *In, float *Out) {
  __shared__ float Row[Length];
  const int T = threadIdx.x, Start = blockIdx.x * Length;
  const int Near = T / 8 * 64 + T % 8;
  float V[8];
#pragma unroll
  for (int I = 0; I < 8; ++I)
    V[I] = In[Start + 64 * I + T];
  butterflies(V);
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Row[64 * I + T] = V[I];
  __syncthreads();
#pragma unroll
  for (int I = 0; I < 8; ++I)
    V[I] = Row[Near + 8 * I];
  butterflies(V);
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Row[Near + 8 * I] = V[I];
  __syncthreads();
#pragma unroll
  for (int I = 0; I < 8; ++I)
    V[I] = Row[8 * T + I];
  butterflies(V);
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Row[8 * T + I] = V[I];
  __syncthreads();
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Out[Start + 64 * I + T] = Row[64 * I + T];
}

__device__ int padded(int I) { return I + I / 32; }

__global__ void after(const float *In, float *Out) {
  __shared__ float Row[Length + Length / 32];
  const int T = threadIdx.x, Start = blockIdx.x * Length;
  const int Near = T / 8 * 64 + T % 8;
  float V[8];
#pragma unroll
  for (int I = 0; I < 8; ++I)
    V[I] = In[Start + 64 * I + T];
  butterflies(V);
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Row[padded(64 * I + T)] = V[I];
  __syncthreads();
#pragma unroll
  for (int I = 0; I < 8; ++I)
    V[I] = Row[padded(Near + 8 * I)];
  butterflies(V);
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Row[padded(Near + 8 * I)] = V[I];
  __syncthreads();
#pragma unroll
  for (int I = 0; I < 8; ++I)
    V[I] = Row[padded(8 * T + I)];
  butterflies(V);
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Row[padded(8 * T + I)] = V[I];
  __syncthreads();
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Out[Start + 64 * I + T] = Row[padded(64 * I + T)];
}

int main() {
  const float *In = input<float>(Rows * Length);
  float *Expected = output<float>(Rows * Length),
        *Out = output<float>(Rows * Length);
  Pair P("hadamard-butterflies");
  P.same(Expected, Out, Rows * Length);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, 64>>>(In, Expected);
    else
      after<<<Rows, 64>>>(In, Out);
}
