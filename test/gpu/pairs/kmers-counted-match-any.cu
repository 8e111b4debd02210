// Rule: cuda-memory-atomic-contention
// Words of eight bases are counted, each of 65536 for itself; or one lane adds
// for all lanes of a warp that have the same word.
#include "Pair.cuh"

constexpr int N = 1 << 22, Kinds = 1 << 16;

__device__ int wordAt(const uint8_t *Bases, int I) {
  int Word = 0;
  for (int K = 0; K < 8; ++K)
    Word = Word << 2 | Bases[I + K];
  return Word;
}

__global__ void before(const uint8_t *__restrict__ Bases, int *Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(Counts + wordAt(Bases, I), 1);
}

__global__ void after(const uint8_t *__restrict__ Bases, int *Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Word = wordAt(Bases, I);
  const unsigned Alike = __match_any_sync(~0u, Word);
  if (threadIdx.x % 32 == unsigned(__ffs(Alike)) - 1)
    atomicAdd(Counts + Word, __popc(Alike));
}

int main() {
  const uint8_t *Bases = input<uint8_t>(N + 8, 4);
  int *Expected = output<int>(Kinds), *Out = output<int>(Kinds);
  Pair P("kmers-counted-match-any");
  P.same(Expected, Out, Kinds);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Bases, Expected);
    else
      after<<<N / 256, 256>>>(Bases, Out);
}
