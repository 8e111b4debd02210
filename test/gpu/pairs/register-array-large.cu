// Rule: cuda-memory-local-array
// 320 values of a thread do not fit in registers; read twice they need not.
// What spills is less than what is read again.
#include "Pair.cuh"

constexpr int Threads = 1 << 16, Values = 320;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float V[Values], Sum = 0;
#pragma unroll
  for (int K = 0; K < Values; ++K)
    Sum += V[K] = In[K * Threads + I];
  const float Mean = Sum / Values;
  float Square = 0;
#pragma unroll
  for (int K = 0; K < Values; ++K)
    Square += (V[K] - Mean) * (V[K] - Mean);
  Out[I] = Square;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll 32
  for (int K = 0; K < Values; ++K)
    Sum += In[K * Threads + I];
  const float Mean = Sum / Values;
  float Square = 0;
#pragma unroll 32
  for (int K = 0; K < Values; ++K) {
    const float V = In[K * Threads + I];
    Square += (V - Mean) * (V - Mean);
  }
  Out[I] = Square;
}

int main() {
  const float *In = input<float>(Threads * Values);
  float *Expected = output<float>(Threads), *Out = output<float>(Threads);
  Pair P("register-array-large");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Out);
}
