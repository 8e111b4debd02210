// Rule: cuda-memory-small-block
// Sums of records of 16 values: a block of 16 threads each, or 256 threads for
// sixteen of them.
#include "Pair.cuh"

constexpr int Records = 1 << 15;

__device__ void sumOf(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = In[I];
  for (int Step = 8; Step > 0; Step /= 2)
    Sum += __shfl_down_sync(__activemask(), Sum, Step, 16);
  if (I % 16 == 0)
    Out[I / 16] = Sum;
}

__global__ void before(const float *In, float *Out) { sumOf(In, Out); }

__global__ void after(const float *In, float *Out) { sumOf(In, Out); }

int main() {
  const float *In = input<float>(Records * 16);
  float *Expected = output<float>(Records), *Out = output<float>(Records);
  Pair P("record-sums-block-16");
  P.same(Expected, Out, Records);
  while (P.next())
    if (P.beforesTurn())
      before<<<Records, 16>>>(In, Expected);
    else
      after<<<Records / 16, 256>>>(In, Out);
}
