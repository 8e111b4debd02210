// Rule: ?
// A token through a layer of four-bit weights with a scale for each 128 of
// them, a warp for each row: a lane takes a byte with two weights and two halves
// of the activation at a time, or a word with eight and sixteen bytes.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int Rows = 8192, Columns = 4096, Group = 128;

__device__ void addUp(float Sum, int Row, float *Out) {
  for (int Half = 16; Half; Half /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Half);
  if (threadIdx.x == 0)
    Out[Row] = Sum;
}

__global__ void before(const unsigned char *__restrict__ Weight,
                       const float *__restrict__ Scale,
                       const __half2 *__restrict__ Activation, float *Out) {
  const int Row = blockIdx.x * 4 + threadIdx.y;
  const unsigned char *Packed = Weight + Row * (Columns / 2);
  float Sum = 0;
  for (int I = threadIdx.x; I < Columns / 2; I += 32) {
    const unsigned Two = Packed[I];
    const float2 X = __half22float2(Activation[I]);
    const float Dot = X.x * float(int(Two & 15) - 8) +
                      X.y * float(int(Two >> 4) - 8);
    Sum += Dot * Scale[Row * (Columns / Group) + 2 * I / Group];
  }
  addUp(Sum, Row, Out);
}

__global__ void after(const unsigned *__restrict__ Weight,
                      const float *__restrict__ Scale,
                      const uint4 *__restrict__ Activation, float *Out) {
  const int Row = blockIdx.x * 4 + threadIdx.y;
  const unsigned *Packed = Weight + Row * (Columns / 8);
  float Sum = 0;
  for (int I = threadIdx.x; I < Columns / 8; I += 32) {
    unsigned Eight = Packed[I];
    const uint4 Halves = Activation[I];
    const unsigned Word[4] = {Halves.x, Halves.y, Halves.z, Halves.w};
    float Dot = 0;
#pragma unroll
    for (int Part = 0; Part < 4; ++Part) {
      const float2 X =
          __half22float2(*reinterpret_cast<const __half2 *>(&Word[Part]));
      Dot += X.x * float(int(Eight & 15) - 8);
      Dot += X.y * float(int(Eight >> 4 & 15) - 8);
      Eight >>= 8;
    }
    Sum += Dot * Scale[Row * (Columns / Group) + 8 * I / Group];
  }
  addUp(Sum, Row, Out);
}

int main() {
  const unsigned char *Weight =
      input<unsigned char>(size_t(Rows) * Columns / 2, 256);
  const float *Scale = input<float>(Rows * Columns / Group);
  const __half *Activation = input<__half>(Columns, 8);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("int4-weights-eight-a-lane");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 4, dim3(32, 4)>>>(Weight, Scale,
                                        (const __half2 *)Activation, Expected);
    else
      after<<<Rows / 4, dim3(32, 4)>>>((const unsigned *)Weight, Scale,
                                       (const uint4 *)Activation, Out);
}
