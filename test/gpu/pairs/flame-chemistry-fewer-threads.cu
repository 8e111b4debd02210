// Rule: cuda-memory-register-spill
// Concentrations of 40 species in cells of a flame, which react in pairs for
// 32 small steps: bounds that leave 32 registers, or 80.
#include "Pair.cuh"

constexpr int Cells = 1 << 17, Species = 40, Steps = 32;

__device__ void react(const float *In, float *Out) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  float C[Species];
#pragma unroll
  for (int S = 0; S < Species; ++S)
    C[S] = In[S * Cells + T];
#pragma unroll 1
  for (int I = 0; I < Steps; ++I) {
#pragma unroll
    for (int S = 0; S < Species; ++S) {
      const int A = (S * 5 + 1) % Species, B = (S * 7 + 2) % Species;
      const float Rate = 0.01f * (S % 4 + 1) * C[A] * C[B];
      C[A] -= 0.5f * Rate;
      C[B] -= 0.5f * Rate;
      C[S] += Rate;
    }
  }
#pragma unroll
  for (int S = 0; S < Species; ++S)
    Out[S * Cells + T] = C[S];
}

__global__ void __launch_bounds__(256, 8) before(const float *In, float *Out) {
  react(In, Out);
}

__global__ void __launch_bounds__(256, 3) after(const float *In, float *Out) {
  react(In, Out);
}

int main() {
  const float *In = input<float>(Species * Cells);
  float *Expected = output<float>(Species * Cells),
        *Out = output<float>(Species * Cells);
  Pair P("flame-chemistry-fewer-threads");
  P.same(Expected, Out, Species * Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<Cells / 256, 256>>>(In, Expected);
    else
      after<<<Cells / 256, 256>>>(In, Out);
}
