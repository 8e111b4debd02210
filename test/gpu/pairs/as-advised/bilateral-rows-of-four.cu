// Rule: cuda-memory-single-result
// A filter of 5x5 pixels that weighs by distance and by difference. As advised,
// a thread makes four results in a row along x, loads its pixels as vectors of
// four, and keeps them in registers for all four.
#include "../Pair.cuh"

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
  const int X = (blockIdx.x * 32 + threadIdx.x) * 4;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  float V[2 * Radius + 1][8];
#pragma unroll
  for (int J = 0; J <= 2 * Radius; ++J)
#pragma unroll
    for (int I = 0; I < 8; I += 4) {
      const float4 Four =
          *reinterpret_cast<const float4 *>(In + (Y + J) * Pitch + X + I);
      V[J][I] = Four.x;
      V[J][I + 1] = Four.y;
      V[J][I + 2] = Four.z;
      V[J][I + 3] = Four.w;
    }
  float Result[4];
#pragma unroll
  for (int N = 0; N < 4; ++N) {
    float Sum = 0, Weights = 0;
#pragma unroll
    for (int J = -Radius; J <= Radius; ++J)
#pragma unroll
      for (int I = -Radius; I <= Radius; ++I)
        weigh(V[Radius + J][N + Radius + I], V[Radius][N + Radius], I, J, Sum,
              Weights);
    Result[N] = Sum / Weights;
  }
  *reinterpret_cast<float4 *>(Out + Y * Width + X) =
      make_float4(Result[0], Result[1], Result[2], Result[3]);
}

int main() {
  const float *In = input<float>(Pitch * (Height + 2 * Radius));
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("bilateral-rows-of-four-as-advised");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(Width / 128, Height / 8), dim3(32, 8)>>>(In, Out);
}
