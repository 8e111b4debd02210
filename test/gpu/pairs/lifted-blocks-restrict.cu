// Rule: cuda-memory-missing-restrict
// A field of floats compressed in blocks of 4 x 4, a thread for each: common
// exponent, integers of 26 bits, lifting along rows and columns; pointers that
// may alias or that are __restrict__.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2304, Across = Width / 4,
              Blocks = Across * (Height / 4);

__device__ void lift(int &X, int &Y, int &Z, int &W) {
  X += W, X >>= 1, W -= X;
  Z += Y, Z >>= 1, Y -= Z;
  X += Z, X >>= 1, Z -= X;
  W += Y, W >>= 1, Y -= W;
  W += Y >> 1, Y -= W >> 1;
}

__device__ float largest(float4 V) {
  return fmaxf(fmaxf(fabsf(V.x), fabsf(V.y)), fmaxf(fabsf(V.z), fabsf(V.w)));
}

__device__ int transform(const float4 (&Rows)[4], int (&Block)[4][4]) {
  float Most = 0;
#pragma unroll
  for (int R = 0; R < 4; ++R)
    Most = fmaxf(Most, largest(Rows[R]));
  int Exponent;
  frexpf(Most, &Exponent);
  const float Scale = exp2f(float(25 - Exponent));
#pragma unroll
  for (int R = 0; R < 4; ++R) {
    Block[R][0] = int(Rows[R].x * Scale);
    Block[R][1] = int(Rows[R].y * Scale);
    Block[R][2] = int(Rows[R].z * Scale);
    Block[R][3] = int(Rows[R].w * Scale);
    lift(Block[R][0], Block[R][1], Block[R][2], Block[R][3]);
  }
#pragma unroll
  for (int C = 0; C < 4; ++C)
    lift(Block[0][C], Block[1][C], Block[2][C], Block[3][C]);
  return Exponent;
}

__device__ unsigned negabinary(int Value) {
  return (unsigned(Value) + 0xaaaaaaaa) ^ 0xaaaaaaaa;
}

__global__ void before(const float4 *Field, short *Exponents, unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int X = I % Across, Y = I / Across * 4;
  float4 Rows[4];
  for (int R = 0; R < 4; ++R)
    Rows[R] = Field[(Y + R) * Across + X];
  int Block[4][4];
  Exponents[I] = short(transform(Rows, Block));
  for (int K = 0; K < 16; ++K)
    Out[K * Blocks + I] = negabinary(Block[K / 4][K % 4]);
}

__global__ void after(const float4 *__restrict__ Field,
                      short *__restrict__ Exponents,
                      unsigned *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int X = I % Across, Y = I / Across * 4;
  float4 Rows[4];
  for (int R = 0; R < 4; ++R)
    Rows[R] = Field[(Y + R) * Across + X];
  int Block[4][4];
  Exponents[I] = short(transform(Rows, Block));
  for (int K = 0; K < 16; ++K)
    Out[K * Blocks + I] = negabinary(Block[K / 4][K % 4]);
}

int main() {
  const float4 *Field = (const float4 *)input<float>(Width * Height);
  short *OldExponents = output<short>(Blocks),
        *NewExponents = output<short>(Blocks);
  unsigned *Expected = output<unsigned>(16 * Blocks),
           *Out = output<unsigned>(16 * Blocks);
  Pair P("lifted-blocks-restrict");
  P.same(OldExponents, NewExponents, Blocks);
  P.same(Expected, Out, 16 * Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks / 128, 128>>>(Field, OldExponents, Expected);
    else
      after<<<Blocks / 128, 128>>>(Field, NewExponents, Out);
}
