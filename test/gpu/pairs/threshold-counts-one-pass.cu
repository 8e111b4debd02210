// Rule: cuda-memory-repeated-pass
// Points of a precision-recall curve: for each of sixteen thresholds, how many
// examples of either class have a score above it. Blocks of one threshold read
// all scores and labels, which takes sixteen passes; or a thread counts for all
// thresholds in registers what it has read.
#include "Pair.cuh"

constexpr int Examples = 1 << 24, Thresholds = 16, Grid = 1024, Block = 256;

__constant__ float Threshold[Thresholds] = {
    0.02f, 0.05f, 0.10f, 0.15f, 0.20f, 0.27f, 0.35f, 0.43f,
    0.50f, 0.58f, 0.66f, 0.74f, 0.82f, 0.90f, 0.95f, 0.99f};

/// Sixteen bits for either class.
__device__ unsigned step(unsigned char Label) { return Label ? 1u << 16 : 1u; }

__device__ void count(unsigned &Counts, float Least, float4 Score,
                      const unsigned (&Step)[4]) {
  Counts += Score.x >= Least ? Step[0] : 0;
  Counts += Score.y >= Least ? Step[1] : 0;
  Counts += Score.z >= Least ? Step[2] : 0;
  Counts += Score.w >= Least ? Step[3] : 0;
}

/// Adds what the warp has to the block's \p Sums.
__device__ void gather(unsigned Counts, unsigned *Sums) {
  const unsigned Positive = __reduce_add_sync(0xffffffff, Counts >> 16),
                 Negative = __reduce_add_sync(0xffffffff, Counts & 0xffff);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(Sums, Positive);
    atomicAdd(Sums + 1, Negative);
  }
}

__global__ void before(const float4 *__restrict__ Score,
                       const uchar4 *__restrict__ Label,
                       unsigned *__restrict__ Total) {
  __shared__ unsigned Sums[2];
  if (threadIdx.x < 2)
    Sums[threadIdx.x] = 0;
  __syncthreads();
  const float Least = Threshold[blockIdx.y];
  unsigned Counts = 0;
  for (int I = blockIdx.x * Block + threadIdx.x; I < Examples / 4;
       I += Grid * Block) {
    const uchar4 L = Label[I];
    const unsigned Step[4] = {step(L.x), step(L.y), step(L.z), step(L.w)};
    count(Counts, Least, Score[I], Step);
  }
  gather(Counts, Sums);
  __syncthreads();
  if (threadIdx.x < 2)
    atomicAdd(Total + 2 * blockIdx.y + threadIdx.x, Sums[threadIdx.x]);
}

__global__ void after(const float4 *__restrict__ Score,
                      const uchar4 *__restrict__ Label,
                      unsigned *__restrict__ Total) {
  __shared__ unsigned Sums[2 * Thresholds];
  if (threadIdx.x < 2 * Thresholds)
    Sums[threadIdx.x] = 0;
  __syncthreads();
  unsigned Counts[Thresholds] = {};
  for (int I = blockIdx.x * Block + threadIdx.x; I < Examples / 4;
       I += Grid * Block) {
    const uchar4 L = Label[I];
    const float4 S = Score[I];
    const unsigned Step[4] = {step(L.x), step(L.y), step(L.z), step(L.w)};
#pragma unroll
    for (int T = 0; T < Thresholds; ++T)
      count(Counts[T], Threshold[T], S, Step);
  }
#pragma unroll
  for (int T = 0; T < Thresholds; ++T)
    gather(Counts[T], Sums + 2 * T);
  __syncthreads();
  if (threadIdx.x < 2 * Thresholds)
    atomicAdd(Total + threadIdx.x, Sums[threadIdx.x]);
}

int main() {
  const float4 *Score = (const float4 *)input<float>(Examples);
  const uchar4 *Label = (const uchar4 *)input<unsigned char>(Examples, 2);
  unsigned *Expected = output<unsigned>(2 * Thresholds),
           *Out = output<unsigned>(2 * Thresholds);
  Pair P("threshold-counts-one-pass");
  P.same(Expected, Out, 2 * Thresholds);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Grid, Thresholds), Block>>>(Score, Label, Expected);
    else
      after<<<Grid, Block>>>(Score, Label, Out);
}
