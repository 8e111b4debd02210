// Rule: cuda-memory-single-result
// A blur of nine rows of doubles: nine loads for a result, or twelve for four.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 1024, Radius = 4;

__global__ void before(const double *In, double *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 16 + threadIdx.y;
  double Sum = 0;
#pragma unroll
  for (int R = 0; R <= 2 * Radius; ++R)
    Sum += In[(Y + R) * Width + X];
  Out[Y * Width + X] = Sum / (2 * Radius + 1);
}

__global__ void after(const double *In, double *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = (blockIdx.y * 16 + threadIdx.y) * 4;
  double Sums[4] = {};
#pragma unroll
  for (int R = 0; R <= 2 * Radius + 3; ++R) {
    const double Here = In[(Y + R) * Width + X];
#pragma unroll
    for (int I = 0; I < 4; ++I)
      if (R >= I && R <= I + 2 * Radius)
        Sums[I] += Here;
  }
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Out[(Y + I) * Width + X] = Sums[I] / (2 * Radius + 1);
}

int main() {
  const double *In = input<double>(Width * (Height + 2 * Radius));
  double *Expected = output<double>(Width * Height),
         *Out = output<double>(Width * Height);
  Pair P("blur-of-columns-rows-of-four");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 16), dim3(32, 16)>>>(In, Expected);
    else
      after<<<dim3(Width / 32, Height / 64), dim3(32, 16)>>>(In, Out);
}
