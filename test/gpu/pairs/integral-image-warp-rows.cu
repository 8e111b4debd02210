// Rule: cuda-memory-uncoalesced-access
// The first pass of an integral image adds up along rows: a thread has a row of
// its own, or a warp scans 32 pixels of a row at a time with shuffles.
#include "Pair.cuh"

constexpr int Rows = 2048, Columns = 2048;

__global__ void before(const unsigned char *In, unsigned *Out) {
  const int Row = blockIdx.x * 64 + threadIdx.x;
  unsigned Sum = 0;
  for (int C = 0; C < Columns; ++C) {
    Sum += In[Row * Columns + C];
    Out[Row * Columns + C] = Sum;
  }
}

__global__ void after(const unsigned char *In, unsigned *Out) {
  const int Row = blockIdx.x * 8 + threadIdx.x / 32, Lane = threadIdx.x % 32;
  unsigned Carry = 0;
  for (int C = Lane; C < Columns; C += 32) {
    unsigned Sum = In[Row * Columns + C];
    for (int Step = 1; Step < 32; Step *= 2) {
      const unsigned Left = __shfl_up_sync(~0u, Sum, Step);
      if (Lane >= Step)
        Sum += Left;
    }
    Sum += Carry;
    Out[Row * Columns + C] = Sum;
    Carry = __shfl_sync(~0u, Sum, 31);
  }
}

int main() {
  const unsigned char *In = input<unsigned char>(Rows * Columns, 256);
  unsigned *Expected = output<unsigned>(Rows * Columns),
           *Out = output<unsigned>(Rows * Columns);
  Pair P("integral-image-warp-rows");
  P.same(Expected, Out, Rows * Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 64, 64>>>(In, Expected);
    else
      after<<<Rows / 8, 256>>>(In, Out);
}
