// Rule: cuda-memory-single-result
// Five points: five loads for a result, or 14 for four in a column.
#include "Pair.cuh"

constexpr int N = 4096, Pitch = N + 2;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x + 1;
  const int Y = blockIdx.y * 8 + threadIdx.y + 1;
  Out[Y * Pitch + X] = 0.2f * (In[Y * Pitch + X] + In[Y * Pitch + X - 1] +
                               In[Y * Pitch + X + 1] + In[(Y - 1) * Pitch + X] +
                               In[(Y + 1) * Pitch + X]);
}

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x + 1;
  const int Y = (blockIdx.y * 8 + threadIdx.y) * 4 + 1;
  float Column[6];
#pragma unroll
  for (int I = 0; I < 6; ++I)
    Column[I] = In[(Y + I - 1) * Pitch + X];
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Out[(Y + I) * Pitch + X] =
        0.2f * (Column[I + 1] + In[(Y + I) * Pitch + X - 1] +
                In[(Y + I) * Pitch + X + 1] + Column[I] + Column[I + 2]);
}

int main() {
  const float *In = input<float>(Pitch * Pitch);
  float *Expected = output<float>(Pitch * Pitch),
        *Out = output<float>(Pitch * Pitch);
  Pair P("stencil-rows-of-four");
  P.same(Expected, Out, Pitch * Pitch);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(In, Out);
}
