// Rule: cuda-memory-uncoalesced-access
// Eight blocks of 1024 threads store rows of their own, element by element, or
// columns of the transposed matrix.
#include "Pair.cuh"

constexpr int Rows = 8 * 1024, Columns = 512;

__global__ void before(const float *In, float *Out) {
  const int Row = blockIdx.x * 1024 + threadIdx.x;
  const float Factor = In[Row];
  for (int C = 0; C < Columns; ++C)
    Out[Row * Columns + C] = Factor * C;
}

__global__ void after(const float *In, float *Out) {
  const int Row = blockIdx.x * 1024 + threadIdx.x;
  const float Factor = In[Row];
  for (int C = 0; C < Columns; ++C)
    Out[C * Rows + Row] = Factor * C;
}

int main() {
  const float *In = input<float>(Rows);
  float *Expected = output<float>(size_t(Rows) * Columns),
        *Out = output<float>(size_t(Rows) * Columns);
  Pair P("few-blocks-columns-stored");
  P.same(Expected, Out, size_t(Rows) * Columns,
         [](size_t I) { return I % Columns * Rows + I / Columns; });
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 1024, 1024>>>(In, Expected);
    else
      after<<<Rows / 1024, 1024>>>(In, Out);
}
