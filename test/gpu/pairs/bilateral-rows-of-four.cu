// Rule: cuda-memory-single-result
// A filter of 5x5 pixels that weighs by distance and by difference: 25 loads
// for a result, or 40 for four in a column. What it computes is the same.
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
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = (blockIdx.y * 8 + threadIdx.y) * 4;
  float Here[4], Sum[4] = {}, Weights[4] = {};
#pragma unroll
  for (int N = 0; N < 4; ++N)
    Here[N] = In[(Y + N + Radius) * Pitch + X + Radius];
#pragma unroll
  for (int J = 0; J < 4 + 2 * Radius; ++J)
#pragma unroll
    for (int I = -Radius; I <= Radius; ++I) {
      const float V = In[(Y + J) * Pitch + X + Radius + I];
#pragma unroll
      for (int N = 0; N < 4; ++N)
        if (J >= N && J <= N + 2 * Radius)
          weigh(V, Here[N], I, J - N - Radius, Sum[N], Weights[N]);
    }
#pragma unroll
  for (int N = 0; N < 4; ++N)
    Out[(Y + N) * Width + X] = Sum[N] / Weights[N];
}

int main() {
  const float *In = input<float>(Pitch * (Height + 2 * Radius));
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("bilateral-rows-of-four");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(Width / 32, Height / 32), dim3(32, 8)>>>(In, Out);
}
