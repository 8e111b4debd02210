// Rule: cuda-memory-scalar-stream
// Entropies of 2048 distributions of 8192 numbers each, a block each, whose
// threads take one number or four of them in each turn.
#include "Pair.cuh"

constexpr int Rows = 2048, Width = 8192;

__device__ float surprise(float P) { return -(P + 1e-9f) * __log2f(P + 1e-9f); }

__device__ void addUp(float Sum, float *Entropies) {
  __shared__ float OfWarps[8];
  for (int I = 16; I > 0; I /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, I);
  if (threadIdx.x % 32 == 0)
    OfWarps[threadIdx.x / 32] = Sum;
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  for (int I = 1; I < 8; ++I)
    Sum += OfWarps[I];
  Entropies[blockIdx.x] = Sum;
}

__global__ void before(const float *__restrict__ In,
                       float *__restrict__ Entropies) {
  float Sum = 0;
  for (int I = threadIdx.x; I < Width; I += 256)
    Sum += surprise(In[blockIdx.x * Width + I]);
  addUp(Sum, Entropies);
}

__global__ void after(const float4 *__restrict__ In,
                      float *__restrict__ Entropies) {
  float Sum = 0;
  for (int I = threadIdx.x; I < Width / 4; I += 256) {
    const float4 Four = In[blockIdx.x * (Width / 4) + I];
    Sum += surprise(Four.x) + surprise(Four.y) + surprise(Four.z) +
           surprise(Four.w);
  }
  addUp(Sum, Entropies);
}

int main() {
  const float *In = input<float>(Rows * Width);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("entropies-by-float4");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, 256>>>(In, Expected);
    else
      after<<<Rows, 256>>>((const float4 *)In, Out);
}
