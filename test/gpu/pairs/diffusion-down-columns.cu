// Rule: cuda-memory-missing-restrict
// A thread goes down a column and weighs three neighbours: each store may have
// changed them, so they are loaded anew for each row.
#include "Pair.cuh"

constexpr int Columns = 1 << 16, Rows = 64;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 8
  for (int R = 1; R < Rows + 1; ++R)
    Out[R * Columns + I] = 0.25f * In[(R - 1) * Columns + I] +
                           0.5f * In[R * Columns + I] +
                           0.25f * In[(R + 1) * Columns + I];
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 8
  for (int R = 1; R < Rows + 1; ++R)
    Out[R * Columns + I] = 0.25f * In[(R - 1) * Columns + I] +
                           0.5f * In[R * Columns + I] +
                           0.25f * In[(R + 1) * Columns + I];
}

int main() {
  constexpr int All = Columns * (Rows + 2);
  const float *In = input<float>(All);
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("diffusion-down-columns");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<Columns / 128, 128>>>(In, Expected);
    else
      after<<<Columns / 128, 128>>>(In, Out);
}
