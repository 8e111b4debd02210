// Rule: cuda-memory-uncoalesced-access
// Longest hot spell, and days in spells of three or more, in a model year of
// 360 days of each grid cell, a thread for each: the thread walks along its
// cell's row in global memory, or the block brings 60 days of its rows into
// shared memory at a time.
#include "Pair.cuh"

constexpr int Cells = 1 << 16, Days = 360, Block = 128;
constexpr int Pairs = Days / 2, Some = 30;

struct Spells {
  int Run = 0, Longest = 0, Total = 0;

  __device__ void day(bool Hot) {
    Run = Hot ? Run + 1 : 0;
    Longest = max(Longest, Run);
    Total += Run == 3 ? 3 : Run > 3;
  }
};

__global__ void before(const short *__restrict__ Warmest,
                       const short *__restrict__ Threshold,
                       int2 *__restrict__ Out) {
  const int C = blockIdx.x * Block + threadIdx.x;
  const short *Row = Warmest + C * Days;
  const short Limit = Threshold[C];
  Spells S;
  for (int D = 0; D < Days; ++D)
    S.day(Row[D] > Limit);
  Out[C] = make_int2(S.Longest, S.Total);
}

__global__ void after(const short2 *__restrict__ Warmest,
                      const short *__restrict__ Threshold,
                      int2 *__restrict__ Out) {
  __shared__ short2 Near[Block][Some + 1];
  const int C = blockIdx.x * Block + threadIdx.x;
  const short2 *Rows = Warmest + blockIdx.x * Block * Pairs;
  const short Limit = Threshold[C];
  Spells S;
  for (int First = 0; First < Pairs; First += Some) {
#pragma unroll 6
    for (int I = threadIdx.x; I < Block * Some; I += Block)
      Near[I / Some][I % Some] = Rows[I / Some * Pairs + First + I % Some];
    __syncthreads();
    for (int I = 0; I < Some; ++I) {
      const short2 Two = Near[threadIdx.x][I];
      S.day(Two.x > Limit);
      S.day(Two.y > Limit);
    }
    __syncthreads();
  }
  Out[C] = make_int2(S.Longest, S.Total);
}

int main() {
  const short *Warmest = input<short>(Cells * Days, 450);
  const short *Threshold = input<short>(Cells, 300);
  int *Expected = output<int>(2 * Cells), *Out = output<int>(2 * Cells);
  Pair P("heatwave-spells-days-staged");
  P.same(Expected, Out, 2 * Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<Cells / Block, Block>>>(Warmest, Threshold, (int2 *)Expected);
    else
      after<<<Cells / Block, Block>>>((const short2 *)Warmest, Threshold,
                                      (int2 *)Out);
}
