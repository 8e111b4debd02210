// Rule: cuda-memory-scalar-stream
// Sums of the last eight numbers of each column, in a ring that a counter
// indexes. As advised, a thread handles four neighbouring columns, whose
// numbers it loads and stores as one float4.
#include "../Pair.cuh"

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

__global__ void after(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float4 Ring[Last] = {};
  int At = 0;
  float4 Sum = {};
#pragma unroll 1
  for (int J = 0; J < Length; ++J) {
    const float4 New = In[J * (Threads / 4) + I], Old = Ring[At];
    Sum.x += New.x - Old.x;
    Sum.y += New.y - Old.y;
    Sum.z += New.z - Old.z;
    Sum.w += New.w - Old.w;
    Ring[At] = New;
    At = At == Last - 1 ? 0 : At + 1;
    Out[J * (Threads / 4) + I] = Sum;
  }
}

int main() {
  const float *In = input<float>(Threads * Length);
  float *Expected = output<float>(Threads * Length),
        *Out = output<float>(Threads * Length);
  Pair P("local-array-ring-as-advised");
  P.same(Expected, Out, Threads * Length);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 128, 128>>>(In, Expected);
    else
      after<<<Threads / 4 / 128, 128>>>((const float4 *)In, (float4 *)Out);
}
