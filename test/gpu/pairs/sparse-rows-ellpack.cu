// Rule: cuda-memory-uncoalesced-access
// A sparse matrix with 16 elements in each row, a row per thread: stored row by
// row, or as ELLPACK has it, the first elements of all rows before the second.
// Options: --buffer=Column=random,count=2097152,below=131072
#include "Pair.cuh"

constexpr int Rows = 1 << 17, Each = 16;

__global__ void before(const float *Value, const unsigned *Column,
                       const float *X, float *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += Value[Row * Each + J] * X[Column[Row * Each + J]];
  Y[Row] = Sum;
}

__global__ void after(const float *Value, const unsigned *Column,
                      const float *X, float *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += Value[J * Rows + Row] * X[Column[J * Rows + Row]];
  Y[Row] = Sum;
}

int main() {
  const auto Turned = [](size_t I) { return I % Rows * Each + I / Rows; };
  const float *X = input<float>(Rows), *Value = input<float>(Rows * Each);
  const unsigned *Column = input<unsigned>(Rows * Each, Rows);
  const float *EllValue = arranged(Value, Rows * Each, Rows * Each, Turned);
  const unsigned *EllColumn =
      arranged(Column, Rows * Each, Rows * Each, Turned);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("sparse-rows-ellpack");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 128, 128>>>(Value, Column, X, Expected);
    else
      after<<<Rows / 128, 128>>>(EllValue, EllColumn, X, Out);
}
