// Rule: cuda-memory-local-array
// The last eight numbers in a ring that a counter indexes, or moved along in
// registers.
#include "Pair.cuh"

constexpr int Threads = 1 << 16, Length = 64, Last = 8;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Ring[Last] = {};
  int At = 0;
  float Sum = 0;
#pragma unroll 1
  for (int J = 0; J < Length; ++J) {
    const float New = In[J * Threads + I];
    Sum += New - Ring[At];
    Ring[At] = New;
    At = At == Last - 1 ? 0 : At + 1;
    Out[J * Threads + I] = Sum;
  }
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Ring[Last] = {};
  float Sum = 0;
#pragma unroll 1
  for (int J = 0; J < Length; ++J) {
    const float New = In[J * Threads + I];
    Sum += New - Ring[0];
#pragma unroll
    for (int K = 0; K + 1 < Last; ++K)
      Ring[K] = Ring[K + 1];
    Ring[Last - 1] = New;
    Out[J * Threads + I] = Sum;
  }
}

int main() {
  const float *In = input<float>(Threads * Length);
  float *Expected = output<float>(Threads * Length),
        *Out = output<float>(Threads * Length);
  Pair P("local-array-ring");
  P.same(Expected, Out, Threads * Length);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 128, 128>>>(In, Expected);
    else
      after<<<Threads / 128, 128>>>(In, Out);
}
