// Rule: cuda-memory-narrow-access
// Weights of four bits times a vector, a warp a row: a lane reads a byte, two
// weights, or a word, eight of them.
#include "Pair.cuh"

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

__global__ void after(const unsigned *Packed, const float4 *X,
                      const float *Scale, float *Y) {
  const int Row = blockIdx.x * 8 + threadIdx.x / 32, Lane = threadIdx.x % 32;
  float Sum = 0;
  for (int I = Lane; I < Columns / 8; I += 32) {
    const unsigned Eight = Packed[Row * (Columns / 8) + I];
    const float4 First = X[2 * I], Second = X[2 * I + 1];
    const float Factors[8] = {First.x,  First.y,  First.z,  First.w,
                              Second.x, Second.y, Second.z, Second.w};
    for (int J = 0; J < 8; ++J)
      Sum += (int(Eight >> 4 * J & 15) - 8) * Factors[J];
  }
  Sum = summed(Sum);
  if (Lane == 0)
    Y[Row] = Scale[Row] * Sum;
}

int main() {
  const unsigned char *Packed = input<unsigned char>(Rows * Columns / 2, 256);
  const float *X = input<float>(Columns), *Scale = input<float>(Rows);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("int4-weights-by-word");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 8, 256>>>(Packed, (const float2 *)X, Scale, Expected);
    else
      after<<<Rows / 8, 256>>>((const unsigned *)Packed, (const float4 *)X,
                               Scale, Out);
}
