// Rule: cuda-memory-small-block
// Vectors of 64 numbers are brought to length one, a warp each. As many blocks
// of a warp as an SM takes are half of the warps it takes; eight make a block.
#include "Pair.cuh"

constexpr int Rows = 1 << 17, Columns = 64;

__global__ void before(const float *In, float *Out) {
  const int Row = blockIdx.x, Lane = threadIdx.x;
  const float A = In[Row * Columns + Lane], B = In[Row * Columns + 32 + Lane];
  float Sum = A * A + B * B;
  for (int Half = 16; Half; Half /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Half);
  const float Scale = rsqrtf(Sum);
  Out[Row * Columns + Lane] = A * Scale;
  Out[Row * Columns + 32 + Lane] = B * Scale;
}

__global__ void after(const float *In, float *Out) {
  const int Row = blockIdx.x * 8 + threadIdx.y, Lane = threadIdx.x;
  const float A = In[Row * Columns + Lane], B = In[Row * Columns + 32 + Lane];
  float Sum = A * A + B * B;
  for (int Half = 16; Half; Half /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Half);
  const float Scale = rsqrtf(Sum);
  Out[Row * Columns + Lane] = A * Scale;
  Out[Row * Columns + 32 + Lane] = B * Scale;
}

int main() {
  const float *In = input<float>(Rows * Columns);
  float *Expected = output<float>(Rows * Columns),
        *Out = output<float>(Rows * Columns);
  Pair P("rows-eight-a-block");
  P.same(Expected, Out, Rows * Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, 32>>>(In, Expected);
    else
      after<<<Rows / 8, dim3(32, 8)>>>(In, Out);
}
