// Rule: cuda-memory-block-scratch
// Implicit vertical diffusion of a weather model: the Thomas algorithm in each
// column of 48 levels. What the way down leaves for the way up lies in global
// memory, or in shared memory.
#include "Pair.cuh"

constexpr int NLon = 384, NLat = 192, Columns = NLon * NLat, Levels = 48;
constexpr int Threads = 64;

struct Level {
  float A, B, C, D;
};

/// Coefficients of a level's equation, with exchange only between levels.
__device__ __forceinline__ Level equation(const float *T, const float *K, int L,
                                          int Column, float Dt) {
  const int I = L * Columns + Column;
  Level E;
  E.A = L > 0 ? -Dt * K[I] : 0.0f;
  E.C = L + 1 < Levels ? -Dt * K[I + Columns] : 0.0f;
  E.B = 1 - E.A - E.C;
  E.D = T[I];
  return E;
}

__global__ void before(const float *__restrict__ T, const float *__restrict__ K,
                       float *Ratio, float *Out, float Dt) {
  const int Column = blockIdx.x * Threads + threadIdx.x;
  if (Column >= Columns)
    return;
  float C = 0, D = 0;
  for (int L = 0; L < Levels; ++L) {
    const Level E = equation(T, K, L, Column, Dt);
    const float Inverse = __frcp_rn(E.B - E.A * C);
    C = E.C * Inverse;
    D = (E.D - E.A * D) * Inverse;
    Ratio[L * Columns + Column] = C;
    Out[L * Columns + Column] = D;
  }
  for (int L = Levels - 2; L >= 0; --L) {
    D = Out[L * Columns + Column] - Ratio[L * Columns + Column] * D;
    Out[L * Columns + Column] = D;
  }
}

__global__ void after(const float *__restrict__ T, const float *__restrict__ K,
                      float *Out, float Dt) {
  __shared__ float Ratio[Levels][Threads], Right[Levels][Threads];
  const int Column = blockIdx.x * Threads + threadIdx.x, X = threadIdx.x;
  if (Column >= Columns)
    return;
  float C = 0, D = 0;
  for (int L = 0; L < Levels; ++L) {
    const Level E = equation(T, K, L, Column, Dt);
    const float Inverse = __frcp_rn(E.B - E.A * C);
    C = E.C * Inverse;
    D = (E.D - E.A * D) * Inverse;
    Ratio[L][X] = C;
    Right[L][X] = D;
  }
  Out[(Levels - 1) * Columns + Column] = D;
  for (int L = Levels - 2; L >= 0; --L) {
    D = Right[L][X] - Ratio[L][X] * D;
    Out[L * Columns + Column] = D;
  }
}

int main() {
  constexpr int Count = Columns * Levels;
  const float *T = input<float>(Count), *K = input<float>(Count);
  float *Scratch = output<float>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("vertical-diffusion-scratch-in-shared");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Columns / Threads, Threads>>>(T, K, Scratch, Expected, 0.7f);
    else
      after<<<Columns / Threads, Threads>>>(T, K, Out, 0.7f);
}
