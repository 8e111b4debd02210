// Rule: cuda-memory-uncoalesced-access
// The sum of a row of 64 numbers: a row a thread, or a row a warp.
#include "Pair.cuh"

constexpr int Rows = 1 << 17, Columns = 64;

__global__ void before(const float *In, float *Out) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int C = 0; C < Columns; ++C)
    Sum += In[Row * Columns + C];
  Out[Row] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int Row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  float Sum = In[Row * Columns + Lane] + In[Row * Columns + Lane + 32];
  for (int D = 16; D; D /= 2)
    Sum += __shfl_down_sync(0xffffffff, Sum, D);
  if (Lane == 0)
    Out[Row] = Sum;
}

int main() {
  const float *In = input<float>(Rows * Columns);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("row-of-each-thread");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 256, 256>>>(In, Expected);
    else
      after<<<Rows / 8, 256>>>(In, Out);
}
