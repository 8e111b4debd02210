// Rule: cuda-memory-single-result
// A filter of 5x5 pixels that weighs by distance and by difference: a thread
// has one result, or, as advised, four in a row, for which it loads four pixels
// at a time and keeps them in registers.
#include "../Pair.cuh"

constexpr int Width = 2048, Height = 1024, Radius = 2, Pitch = Width + 4;
constexpr int Each = 4, Size = 2 * Radius + 1;

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
  const int X = Each * (blockIdx.x * 32 + threadIdx.x);
  const int Y = blockIdx.y * 8 + threadIdx.y;
  // Rows begin at multiples of 16 bytes, as Pitch is a multiple of 4.
  float V[Size][Each + 2 * Radius];
#pragma unroll
  for (int J = 0; J < Size; ++J) {
    const float4 *From =
        reinterpret_cast<const float4 *>(In + (Y + J) * Pitch + X);
    const float4 Low = From[0], High = From[1];
    V[J][0] = Low.x;
    V[J][1] = Low.y;
    V[J][2] = Low.z;
    V[J][3] = Low.w;
    V[J][4] = High.x;
    V[J][5] = High.y;
    V[J][6] = High.z;
    V[J][7] = High.w;
  }
  float Result[Each];
#pragma unroll
  for (int E = 0; E < Each; ++E) {
    const float Here = V[Radius][E + Radius];
    float Sum = 0, Weights = 0;
#pragma unroll
    for (int J = -Radius; J <= Radius; ++J)
#pragma unroll
      for (int I = -Radius; I <= Radius; ++I)
        weigh(V[Radius + J][E + Radius + I], Here, I, J, Sum, Weights);
    Result[E] = Sum / Weights;
  }
  *reinterpret_cast<float4 *>(Out + Y * Width + X) =
      make_float4(Result[0], Result[1], Result[2], Result[3]);
}

int main() {
  const float *In = input<float>(Pitch * (Height + 2 * Radius));
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("bilateral-tile-as-advised");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(Width / 32 / Each, Height / 8), dim3(32, 8)>>>(In, Out);
}
