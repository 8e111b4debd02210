// Rule: cuda-memory-missing-reuse
// Net prices of a table's rows, zero where price or discount is null: each
// thread loads the words of the validity bitmaps that hold its bits, or one
// lane loads them and hands them to its warp.
#include "Pair.cuh"

constexpr int Rows = (1 << 23) - 13, Block = 256;
constexpr int Blocks = (Rows + Block - 1) / Block;

__global__ void before(const float *__restrict__ Price,
                       const unsigned char *__restrict__ Percent,
                       const unsigned *__restrict__ PriceValid,
                       const unsigned *__restrict__ PercentValid,
                       float *__restrict__ Net) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Rows)
    return;
  const unsigned Valid = PriceValid[I / 32] & PercentValid[I / 32];
  const float Full = Price[I], Left = 0.01f * (100 - Percent[I]);
  Net[I] = Valid >> I % 32 & 1 ? Full * Left : 0;
}

__global__ void after(const float *__restrict__ Price,
                      const unsigned char *__restrict__ Percent,
                      const unsigned *__restrict__ PriceValid,
                      const unsigned *__restrict__ PercentValid,
                      float *__restrict__ Net) {
  const int I = blockIdx.x * Block + threadIdx.x;
  unsigned Valid = 0;
  if (I % 32 == 0 && I < Rows)
    Valid = PriceValid[I / 32] & PercentValid[I / 32];
  Valid = __shfl_sync(~0u, Valid, 0);
  if (I >= Rows)
    return;
  const float Full = Price[I], Left = 0.01f * (100 - Percent[I]);
  Net[I] = Valid >> I % 32 & 1 ? Full * Left : 0;
}

int main() {
  const float *Price = input<float>(Rows);
  const unsigned char *Percent = input<unsigned char>(Rows, 70);
  const unsigned *PriceValid = input<unsigned>(Rows / 32 + 1, 0xffffffff),
                 *PercentValid = input<unsigned>(Rows / 32 + 1, 0xfffffff);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("validity-word-by-shuffle");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Block>>>(Price, Percent, PriceValid, PercentValid,
                                Expected);
    else
      after<<<Blocks, Block>>>(Price, Percent, PriceValid, PercentValid, Out);
}
