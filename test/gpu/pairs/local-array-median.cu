// Rule: cuda-memory-local-array
// The median of nine by sorting: with a loop that is not unrolled the array is
// in memory, unrolled in registers.
#include "Pair.cuh"

constexpr int N = 2048;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  float V[9];
  for (int I = 0; I < 9; ++I)
    V[I] = In[(Y + I / 3) * (N + 2) + X + I % 3];
#pragma unroll 1
  for (int I = 0; I < 5; ++I)
#pragma unroll 1
    for (int J = I + 1; J < 9; ++J) {
      const float Low = fminf(V[I], V[J]), High = fmaxf(V[I], V[J]);
      V[I] = Low;
      V[J] = High;
    }
  Out[Y * N + X] = V[4];
}

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  float V[9];
#pragma unroll
  for (int I = 0; I < 9; ++I)
    V[I] = In[(Y + I / 3) * (N + 2) + X + I % 3];
#pragma unroll
  for (int I = 0; I < 5; ++I)
#pragma unroll
    for (int J = I + 1; J < 9; ++J) {
      const float Low = fminf(V[I], V[J]), High = fmaxf(V[I], V[J]);
      V[I] = Low;
      V[J] = High;
    }
  Out[Y * N + X] = V[4];
}

int main() {
  const float *In = input<float>((N + 2) * (N + 2));
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("local-array-median");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Out);
}
