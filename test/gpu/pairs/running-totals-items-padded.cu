// Rule: cuda-memory-bank-conflict
// Running totals of the amounts in each partition of 2048 rows: threads take 16
// consecutive rows each from shared memory, all 16 words apart, or with a word
// of padding after every 32.
#include "Pair.cuh"

constexpr int Rows = 1 << 22, Threads = 128, Items = 16;
constexpr int Partition = Threads * Items;

/// The sum over all threads below this one.
__device__ int sumBelow(int Own) {
  __shared__ int Warps[Threads / 32];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  int Sum = Own;
  for (int Step = 1; Step < 32; Step *= 2) {
    const int Other = __shfl_up_sync(~0u, Sum, Step);
    if (Lane >= Step)
      Sum += Other;
  }
  if (Lane == 31)
    Warps[Warp] = Sum;
  __syncthreads();
  for (int I = 0; I < Warp; ++I)
    Sum += Warps[I];
  return Sum - Own;
}

__global__ void before(const int *__restrict__ Amount,
                       int *__restrict__ Total) {
  __shared__ int Row[Partition];
  const int First = blockIdx.x * Partition;
  for (int I = threadIdx.x; I < Partition; I += Threads)
    Row[I] = Amount[First + I];
  __syncthreads();
  int Sums[Items], Sum = 0;
#pragma unroll
  for (int I = 0; I < Items; ++I)
    Sums[I] = Sum += Row[threadIdx.x * Items + I];
  const int Below = sumBelow(Sum);
#pragma unroll
  for (int I = 0; I < Items; ++I)
    Row[threadIdx.x * Items + I] = Below + Sums[I];
  __syncthreads();
  for (int I = threadIdx.x; I < Partition; I += Threads)
    Total[First + I] = Row[I];
}

__device__ int padded(int I) { return I + I / 32; }

__global__ void after(const int *__restrict__ Amount,
                      int *__restrict__ Total) {
  __shared__ int Row[Partition + Partition / 32];
  const int First = blockIdx.x * Partition;
  for (int I = threadIdx.x; I < Partition; I += Threads)
    Row[padded(I)] = Amount[First + I];
  __syncthreads();
  int Sums[Items], Sum = 0;
#pragma unroll
  for (int I = 0; I < Items; ++I)
    Sums[I] = Sum += Row[padded(threadIdx.x * Items + I)];
  const int Below = sumBelow(Sum);
#pragma unroll
  for (int I = 0; I < Items; ++I)
    Row[padded(threadIdx.x * Items + I)] = Below + Sums[I];
  __syncthreads();
  for (int I = threadIdx.x; I < Partition; I += Threads)
    Total[First + I] = Row[padded(I)];
}

int main() {
  const int *Amount = input<int>(Rows, 10000);
  int *Expected = output<int>(Rows), *Out = output<int>(Rows);
  Pair P("running-totals-items-padded");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / Partition, Threads>>>(Amount, Expected);
    else
      after<<<Rows / Partition, Threads>>>(Amount, Out);
}
