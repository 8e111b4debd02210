// Rule: cuda-memory-atomic-contention
// A sparse matrix, stored by coordinates in the order of rows, times a vector:
// each entry is added to its row atomically, or those of a row that lie in one
// warp are added up first.
#include "Pair.cuh"

constexpr int N = 1 << 23, PerRow = 29, Rows = N / PerRow + 1;

__global__ void before(const int *__restrict__ Row,
                       const int *__restrict__ Column,
                       const float *__restrict__ Value,
                       const float *__restrict__ X, float *__restrict__ Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(Y + Row[I], Value[I] * X[Column[I]]);
}

__global__ void after(const int *__restrict__ Row,
                      const int *__restrict__ Column,
                      const float *__restrict__ Value,
                      const float *__restrict__ X, float *__restrict__ Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Lane = threadIdx.x % 32, R = Row[I];
  float Sum = Value[I] * X[Column[I]];
#pragma unroll
  for (int Step = 1; Step < 32; Step *= 2) {
    const float Other = __shfl_down_sync(~0u, Sum, Step);
    const int OtherRow = __shfl_down_sync(~0u, R, Step);
    if (Lane + Step < 32 && OtherRow == R)
      Sum += Other;
  }
  const int RowBefore = __shfl_up_sync(~0u, R, 1);
  if (Lane == 0 || RowBefore != R)
    atomicAdd(Y + R, Sum);
}

int main() {
  std::vector<int> Sorted(N);
  for (int I = 0; I < N; ++I)
    Sorted[I] = I / PerRow;
  const int *Row = onDevice(Sorted), *Column = input<int>(N, Rows);
  const float *Value = input<float>(N), *X = input<float>(Rows);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("coo-rows-segmented");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Row, Column, Value, X, Expected);
    else
      after<<<N / 256, 256>>>(Row, Column, Value, X, Out);
}
