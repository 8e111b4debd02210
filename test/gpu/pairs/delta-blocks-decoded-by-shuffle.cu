// Rule: cuda-memory-needless-staging
// Columns compressed as differences of a byte: blocks of 1024 values after a
// base are restored by a prefix sum. Sums of four a thread are scanned in
// shared memory with two barriers a step (Hillis, Steele), or by shuffles
// within warps and once over warps. "Prefer shuffles", NVIDIA blog on Kepler.
#include "Pair.cuh"

constexpr int Chunks = 1 << 14, Block = 256, Each = 4, Values = Block * Each;

__device__ int4 stepsOf(unsigned Packed) {
  int4 S;
  S.x = Packed & 255;
  S.y = S.x + (Packed >> 8 & 255);
  S.z = S.y + (Packed >> 16 & 255);
  S.w = S.z + (Packed >> 24);
  return S;
}

__global__ void before(const unsigned *__restrict__ Deltas,
                       const int *__restrict__ Bases, int4 *__restrict__ Out) {
  __shared__ int Sums[Block];
  const int T = threadIdx.x, I = blockIdx.x * Block + T;
  const int4 S = stepsOf(Deltas[I]);
  Sums[T] = S.w;
  __syncthreads();
  for (int Off = 1; Off < Block; Off *= 2) {
    const int Other = T >= Off ? Sums[T - Off] : 0;
    __syncthreads();
    Sums[T] += Other;
    __syncthreads();
  }
  const int Start = Bases[blockIdx.x] + Sums[T] - S.w;
  Out[I] = make_int4(Start + S.x, Start + S.y, Start + S.z, Start + S.w);
}

__global__ void after(const unsigned *__restrict__ Deltas,
                      const int *__restrict__ Bases, int4 *__restrict__ Out) {
  __shared__ int OfWarps[Block / 32];
  const int T = threadIdx.x, I = blockIdx.x * Block + T, Lane = T % 32;
  const int4 S = stepsOf(Deltas[I]);
  int Sum = S.w;
  for (int Off = 1; Off < 32; Off *= 2) {
    const int Other = __shfl_up_sync(~0u, Sum, Off);
    if (Lane >= Off)
      Sum += Other;
  }
  if (Lane == 31)
    OfWarps[T / 32] = Sum;
  __syncthreads();
  int Start = Bases[blockIdx.x] + Sum - S.w;
  for (int W = 0; W < T / 32; ++W)
    Start += OfWarps[W];
  Out[I] = make_int4(Start + S.x, Start + S.y, Start + S.z, Start + S.w);
}

int main() {
  constexpr size_t Count = size_t(Chunks) * Values;
  const unsigned *Deltas = input<unsigned>(Count / 4, ~0u);
  const int *Bases = input<int>(Chunks, 1000000);
  int *Expected = output<int>(Count), *Out = output<int>(Count);
  Pair P("delta-blocks-decoded-by-shuffle");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Chunks, Block>>>(Deltas, Bases,
                                reinterpret_cast<int4 *>(Expected));
    else
      after<<<Chunks, Block>>>(Deltas, Bases, reinterpret_cast<int4 *>(Out));
}
