// Rule: cuda-memory-uncoalesced-access
// A graph's matrix with some four values a row: what a thread reads of its row
// is a sector or two and its neighbours' rows follow; a warp a row coalesces
// and has most lanes idle.
// Options: --buffer=Start=sorted,count=1048577,below=4194304
// Options: --buffer=Column=random,count=4194304,below=1048576
#include "Pair.cuh"

constexpr int Rows = 1 << 20, Values = 4 * Rows;

__global__ void before(const int *Start, const int *Column, const float *X,
                       float *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int I = Start[Row]; I < Start[Row + 1]; ++I)
    Sum += X[Column[I]];
  Y[Row] = Sum;
}

__global__ void after(const int *Start, const int *Column, const float *X,
                      float *Y) {
  const int Row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  float Sum = 0;
  for (int I = Start[Row] + Lane; I < Start[Row + 1]; I += 32)
    Sum += X[Column[I]];
  for (int Half = 16; Half; Half /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Half);
  if (Lane == 0)
    Y[Row] = Sum;
}

int main() {
  std::vector<int> Starts = onHost(input<int>(Rows + 1, Values), Rows + 1);
  std::sort(Starts.begin(), Starts.end());
  const int *Start = onDevice(Starts), *Column = input<int>(Values, Rows);
  const float *X = input<float>(Rows);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("sparse-short-rows-by-warps");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 256, 256>>>(Start, Column, X, Expected);
    else
      after<<<Rows / 8, 256>>>(Start, Column, X, Out);
}
