// Rule: ?
// A sweep of Jacobi over a matrix of seven diagonals in ELLPACK: the diagonal is
// found among the values of the row and divided by, or its inverse is read from
// one more array, without a question in the loop and without the division.
// Options: --buffer=Column=sorted,count=7340032,below=1048576
#include "Pair.cuh"

constexpr int Rows = 1 << 20, Width = 7;

__global__ void before(const int *__restrict__ Column,
                       const float *__restrict__ Value,
                       const float *__restrict__ Right,
                       const float *__restrict__ X, float *Next) {
  const int Row = blockIdx.x * 256 + threadIdx.x;
  float Sum = Right[Row], Diagonal = 1;
  for (int I = 0; I < Width; ++I) {
    const int At = Column[I * Rows + Row];
    const float Here = Value[I * Rows + Row];
    if (At == Row)
      Diagonal = Here;
    else
      Sum -= Here * X[At];
  }
  Next[Row] = Sum / Diagonal;
}

__global__ void after(const int *__restrict__ Column,
                      const float *__restrict__ Value,
                      const float *__restrict__ Right,
                      const float *__restrict__ Inverse,
                      const float *__restrict__ X, float *Next) {
  const int Row = blockIdx.x * 256 + threadIdx.x;
  float Residual = Right[Row];
  for (int I = 0; I < Width; ++I)
    Residual -= Value[I * Rows + Row] * X[Column[I * Rows + Row]];
  Next[Row] = X[Row] + Residual * Inverse[Row];
}

int main() {
  const int Step[Width] = {-16384, -128, -1, 0, 1, 128, 16384};
  std::vector<float> Values =
      onHost(input<float>(Width * Rows), Width * Rows);
  std::vector<int> Columns(Width * Rows);
  std::vector<float> Inverses(Rows);
  for (int Row = 0; Row < Rows; ++Row) {
    for (int I = 0; I < Width; ++I)
      Columns[I * Rows + Row] = (Row + Step[I] + Rows) % Rows;
    Values[3 * Rows + Row] += 4;
    Inverses[Row] = 1 / Values[3 * Rows + Row];
  }
  const int *Column = onDevice(Columns);
  const float *Value = onDevice(Values), *Inverse = onDevice(Inverses);
  const float *Right = input<float>(2 * Rows), *X = Right + Rows;
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("jacobi-inverse-diagonal-stored");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 256, 256>>>(Column, Value, Right, X, Expected);
    else
      after<<<Rows / 256, 256>>>(Column, Value, Right, Inverse, X, Out);
}
