// Rule: cuda-memory-missing-reuse
// A blur of nine rows of doubles, from global memory or by a tile with its
// border in shared memory.
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
  __shared__ double Tile[16 + 2 * Radius][32];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * 32 + TX, Y = blockIdx.y * 16 + TY;
  Tile[TY][TX] = In[Y * Width + X];
  if (TY < 2 * Radius)
    Tile[TY + 16][TX] = In[(Y + 16) * Width + X];
  __syncthreads();
  double Sum = 0;
#pragma unroll
  for (int R = 0; R <= 2 * Radius; ++R)
    Sum += Tile[TY + R][TX];
  Out[Y * Width + X] = Sum / (2 * Radius + 1);
}

int main() {
  const double *In = input<double>(Width * (Height + 2 * Radius));
  double *Expected = output<double>(Width * Height),
         *Out = output<double>(Width * Height);
  Pair P("blur-of-columns-double");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 16), dim3(32, 16)>>>(In, Expected);
    else
      after<<<dim3(Width / 32, Height / 16), dim3(32, 16)>>>(In, Out);
}
