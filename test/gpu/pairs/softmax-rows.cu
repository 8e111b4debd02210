// Rule: cuda-memory-uncoalesced-access
// Softmax of short rows, a thread each, which goes along its row three times,
// or a warp each, which keeps it in registers.
#include "Pair.cuh"

constexpr int Rows = 1 << 15, Columns = 128;

__global__ void before(const float *In, float *Out) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  const float *Mine = In + Row * Columns;
  float Most = Mine[0];
  for (int C = 1; C < Columns; ++C)
    Most = fmaxf(Most, Mine[C]);
  float Sum = 0;
  for (int C = 0; C < Columns; ++C)
    Sum += __expf(Mine[C] - Most);
  for (int C = 0; C < Columns; ++C)
    Out[Row * Columns + C] = __expf(Mine[C] - Most) / Sum;
}

__global__ void after(const float *In, float *Out) {
  const int Lane = threadIdx.x % 32;
  const int Start = (blockIdx.x * 4 + threadIdx.x / 32) * Columns + Lane;
  float V[Columns / 32];
  float Most = -1e30f, Sum = 0;
#pragma unroll
  for (int I = 0; I < Columns / 32; ++I) {
    V[I] = In[Start + 32 * I];
    Most = fmaxf(Most, V[I]);
  }
  for (int Step = 16; Step > 0; Step /= 2)
    Most = fmaxf(Most, __shfl_xor_sync(~0u, Most, Step));
#pragma unroll
  for (int I = 0; I < Columns / 32; ++I) {
    V[I] = __expf(V[I] - Most);
    Sum += V[I];
  }
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Step);
#pragma unroll
  for (int I = 0; I < Columns / 32; ++I)
    Out[Start + 32 * I] = V[I] / Sum;
}

int main() {
  const float *In = input<float>(Rows * Columns);
  float *Expected = output<float>(Rows * Columns),
        *Out = output<float>(Rows * Columns);
  Pair P("softmax-rows");
  P.same(Expected, Out, Rows * Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 128, 128>>>(In, Expected);
    else
      after<<<Rows / 4, 128>>>(In, Out);
}
