// Rule: cuda-memory-missing-reuse
// Sixty-four symbols of a prefix code for each thread, out of interleaved
// streams: the table of 4096 entries is asked in global memory, or in a copy
// that each block makes in shared memory.
// Options: --buffer=Bits=random,count=6553600,below=4294967295
// Options: --buffer=Table=random,count=4096,below=3200,element=2
#include "Pair.cuh"

constexpr int Streams = 1 << 18, Words = 25, Symbols = 64, Entries = 4096;

__global__ void before(const unsigned *__restrict__ Bits,
                       const unsigned short *__restrict__ Table,
                       unsigned *Out) {
  const int Stream = blockIdx.x * 256 + threadIdx.x;
  unsigned long long Window = 0;
  int Held = 0, Next = 0;
  unsigned Packed = 0;
  for (int I = 0; I < Symbols; ++I) {
    if (Held < 12) {
      Window = Window << 32 | Bits[Next++ * Streams + Stream];
      Held += 32;
    }
    const unsigned Entry = Table[Window >> (Held - 12) & (Entries - 1)];
    Held -= Entry >> 8;
    Packed = Packed << 8 | (Entry & 255);
    if (I % 4 == 3)
      Out[I / 4 * Streams + Stream] = Packed;
  }
}

__global__ void after(const unsigned *__restrict__ Bits,
                      const uint4 *__restrict__ Table, unsigned *Out) {
  __shared__ uint4 Copy[Entries / 8];
  for (int I = threadIdx.x; I < Entries / 8; I += 256)
    Copy[I] = Table[I];
  __syncthreads();
  const unsigned short *Near = reinterpret_cast<const unsigned short *>(Copy);
  const int Stream = blockIdx.x * 256 + threadIdx.x;
  unsigned long long Window = 0;
  int Held = 0, Next = 0;
  unsigned Packed = 0;
  for (int I = 0; I < Symbols; ++I) {
    if (Held < 12) {
      Window = Window << 32 | Bits[Next++ * Streams + Stream];
      Held += 32;
    }
    const unsigned Entry = Near[Window >> (Held - 12) & (Entries - 1)];
    Held -= Entry >> 8;
    Packed = Packed << 8 | (Entry & 255);
    if (I % 4 == 3)
      Out[I / 4 * Streams + Stream] = Packed;
  }
}

int main() {
  // Up to eight ones, a zero, then three bits.
  std::vector<unsigned short> Codes(Entries);
  for (int I = 0; I < Entries; ++I) {
    int Ones = 0;
    while (Ones < 8 && (I >> (11 - Ones) & 1))
      ++Ones;
    const int Length = Ones + 4;
    Codes[I] = Length << 8 | (Ones * 8 + (I >> (12 - Length) & 7) + 1);
  }
  const unsigned short *Table = onDevice(Codes);
  const unsigned *Bits = input<unsigned>(Streams * Words, 0xffffffff);
  constexpr int N = Streams * (Symbols / 4);
  unsigned *Expected = output<unsigned>(N), *Out = output<unsigned>(N);
  Pair P("prefix-codes-table-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Streams / 256, 256>>>(Bits, Table, Expected);
    else
      after<<<Streams / 256, 256>>>(Bits, (const uint4 *)Table, Out);
}
