// Rule: cuda-memory-misaligned
// Rows of 1023 floats begin anywhere in a sector; padded to 1024 they do not.
#include "Pair.cuh"

constexpr int Rows = 16384, Columns = 1023;

__global__ void before(const float *In, float *Out) {
  const int Column = threadIdx.x, Row = blockIdx.x;
  if (Column < Columns)
    Out[Row * Columns + Column] = 2 * In[Row * Columns + Column];
}

__global__ void after(const float *In, float *Out) {
  const int Column = threadIdx.x, Row = blockIdx.x;
  if (Column < Columns)
    Out[Row * 1024 + Column] = 2 * In[Row * 1024 + Column];
}

int main() {
  const float *In = input<float>(Rows * Columns);
  const float *Padded = arranged(In, Rows * Columns, Rows * 1024, [](size_t I) {
    return I / 1024 * Columns + std::min<size_t>(I % 1024, Columns - 1);
  });
  float *Expected = output<float>(Rows * Columns),
        *Out = output<float>(Rows * 1024);
  Pair P("misaligned-rows");
  P.same(Expected, Out, Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, 1024>>>(In, Expected);
    else
      after<<<Rows, 1024>>>(Padded, Out);
}
