// Rule: cuda-memory-narrow-access
// Weights of four bits times a vector, a warp a row: a byte has two weights.
// As advised, a lane reads four neighbouring bytes as one uchar4, and their
// eight factors as two float4.
#include "../Pair.cuh"

constexpr int Rows = 8192, Columns = 8192;

__device__ float summed(float Sum) {
  for (int Half = 16; Half; Half /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Half);
  return Sum;
}

__global__ void before(const unsigned char *Packed, const float2 *X,
                       const float *Scale, float *Y) {
  const int Row = blockIdx.x * 8 + threadIdx.x / 32, Lane = threadIdx.x % 32;
  float Sum = 0;
  for (int I = Lane; I < Columns / 2; I += 32) {
    const int Two = Packed[Row * (Columns / 2) + I];
    const float2 Factors = X[I];
    Sum += ((Two & 15) - 8) * Factors.x + ((Two >> 4) - 8) * Factors.y;
  }
  Sum = summed(Sum);
  if (Lane == 0)
    Y[Row] = Scale[Row] * Sum;
}

__device__ float product(int Two, float X, float Y) {
  return ((Two & 15) - 8) * X + ((Two >> 4) - 8) * Y;
}

__global__ void after(const uchar4 *Packed, const float4 *X, const float *Scale,
                      float *Y) {
  const int Row = blockIdx.x * 8 + threadIdx.x / 32, Lane = threadIdx.x % 32;
  float Sum = 0;
  for (int I = Lane; I < Columns / 8; I += 32) {
    const uchar4 Eight = Packed[Row * (Columns / 8) + I];
    const float4 First = X[2 * I], Second = X[2 * I + 1];
    Sum += product(Eight.x, First.x, First.y);
    Sum += product(Eight.y, First.z, First.w);
    Sum += product(Eight.z, Second.x, Second.y);
    Sum += product(Eight.w, Second.z, Second.w);
  }
  Sum = summed(Sum);
  if (Lane == 0)
    Y[Row] = Scale[Row] * Sum;
}

int main() {
  const unsigned char *Packed = input<unsigned char>(Rows * Columns / 2, 256);
  const float *X = input<float>(Columns), *Scale = input<float>(Rows);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("int4-weights-by-word-as-advised");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 8, 256>>>(Packed, (const float2 *)X, Scale, Expected);
    else
      after<<<Rows / 8, 256>>>((const uchar4 *)Packed, (const float4 *)X, Scale,
                               Out);
}
