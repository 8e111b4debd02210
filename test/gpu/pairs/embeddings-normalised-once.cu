// Rule: cuda-memory-redundant-round-trip
// Rows of 256 numbers are brought to length one, each by a warp: it loads them
// for the length and to scale them, or keeps them in registers.
#include "Pair.cuh"

constexpr int Rows = 1 << 16, Dims = 256;

__device__ float warpSum(float V) {
  for (int Step = 16; Step > 0; Step /= 2)
    V += __shfl_xor_sync(~0u, V, Step);
  return V;
}

__global__ void before(const float *In, float *Out) {
  const int Row = blockIdx.x * blockDim.y + threadIdx.y;
  const float *From = In + Row * Dims;
  float Sum = 0;
  for (int D = threadIdx.x; D < Dims; D += 32)
    Sum += From[D] * From[D];
  const float Scale = rsqrtf(warpSum(Sum));
  for (int D = threadIdx.x; D < Dims; D += 32)
    Out[Row * Dims + D] = From[D] * Scale;
}

__global__ void after(const float *In, float *Out) {
  const int Row = blockIdx.x * blockDim.y + threadIdx.y;
  float V[Dims / 32], Sum = 0;
#pragma unroll
  for (int I = 0; I < Dims / 32; ++I) {
    V[I] = In[Row * Dims + 32 * I + threadIdx.x];
    Sum += V[I] * V[I];
  }
  const float Scale = rsqrtf(warpSum(Sum));
#pragma unroll
  for (int I = 0; I < Dims / 32; ++I)
    Out[Row * Dims + 32 * I + threadIdx.x] = V[I] * Scale;
}

int main() {
  const float *In = input<float>(Rows * Dims);
  float *Expected = output<float>(Rows * Dims), *Out = output<float>(Rows * Dims);
  Pair P("embeddings-normalised-once");
  P.same(Expected, Out, Rows * Dims);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 8, dim3(32, 8)>>>(In, Expected);
    else
      after<<<Rows / 8, dim3(32, 8)>>>(In, Out);
}
