// Rule: cuda-memory-single-result
// A blur of nine rows of doubles from global memory. As advised, each thread
// makes four results in a row along y from twelve rows in registers.
#include "../Pair.cuh"

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

constexpr int Each = 4;

__global__ void after(const double *In, double *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = (blockIdx.y * 16 + threadIdx.y) * Each;
  double Rows[Each + 2 * Radius];
#pragma unroll
  for (int R = 0; R < Each + 2 * Radius; ++R)
    Rows[R] = In[(Y + R) * Width + X];
#pragma unroll
  for (int K = 0; K < Each; ++K) {
    double Sum = 0;
#pragma unroll
    for (int R = 0; R <= 2 * Radius; ++R)
      Sum += Rows[K + R];
    Out[(Y + K) * Width + X] = Sum / (2 * Radius + 1);
  }
}

int main() {
  const double *In = input<double>(Width * (Height + 2 * Radius));
  double *Expected = output<double>(Width * Height),
         *Out = output<double>(Width * Height);
  Pair P("blur-of-columns-double-as-advised");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 16), dim3(32, 16)>>>(In, Expected);
    else
      after<<<dim3(Width / 32, Height / 16 / Each), dim3(32, 16)>>>(In, Out);
}
