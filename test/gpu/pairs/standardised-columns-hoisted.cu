// Rule: cuda-memory-missing-reuse
// A table of 64 columns in double standardised: mean and scale of its column
// loaded for each cell, or once by a thread that goes down 16 rows.
#include "Pair.cuh"

constexpr int Rows = 1 << 16, Columns = 64, Down = 16;

__global__ void before(const double *__restrict__ Table,
                       const double *__restrict__ Mean,
                       const double *__restrict__ Scale,
                       double *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Column = I % Columns;
  Out[I] = (Table[I] - Mean[Column]) * Scale[Column];
}

__global__ void after(const double *__restrict__ Table,
                      const double *__restrict__ Mean,
                      const double *__restrict__ Scale,
                      double *__restrict__ Out) {
  const int Column = threadIdx.x;
  const int First = blockIdx.x * blockDim.y * Down + threadIdx.y;
  const double M = Mean[Column], S = Scale[Column];
#pragma unroll 4
  for (int D = 0; D < Down; ++D) {
    const int I = (First + D * blockDim.y) * Columns + Column;
    Out[I] = (Table[I] - M) * S;
  }
}

int main() {
  constexpr int N = Rows * Columns;
  const double *Table = input<double>(N), *Mean = input<double>(Columns),
               *Scale = input<double>(Columns);
  double *Expected = output<double>(N), *Out = output<double>(N);
  Pair P("standardised-columns-hoisted");
  P.same(Expected, Out, N);
  const dim3 Block(Columns, 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Table, Mean, Scale, Expected);
    else
      after<<<Rows / 4 / Down, Block>>>(Table, Mean, Scale, Out);
}
