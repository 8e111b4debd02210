// Rule: cuda-memory-constant-nonuniform
// Packed bases (two bits each) are translated: 16 codons a thread, each looked
// up in the 64 letters of the genetic code. Lanes ask constant memory for
// different words, which it serves one after another; shared memory has them
// in different banks. CUDA best practices guide, constant memory.
#include "Pair.cuh"

constexpr int Threads = 1 << 21, Block = 256;

__constant__ char Letters[65] =
    "KNKNTTTTRSRSIIMIQHQHPPPPRRRRLLLLEDEDAAAAGGGGVVVV*Y*YSSSS*CWCLFLF";

__device__ int codon(const unsigned *Words, int Which) {
  const int Bit = 6 * Which, Shift = Bit % 32;
  unsigned Value = Words[Bit / 32] >> Shift;
  if (Shift > 26)
    Value |= Words[Bit / 32 + 1] << (32 - Shift);
  return Value & 63;
}

__global__ void before(const unsigned *__restrict__ Bases,
                       uint4 *__restrict__ Protein) {
  const size_t I = blockIdx.x * Block + threadIdx.x;
  const unsigned Words[3] = {Bases[3 * I], Bases[3 * I + 1], Bases[3 * I + 2]};
  unsigned Out[4] = {};
#pragma unroll
  for (int K = 0; K < 16; ++K)
    Out[K / 4] |= unsigned(Letters[codon(Words, K)]) << K % 4 * 8;
  Protein[I] = make_uint4(Out[0], Out[1], Out[2], Out[3]);
}

__global__ void after(const unsigned *__restrict__ Bases,
                      uint4 *__restrict__ Protein) {
  __shared__ char Table[64];
  if (threadIdx.x < 64)
    Table[threadIdx.x] = Letters[threadIdx.x];
  __syncthreads();
  const size_t I = blockIdx.x * Block + threadIdx.x;
  const unsigned Words[3] = {Bases[3 * I], Bases[3 * I + 1], Bases[3 * I + 2]};
  unsigned Out[4] = {};
#pragma unroll
  for (int K = 0; K < 16; ++K)
    Out[K / 4] |= unsigned(Table[codon(Words, K)]) << K % 4 * 8;
  Protein[I] = make_uint4(Out[0], Out[1], Out[2], Out[3]);
}

int main() {
  const unsigned *Bases = input<unsigned>(size_t(Threads) * 3, ~0u);
  unsigned *Expected = output<unsigned>(size_t(Threads) * 4),
           *Out = output<unsigned>(size_t(Threads) * 4);
  Pair P("codons-translated-from-shared");
  P.same(Expected, Out, size_t(Threads) * 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / Block, Block>>>(Bases,
                                         reinterpret_cast<uint4 *>(Expected));
    else
      after<<<Threads / Block, Block>>>(Bases, reinterpret_cast<uint4 *>(Out));
}
