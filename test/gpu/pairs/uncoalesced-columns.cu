// Rule: cuda-memory-uncoalesced-access
// A thread adds up a row: lanes are a row apart. Stored by columns they are
// neighbours.
#include "Pair.cuh"

constexpr int Rows = 65536, Columns = 256;

__global__ void before(const float *In, float *Sums) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int I = 0; I < Columns; ++I)
    Sum += In[Row * Columns + I];
  Sums[Row] = Sum;
}

__global__ void after(const float *In, float *Sums) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int I = 0; I < Columns; ++I)
    Sum += In[I * Rows + Row];
  Sums[Row] = Sum;
}

int main() {
  const float *In = input<float>(Rows * Columns);
  const float *Turned =
      arranged(In, Rows * Columns, Rows * Columns,
               [](size_t I) { return I % Rows * Columns + I / Rows; });
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("uncoalesced-columns");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 256, 256>>>(In, Expected);
    else
      after<<<Rows / 256, 256>>>(Turned, Out);
}
