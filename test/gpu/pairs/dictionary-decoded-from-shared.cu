// Rule: cuda-memory-gather
// A column of a data base holds codes of 16 bits for one of 2000 values of 64
// bits: each is looked up in global memory, or in a block's copy of the
// dictionary.
#include "Pair.cuh"

constexpr int N = 1 << 22, Words = 2000, Each = 8192;

__global__ void before(const uint16_t *__restrict__ Codes,
                       const uint64_t *__restrict__ Dictionary,
                       uint64_t *__restrict__ Out) {
  const int First = blockIdx.x * Each;
  for (int I = threadIdx.x; I < Each; I += blockDim.x)
    Out[First + I] = Dictionary[Codes[First + I]];
}

__global__ void after(const uint16_t *__restrict__ Codes,
                      const uint64_t *__restrict__ Dictionary,
                      uint64_t *__restrict__ Out) {
  __shared__ uint64_t Copy[Words];
  for (int I = threadIdx.x; I < Words; I += blockDim.x)
    Copy[I] = Dictionary[I];
  __syncthreads();
  const int First = blockIdx.x * Each;
  for (int I = threadIdx.x; I < Each; I += blockDim.x)
    Out[First + I] = Copy[Codes[First + I]];
}

int main() {
  const uint16_t *Codes = input<uint16_t>(N, Words);
  const uint64_t *Dictionary = input<uint64_t>(Words, ~0u);
  uint64_t *Expected = output<uint64_t>(N), *Out = output<uint64_t>(N);
  Pair P("dictionary-decoded-from-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Each, 512>>>(Codes, Dictionary, Expected);
    else
      after<<<N / Each, 512>>>(Codes, Dictionary, Out);
}
