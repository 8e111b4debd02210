// Rule: cuda-memory-idle-lanes
// Two million rows of eight features, each row brought to length one: by a
// warp, of which eight lanes have a feature, or by a quarter of a warp.
#include "Pair.cuh"

constexpr int Rows = 1 << 21, Features = 8;

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  const int Row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  const float X = Lane < Features ? In[Row * Features + Lane] : 0;
  float Sum = X * X;
#pragma unroll
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Step);
  if (Lane < Features)
    Out[Row * Features + Lane] = X * rsqrtf(Sum + 1e-6f);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
  float Sum = X * X;
#pragma unroll
  for (int Step = Features / 2; Step > 0; Step /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Step);
  Out[I] = X * rsqrtf(Sum + 1e-6f);
}

int main() {
  const float *In = input<float>(Rows * Features);
  float *Expected = output<float>(Rows * Features),
        *Out = output<float>(Rows * Features);
  Pair P("eight-feature-norms");
  P.same(Expected, Out, Rows * Features);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 8, 256>>>(In, Expected);
    else
      after<<<Rows / 32, 256>>>(In, Out);
}
