// Rule: cuda-memory-idle-lanes
// A block per row of 64: three of four warps leave at once.
#include "Pair.cuh"

constexpr int Rows = 1 << 16, Columns = 64;

__global__ void before(const float *In, float *Out) {
  if (threadIdx.x >= Columns)
    return;
  const int I = blockIdx.x * Columns + threadIdx.x;
  Out[I] = 2 * In[I];
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I];
}

int main() {
  const float *In = input<float>(Rows * Columns);
  float *Expected = output<float>(Rows * Columns),
        *Out = output<float>(Rows * Columns);
  Pair P("idle-warps");
  P.same(Expected, Out, Rows * Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, 256>>>(In, Expected);
    else
      after<<<Rows * Columns / 256, 256>>>(In, Out);
}
