// Rule: cuda-memory-atomic-contention
// The sums of 256 columns: a block adds a row to them, or sixteen rows that it has added
// up. The words lie on eight lines, and so in few slices of L2.
#include "Pair.cuh"

constexpr int Rows = 1 << 14, Columns = 256, Together = 16;

__global__ void before(const int *In, int *Sums) {
  atomicAdd(&Sums[threadIdx.x], In[blockIdx.x * Columns + threadIdx.x] & 255);
}

__global__ void after(const int *In, int *Sums) {
  int Sum = 0;
  for (int Row = 0; Row < Together; ++Row)
    Sum += In[(blockIdx.x * Together + Row) * Columns + threadIdx.x] & 255;
  atomicAdd(&Sums[threadIdx.x], Sum);
}

int main() {
  const int *In = input<int>(Rows * Columns);
  int *Expected = output<int>(Columns), *Out = output<int>(Columns);
  Pair P("column-sums-of-images");
  P.same(Expected, Out, Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Columns>>>(In, Expected);
    else
      after<<<Rows / Together, Columns>>>(In, Out);
}
