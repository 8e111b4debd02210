// Rule: ?
// Sum and number of the quantities of 96 groups (GROUP BY), by integer atomics
// on one table in shared memory for a block, or on a table for each of its
// sixteen warps which are added up at the end.
// Options: --buffer=Group=random,count=4194304,below=96
#include "Pair.cuh"

constexpr int N = 1 << 22, Groups = 96, Blocks = 264, Warps = 16;

__global__ void before(const int *__restrict__ Group,
                       const int *__restrict__ Quantity, int *Partial) {
  __shared__ int Sums[Groups], Counts[Groups];
  for (int I = threadIdx.x; I < Groups; I += 512)
    Sums[I] = Counts[I] = 0;
  __syncthreads();
  for (int I = blockIdx.x * 512 + threadIdx.x; I < N; I += Blocks * 512) {
    const int To = Group[I];
    atomicAdd(&Sums[To], Quantity[I]);
    atomicAdd(&Counts[To], 1);
  }
  __syncthreads();
  for (int I = threadIdx.x; I < Groups; I += 512) {
    Partial[blockIdx.x * 2 * Groups + I] = Sums[I];
    Partial[blockIdx.x * 2 * Groups + Groups + I] = Counts[I];
  }
}

__global__ void after(const int *__restrict__ Group,
                      const int *__restrict__ Quantity, int *Partial) {
  __shared__ int Sums[Warps][Groups + 1], Counts[Warps][Groups + 1];
  const int Warp = threadIdx.x / 32;
  for (int I = threadIdx.x % 32; I < Groups; I += 32)
    Sums[Warp][I] = Counts[Warp][I] = 0;
  __syncwarp();
  for (int I = blockIdx.x * 512 + threadIdx.x; I < N; I += Blocks * 512) {
    const int To = Group[I];
    atomicAdd(&Sums[Warp][To], Quantity[I]);
    atomicAdd(&Counts[Warp][To], 1);
  }
  __syncthreads();
  for (int I = threadIdx.x; I < Groups; I += 512) {
    int Sum = 0, Count = 0;
    for (int From = 0; From < Warps; ++From) {
      Sum += Sums[From][I];
      Count += Counts[From][I];
    }
    Partial[blockIdx.x * 2 * Groups + I] = Sum;
    Partial[blockIdx.x * 2 * Groups + Groups + I] = Count;
  }
}

int main() {
  const int *Group = input<int>(N, Groups), *Quantity = input<int>(N, 50);
  int *Expected = output<int>(Blocks * 2 * Groups),
      *Out = output<int>(Blocks * 2 * Groups);
  Pair P("group-totals-table-per-warp");
  P.same(Expected, Out, Blocks * 2 * Groups);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 512>>>(Group, Quantity, Expected);
    else
      after<<<Blocks, 512>>>(Group, Quantity, Out);
}
