// Rule: cuda-memory-bank-conflict
// Scores of reads against where they may belong in a genome, each thread with
// a band of 32 cells of its alignment in shared memory: a thread's cells side
// by side, or the same cell of all threads side by side.
#include "Pair.cuh"

constexpr int Reads = 1 << 15, Bases = 64, Band = 32, Block = 128;
constexpr int Match = 2, Mismatch = -3, Gap = -4;

// Cell K of the band is at Row[K * Stride]; base I of the read is compared with
// bases I to I + Band - 1 of the genome.
template <int Stride>
__device__ int align(int *Row, const char *Read, const char *Genome) {
  for (int K = 0; K < Band; ++K)
    Row[K * Stride] = 0;
  for (int I = 0; I < Bases; ++I) {
    const char Base = Read[I * Reads];
    int Left = -1000;
#pragma unroll 8
    for (int K = 0; K < Band; ++K) {
      const int Up = K + 1 < Band ? Row[(K + 1) * Stride] : -1000;
      const int Step = Base == Genome[(I + K) * Reads] ? Match : Mismatch;
      Left = max(Row[K * Stride] + Step, max(Left, Up) + Gap);
      Row[K * Stride] = Left;
    }
  }
  int Best = -1000;
  for (int K = 0; K < Band; ++K)
    Best = max(Best, Row[K * Stride]);
  return Best;
}

__global__ void before(const char *__restrict__ Sequences,
                       const char *__restrict__ Windows,
                       int *__restrict__ Scores) {
  __shared__ int Cells[Block][Band];
  const int I = blockIdx.x * Block + threadIdx.x;
  Scores[I] = align<1>(Cells[threadIdx.x], Sequences + I, Windows + I);
}

__global__ void after(const char *__restrict__ Sequences,
                      const char *__restrict__ Windows,
                      int *__restrict__ Scores) {
  __shared__ int Cells[Band][Block];
  const int I = blockIdx.x * Block + threadIdx.x;
  Scores[I] = align<Block>(&Cells[0][threadIdx.x], Sequences + I, Windows + I);
}

int main() {
  const char *Sequences = input<char>(Bases * Reads, 4),
             *Windows = input<char>((Bases + Band) * Reads, 4);
  int *Expected = output<int>(Reads), *Out = output<int>(Reads);
  Pair P("banded-alignment-rows-by-lane");
  P.same(Expected, Out, Reads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Reads / Block, Block>>>(Sequences, Windows, Expected);
    else
      after<<<Reads / Block, Block>>>(Sequences, Windows, Out);
}
