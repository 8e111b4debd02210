// Rule: cuda-memory-constant-nonuniform
// Rows of eight samples by a cosine transform: lanes have eight different rows
// of the matrix, in constant or in global memory.
#include "Pair.cuh"

constexpr int Rows = 1 << 17;

__constant__ float Cosines[64];

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int U = threadIdx.x % 8;
  const float *Row = In + I / 8 * 8;
  float Sum = 0;
#pragma unroll
  for (int X = 0; X < 8; ++X)
    Sum += Cosines[X * 8 + U] * Row[X];
  Out[I] = Sum;
}

__global__ void after(const float *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int U = threadIdx.x % 8;
  const float *Row = In + I / 8 * 8;
  float Sum = 0;
#pragma unroll
  for (int X = 0; X < 8; ++X)
    Sum += Table[X * 8 + U] * Row[X];
  Out[I] = Sum;
}

int main() {
  const float *In = input<float>(Rows * 8), *Table = input<float>(64);
  must(cudaMemcpyToSymbol(Cosines, Table, sizeof(Cosines), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Rows * 8), *Out = output<float>(Rows * 8);
  Pair P("cosine-transform-constant");
  P.same(Expected, Out, Rows * 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows * 8 / 256, 256>>>(In, Expected);
    else
      after<<<Rows * 8 / 256, 256>>>(In, Table, Out);
}
