// Rule: cuda-memory-single-result
// Sums of nine neighbours in two dimensions from global memory; as advised, a
// thread computes four results in a row along y, and keeps in registers what
// they have in common.
#include "../Pair.cuh"

constexpr int N = 2048, Pitch = N + 2;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  float Sum = 0;
  for (int I = 0; I < 9; ++I)
    Sum += In[(Y + I / 3) * Pitch + X + I % 3];
  Out[Y * N + X] = Sum;
}

constexpr int Results = 4;

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = (blockIdx.y * 8 + threadIdx.y) * Results;
  float Near[Results + 2][3];
#pragma unroll
  for (int R = 0; R < Results + 2; ++R)
#pragma unroll
    for (int I = 0; I < 3; ++I)
      Near[R][I] = In[(Y + R) * Pitch + X + I];
#pragma unroll
  for (int R = 0; R < Results; ++R) {
    float Sum = 0;
#pragma unroll
    for (int I = 0; I < 9; ++I)
      Sum += Near[R + I / 3][I % 3];
    Out[(Y + R) * N + X] = Sum;
  }
}

int main() {
  const float *In = input<float>(Pitch * Pitch);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("texture-stencil-as-advised");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 8 / Results), dim3(32, 8)>>>(In, Out);
}
