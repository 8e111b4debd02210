// Rule: cuda-memory-constant-nonuniform
// GHASH of messages of eight blocks, four bits at a time: the sixteen multiples
// of the key and the remainders are asked in constant memory at what the data
// say, or in a copy in shared memory.
// Options: --buffer=Message=random,count=4194304,below=4294967295
#include "Pair.cuh"

constexpr int Messages = 1 << 17, Length = 8;

__constant__ ulonglong2 Multiple[16];
__constant__ unsigned Remainder[16];

#define ONE_NIBBLE(Multiples, Remainders, Nibble)                              \
  {                                                                            \
    const int Fallen = Low & 15;                                               \
    const ulonglong2 Added = Multiples[Nibble];                                \
    Low = (High << 60 | Low >> 4) ^ Added.y;                                   \
    High = High >> 4 ^ (unsigned long long)(Remainders[Fallen]) << 48 ^        \
           Added.x;                                                            \
  }

__global__ void before(const ulonglong2 *__restrict__ Message,
                       ulonglong2 *Digest) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  unsigned long long High = 0, Low = 0;
  for (int Block = 0; Block < Length; ++Block) {
    const ulonglong2 Data = Message[Block * Messages + I];
    const unsigned long long Upper = High ^ Data.x, Lower = Low ^ Data.y;
    High = Low = 0;
    for (int Bit = 0; Bit < 64; Bit += 4)
      ONE_NIBBLE(Multiple, Remainder, Lower >> Bit & 15)
    for (int Bit = 0; Bit < 64; Bit += 4)
      ONE_NIBBLE(Multiple, Remainder, Upper >> Bit & 15)
  }
  Digest[I] = {High, Low};
}

__global__ void after(const ulonglong2 *__restrict__ Message,
                      ulonglong2 *Digest) {
  __shared__ ulonglong2 Near[16];
  __shared__ unsigned NearRemainder[16];
  if (threadIdx.x < 16) {
    Near[threadIdx.x] = Multiple[threadIdx.x];
    NearRemainder[threadIdx.x] = Remainder[threadIdx.x];
  }
  __syncthreads();
  const int I = blockIdx.x * 256 + threadIdx.x;
  unsigned long long High = 0, Low = 0;
  for (int Block = 0; Block < Length; ++Block) {
    const ulonglong2 Data = Message[Block * Messages + I];
    const unsigned long long Upper = High ^ Data.x, Lower = Low ^ Data.y;
    High = Low = 0;
    for (int Bit = 0; Bit < 64; Bit += 4)
      ONE_NIBBLE(Near, NearRemainder, Lower >> Bit & 15)
    for (int Bit = 0; Bit < 64; Bit += 4)
      ONE_NIBBLE(Near, NearRemainder, Upper >> Bit & 15)
  }
  Digest[I] = {High, Low};
}

int main() {
  const unsigned Rest[16] = {0x0000, 0x1c20, 0x3840, 0x2460, 0x7080, 0x6ca0,
                             0x48c0, 0x54e0, 0xe100, 0xfd20, 0xd940, 0xc560,
                             0x9180, 0x8da0, 0xa9c0, 0xb5e0};
  ulonglong2 Table[16] = {};
  unsigned long long High = 0x66e94bd4ef8a2c3b, Low = 0x884cfa59ca342b2e;
  Table[8] = {High, Low};
  for (int I = 4; I; I /= 2) {
    const unsigned long long Wrapped = Low & 1 ? 0xe1ull << 56 : 0;
    Low = High << 63 | Low >> 1;
    High = High >> 1 ^ Wrapped;
    Table[I] = {High, Low};
  }
  for (int I = 2; I <= 8; I *= 2)
    for (int J = 1; J < I; ++J)
      Table[I + J] = {Table[I].x ^ Table[J].x, Table[I].y ^ Table[J].y};
  must(cudaMemcpyToSymbol(Multiple, Table, sizeof(Table)));
  must(cudaMemcpyToSymbol(Remainder, Rest, sizeof(Rest)));
  const unsigned *Message =
      input<unsigned>(Messages * Length * 4, 0xffffffff);
  unsigned *Expected = output<unsigned>(4 * Messages),
           *Out = output<unsigned>(4 * Messages);
  Pair P("ghash-products-table-shared");
  P.same(Expected, Out, 4 * Messages);
  while (P.next())
    if (P.beforesTurn())
      before<<<Messages / 256, 256>>>((const ulonglong2 *)Message,
                                      (ulonglong2 *)Expected);
    else
      after<<<Messages / 256, 256>>>((const ulonglong2 *)Message,
                                     (ulonglong2 *)Out);
}
