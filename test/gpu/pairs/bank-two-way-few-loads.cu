// Rule: cuda-memory-bank-conflict
// A row shifted by a block in shared memory, read at every second word: beside
// a hundred operations each two passes are nothing.
#include "Pair.cuh"

constexpr int Blocks = 2112, Times = 16;

__device__ float worked(float X) {
#pragma unroll
  for (int I = 0; I < 64; ++I)
    X = X * 0.75f + 0.5f;
  return X;
}

__global__ void before(const float *In, float *Out) {
  __shared__ float Row[1024];
  const int T = threadIdx.x;
  for (int I = T; I < 1024; I += 256)
    Row[I] = In[I];
  __syncthreads();
  float Sum = 0;
#pragma unroll 1
  for (int I = 0; I < Times; ++I)
    Sum += worked(Row[(2 * T + 2 * I) % 1024]);
  Out[blockIdx.x * 256 + T] = Sum;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Row[512];
  const int T = threadIdx.x;
  for (int I = T; I < 512; I += 256)
    Row[I] = In[2 * I];
  __syncthreads();
  float Sum = 0;
#pragma unroll 1
  for (int I = 0; I < Times; ++I)
    Sum += worked(Row[(T + I) % 512]);
  Out[blockIdx.x * 256 + T] = Sum;
}

int main() {
  const float *In = input<float>(1024);
  float *Expected = output<float>(Blocks * 256),
        *Out = output<float>(Blocks * 256);
  Pair P("bank-two-way-few-loads");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
