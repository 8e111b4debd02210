// Rule: cuda-memory-uncoalesced-access
// The best stretch of each of 400003 sequenced reads, by the qualities of its
// 100 bases, a thread for each read: the bytes are read where they lie, 100
// from thread to thread, or the block first copies its reads to shared memory.
#include "Pair.cuh"

constexpr int Reads = 400003, Length = 100, Words = Length / 4, Threads = 128;
constexpr int Least = 20;

__global__ void before(const unsigned char *__restrict__ Quality,
                       int *__restrict__ Best) {
  const int Read = blockIdx.x * Threads + threadIdx.x;
  if (Read >= Reads)
    return;
  int Sum = 0, Most = 0, Begin = 0, Stretch = 0;
  for (int I = 0; I < Length; ++I) {
    Sum += Quality[Read * Length + I] - Least;
    if (Sum <= 0) {
      Sum = 0;
      Begin = I + 1;
    } else if (Sum > Most) {
      Most = Sum;
      Stretch = Begin << 16 | (I + 1);
    }
  }
  Best[Read] = Stretch;
}

__global__ void after(const unsigned *__restrict__ Quality,
                      int *__restrict__ Best) {
  __shared__ unsigned Staged[Threads * Words];
  const int First = blockIdx.x * Threads;
  const int Here = min(Threads, Reads - First);
  for (int I = threadIdx.x; I < Here * Words; I += Threads)
    Staged[I] = Quality[First * Words + I];
  __syncthreads();
  if (threadIdx.x >= Here)
    return;
  const unsigned char *Own =
      reinterpret_cast<const unsigned char *>(Staged + threadIdx.x * Words);
  int Sum = 0, Most = 0, Begin = 0, Stretch = 0;
  for (int I = 0; I < Length; ++I) {
    Sum += Own[I] - Least;
    if (Sum <= 0) {
      Sum = 0;
      Begin = I + 1;
    } else if (Sum > Most) {
      Most = Sum;
      Stretch = Begin << 16 | (I + 1);
    }
  }
  Best[First + threadIdx.x] = Stretch;
}

int main() {
  const unsigned char *Quality = input<unsigned char>(Reads * Length, 42);
  int *Expected = output<int>(Reads), *Out = output<int>(Reads);
  Pair P("reads-trimmed-staged");
  P.same(Expected, Out, Reads);
  const int Blocks = (Reads + Threads - 1) / Threads;
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Quality, Expected);
    else
      after<<<Blocks, Threads>>>((const unsigned *)Quality, Out);
}
