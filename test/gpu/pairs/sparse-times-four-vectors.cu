// Rule: cuda-memory-single-result
// A sparse matrix of 27 values a row, as of a grid in three dimensions, times
// eight vectors: each vector by itself, or four with each value that is read.
#include "Pair.cuh"

constexpr int Side = 48, Rows = Side * Side * Side, Width = 27, Vectors = 8;

__global__ void before(const double *__restrict__ Values,
                       const int *__restrict__ Columns,
                       const double *__restrict__ X, double *__restrict__ Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x, V = blockIdx.y;
  double Sum = 0;
  for (int I = 0; I < Width; ++I)
    Sum += Values[I * Rows + Row] * X[V * Rows + Columns[I * Rows + Row]];
  Y[V * Rows + Row] = Sum;
}

__global__ void after(const double *__restrict__ Values,
                      const int *__restrict__ Columns,
                      const double *__restrict__ X, double *__restrict__ Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x, V = blockIdx.y * 4;
  double Sums[4] = {};
  for (int I = 0; I < Width; ++I) {
    const double Value = Values[I * Rows + Row];
    const int Column = Columns[I * Rows + Row];
    for (int J = 0; J < 4; ++J)
      Sums[J] += Value * X[(V + J) * Rows + Column];
  }
  for (int J = 0; J < 4; ++J)
    Y[(V + J) * Rows + Row] = Sums[J];
}

int main() {
  std::vector<int> Host(Width * Rows);
  for (int Row = 0; Row < Rows; ++Row)
    for (int I = 0; I < Width; ++I) {
      const int Step =
          I / 9 - 1 + (I / 3 % 3 - 1) * Side + (I % 3 - 1) * Side * Side;
      Host[I * Rows + Row] = (Row + Step + Rows) % Rows;
    }
  const int *Columns = onDevice(Host);
  const double *Values = input<double>(Width * Rows),
               *X = input<double>(Vectors * Rows);
  double *Expected = output<double>(Vectors * Rows),
         *Out = output<double>(Vectors * Rows);
  Pair P("sparse-times-four-vectors");
  P.same(Expected, Out, Vectors * Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Rows / 256, Vectors), 256>>>(Values, Columns, X, Expected);
    else
      after<<<dim3(Rows / 256, Vectors / 4), 256>>>(Values, Columns, X, Out);
}
