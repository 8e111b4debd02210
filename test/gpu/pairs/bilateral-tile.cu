// Rule: cuda-memory-missing-reuse
// A filter of 5x5 pixels that weighs by distance and by difference: pixels from
// global memory, or from a tile with its border in shared memory.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 1024, Radius = 2, Pitch = Width + 4;

__device__ void weigh(float V, float Here, int X, int Y, float &Sum,
                      float &Weights) {
  const float Off = V - Here;
  const float W = __expf(-0.1f * (X * X + Y * Y) - 8 * Off * Off);
  Sum += W * V;
  Weights += W;
}

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  const float Here = In[(Y + Radius) * Pitch + X + Radius];
  float Sum = 0, Weights = 0;
#pragma unroll
  for (int J = -Radius; J <= Radius; ++J)
#pragma unroll
    for (int I = -Radius; I <= Radius; ++I)
      weigh(In[(Y + Radius + J) * Pitch + X + Radius + I], Here, I, J, Sum,
            Weights);
  Out[Y * Width + X] = Sum / Weights;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Tile[8 + 2 * Radius][32 + 2 * Radius];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * 32, Y = blockIdx.y * 8;
  for (int J = TY; J < 8 + 2 * Radius; J += 8)
    for (int I = TX; I < 32 + 2 * Radius; I += 32)
      Tile[J][I] = In[(Y + J) * Pitch + X + I];
  __syncthreads();
  const float Here = Tile[TY + Radius][TX + Radius];
  float Sum = 0, Weights = 0;
#pragma unroll
  for (int J = -Radius; J <= Radius; ++J)
#pragma unroll
    for (int I = -Radius; I <= Radius; ++I)
      weigh(Tile[TY + Radius + J][TX + Radius + I], Here, I, J, Sum, Weights);
  Out[(Y + TY) * Width + X + TX] = Sum / Weights;
}

int main() {
  const float *In = input<float>(Pitch * (Height + 2 * Radius));
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("bilateral-tile");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(In, Out);
}
