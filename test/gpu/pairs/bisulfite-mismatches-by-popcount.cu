// Rule: ?
// Reads of 128 bases of two bits against their place in the genome: mismatches,
// and cytosines read as thymine, which bisulfite explains. Base by base, or
// sixteen bases at once by logic and counts of bits.
#include "Pair.cuh"

constexpr int Reads = 1 << 19, Words = 8;
constexpr unsigned Cytosine = 1, Thymine = 3, Low = 0x55555555;

__global__ void before(const unsigned *__restrict__ Read,
                       const unsigned *__restrict__ Genome,
                       unsigned *__restrict__ Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Mismatches = 0, Converted = 0;
  for (int Word = 0; Word < Words; ++Word) {
    unsigned Seen = Read[Word * Reads + I], Known = Genome[Word * Reads + I];
    for (int Base = 0; Base < 16; ++Base) {
      if ((Known & 3) == Cytosine && (Seen & 3) == Thymine)
        ++Converted;
      else if ((Known & 3) != (Seen & 3))
        ++Mismatches;
      Known >>= 2;
      Seen >>= 2;
    }
  }
  Counts[I] = Converted << 16 | Mismatches;
}

__global__ void after(const unsigned *__restrict__ Read,
                      const unsigned *__restrict__ Genome,
                      unsigned *__restrict__ Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Mismatches = 0, Converted = 0;
  for (int Word = 0; Word < Words; ++Word) {
    const unsigned Seen = Read[Word * Reads + I],
                   Known = Genome[Word * Reads + I];
    const unsigned Different = Seen ^ Known;
    const unsigned Explained =
        Known & ~(Known >> 1) & Seen & (Seen >> 1) & Low;
    Converted += __popc(Explained);
    Mismatches += __popc((Different | Different >> 1) & Low & ~Explained);
  }
  Counts[I] = Converted << 16 | Mismatches;
}

int main() {
  const unsigned *Read = input<unsigned>(Words * Reads, 0xffffffff),
                 *Genome =
                     input<unsigned>(Words * Reads + 1024, 0xffffffff) + 1024;
  unsigned *Expected = output<unsigned>(Reads), *Out = output<unsigned>(Reads);
  Pair P("bisulfite-mismatches-by-popcount");
  P.same(Expected, Out, Reads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Reads / 256, 256>>>(Read, Genome, Expected);
    else
      after<<<Reads / 256, 256>>>(Read, Genome, Out);
}
