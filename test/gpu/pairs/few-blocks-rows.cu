// Rule: cuda-memory-uncoalesced-access
// Eight blocks for 132 SMs. Each thread adds up a row of its own, or a column
// of the transposed matrix.
#include "Pair.cuh"

constexpr int Rows = 8 * 256, Columns = 4096;

__global__ void before(const float *In, float *Out) {
  const int Row = blockIdx.x * 256 + threadIdx.x;
  float Sum = 0;
  for (int C = 0; C < Columns; ++C)
    Sum += In[Row * Columns + C];
  Out[Row] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int Row = blockIdx.x * 256 + threadIdx.x;
  float Sum = 0;
  for (int C = 0; C < Columns; ++C)
    Sum += In[C * Rows + Row];
  Out[Row] = Sum;
}

int main() {
  const float *In = input<float>(size_t(Rows) * Columns);
  const float *Turned =
      arranged(In, size_t(Rows) * Columns, size_t(Rows) * Columns,
               [](size_t I) { return I % Rows * Columns + I / Rows; });
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("few-blocks-rows");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 256, 256>>>(In, Expected);
    else
      after<<<Rows / 256, 256>>>(Turned, Out);
}
