// Rule: cuda-memory-missing-restrict
// Strands of hair are Hermite curves; a thread writes twelve points of its
// strand. Ends and tangents are loaded again for every point, for all that the
// compiler knows the last store may have changed them, or but once with
// __restrict__. CUDA best practices guide.
#include "Pair.cuh"

constexpr int Strands = 3 << 17, Steps = 12, Block = 128;

__global__ void before(const float *Ends, float *Points, int Count,
                       float Length) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count)
    return;
  for (int S = 0; S < Steps; ++S) {
    const float T = S * (1.0f / (Steps - 1)), U = 1 - T;
    const float A = (1 + 2 * T) * U * U, B = T * U * U * Length,
                C = T * T * (3 - 2 * T), D = -T * T * U * Length;
    for (int X = 0; X < 3; ++X)
      Points[size_t(3 * S + X) * Count + I] =
          A * Ends[X * Count + I] + B * Ends[(3 + X) * Count + I] +
          C * Ends[(6 + X) * Count + I] + D * Ends[(9 + X) * Count + I];
  }
}

__global__ void after(const float *__restrict__ Ends,
                      float *__restrict__ Points, int Count, float Length) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count)
    return;
  for (int S = 0; S < Steps; ++S) {
    const float T = S * (1.0f / (Steps - 1)), U = 1 - T;
    const float A = (1 + 2 * T) * U * U, B = T * U * U * Length,
                C = T * T * (3 - 2 * T), D = -T * T * U * Length;
    for (int X = 0; X < 3; ++X)
      Points[size_t(3 * S + X) * Count + I] =
          A * Ends[X * Count + I] + B * Ends[(3 + X) * Count + I] +
          C * Ends[(6 + X) * Count + I] + D * Ends[(9 + X) * Count + I];
  }
}

int main() {
  constexpr size_t Count = size_t(Strands) * Steps * 3;
  const float *Ends = input<float>(size_t(Strands) * 12);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("hermite-curves-restrict");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Strands / Block, Block>>>(Ends, Expected, Strands, 0.4f);
    else
      after<<<Strands / Block, Block>>>(Ends, Out, Strands, 0.4f);
}
