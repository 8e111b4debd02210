// Rule: cuda-memory-repeated-pass
// Histograms of the four digits of a column's keys, for a radix sort in either
// order: a quarter of the blocks reads all keys for each of the digits, or each
// block counts all four of its keys' digits in one sweep.
// Options: --buffer=Key=random,count=8388608,below=2147483647
#include "Pair.cuh"

constexpr int N = 1 << 23, Bins = 256, Digits = 4, Block = 256;
constexpr int Blocks = 264;

__device__ unsigned sortable(int Key, bool Descending) {
  const unsigned Flipped = unsigned(Key) ^ 0x80000000u;
  return Descending ? ~Flipped : Flipped;
}

__global__ void before(const int *__restrict__ Key, bool Descending,
                       unsigned *__restrict__ Count) {
  __shared__ unsigned Table[Bins];
  const int Digit = blockIdx.y;
  Table[threadIdx.x] = 0;
  __syncthreads();
  const int Step = gridDim.x * Block;
  for (int I = blockIdx.x * Block + threadIdx.x; I < N / 4; I += Step) {
    const int4 Keys = reinterpret_cast<const int4 *>(Key)[I];
    const int Four[] = {Keys.x, Keys.y, Keys.z, Keys.w};
#pragma unroll
    for (int K = 0; K < 4; ++K) {
      const unsigned Bits = sortable(Four[K], Descending);
      atomicAdd(&Table[Bits >> 8 * Digit & 255], 1);
    }
  }
  __syncthreads();
  if (Table[threadIdx.x])
    atomicAdd(&Count[Digit * Bins + threadIdx.x], Table[threadIdx.x]);
}

__global__ void after(const int *__restrict__ Key, bool Descending,
                      unsigned *__restrict__ Count) {
  __shared__ unsigned Table[Digits][Bins];
#pragma unroll
  for (int Digit = 0; Digit < Digits; ++Digit)
    Table[Digit][threadIdx.x] = 0;
  __syncthreads();
  const int Step = gridDim.x * Block;
  for (int I = blockIdx.x * Block + threadIdx.x; I < N / 4; I += Step) {
    const int4 Keys = reinterpret_cast<const int4 *>(Key)[I];
    const int Four[] = {Keys.x, Keys.y, Keys.z, Keys.w};
#pragma unroll
    for (int K = 0; K < 4; ++K) {
      const unsigned Bits = sortable(Four[K], Descending);
#pragma unroll
      for (int Digit = 0; Digit < Digits; ++Digit)
        atomicAdd(&Table[Digit][Bits >> 8 * Digit & 255], 1);
    }
  }
  __syncthreads();
#pragma unroll
  for (int Digit = 0; Digit < Digits; ++Digit)
    if (Table[Digit][threadIdx.x])
      atomicAdd(&Count[Digit * Bins + threadIdx.x], Table[Digit][threadIdx.x]);
}

int main() {
  const int *Key = input<int>(N, 2147483647);
  unsigned *Expected = output<unsigned>(Digits * Bins),
           *Out = output<unsigned>(Digits * Bins);
  Pair P("digit-histograms-one-sweep");
  P.same(Expected, Out, Digits * Bins);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Blocks, Digits), Block>>>(Key, true, Expected);
    else
      after<<<Blocks * Digits, Block>>>(Key, true, Out);
}
