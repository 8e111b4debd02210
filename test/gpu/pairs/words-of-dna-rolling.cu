// Rule: cuda-memory-single-result
// The code of each 16 bases of a genome, two bits a base: every place reads its
// sixteen bytes, or a thread reads 24 once for eight places.
#include "Pair.cuh"

constexpr int N = 1 << 24, Long = 16;

__global__ void before(const unsigned char *Base, unsigned *Code) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  unsigned Word = 0;
  for (int K = 0; K < Long; ++K)
    Word = Word << 2 | Base[I + K];
  Code[I] = Word;
}

__global__ void after(const uint2 *Bases, uint4 *Codes) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const uint2 First = Bases[I], Second = Bases[I + 1], Third = Bases[I + 2];
  const unsigned Words[6] = {First.x,  First.y, Second.x,
                             Second.y, Third.x, Third.y};
  unsigned Word = 0, Code[8];
#pragma unroll
  for (int K = 0; K < Long - 1; ++K)
    Word = Word << 2 | (Words[K / 4] >> K % 4 * 8 & 255);
#pragma unroll
  for (int P = 0; P < 8; ++P) {
    const int K = P + Long - 1;
    Word = Word << 2 | (Words[K / 4] >> K % 4 * 8 & 255);
    Code[P] = Word;
  }
  Codes[2 * I] = {Code[0], Code[1], Code[2], Code[3]};
  Codes[2 * I + 1] = {Code[4], Code[5], Code[6], Code[7]};
}

int main() {
  const unsigned char *Base = input<unsigned char>(N + Long, 4);
  unsigned *Expected = output<unsigned>(N), *Out = output<unsigned>(N);
  Pair P("words-of-dna-rolling");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Base, Expected);
    else
      after<<<N / 2048, 256>>>((const uint2 *)Base, (uint4 *)Out);
}
