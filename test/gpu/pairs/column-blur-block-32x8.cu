// Rule: cuda-memory-block-shape
// A blur of 15 rows of a picture of floats that stays in L2: blocks are a part
// of one row, or of 32 columns of eight rows, which share what they read.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 1024, Rows = 15;

__device__ void blur(const float *In, float *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x,
            Y = blockIdx.y * blockDim.y + threadIdx.y;
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < Rows; ++I)
    Sum += (8 - abs(I - 7)) * In[(Y + I) * Width + X];
  Out[Y * Width + X] = Sum / 64;
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  blur(In, Out);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  blur(In, Out);
}

int main() {
  const float *In = input<float>(Width * (Height + Rows - 1));
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("column-blur-block-32x8");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 256, Height), dim3(256, 1)>>>(In, Expected);
    else
      after<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(In, Out);
}
