// Rule: cuda-memory-narrow-access
// New keys and values of 8192 tokens go to their slots in the paged cache of an
// attention layer, a block for each token, a half or eight of them at a time.
#include "Pair.cuh"

constexpr int Tokens = 8192, Heads = 8, HeadSize = 128, Page = 16, Pages = 768;
constexpr int Row = Heads * HeadSize;

using Half = unsigned short; // Nothing but bits here.

__global__ void before(const Half *__restrict__ Keys,
                       const Half *__restrict__ Values,
                       const int *__restrict__ Slots,
                       Half *__restrict__ KeyCache,
                       Half *__restrict__ ValueCache) {
  const size_t Token = blockIdx.x;
  const int Slot = Slots[Token];
  if (Slot < 0)
    return;
  for (int I = threadIdx.x; I < Row; I += blockDim.x) {
    KeyCache[size_t(Slot) * Row + I] = Keys[Token * Row + I];
    ValueCache[size_t(Slot) * Row + I] = Values[Token * Row + I];
  }
}

__global__ void after(const uint4 *__restrict__ Keys,
                      const uint4 *__restrict__ Values,
                      const int *__restrict__ Slots,
                      uint4 *__restrict__ KeyCache,
                      uint4 *__restrict__ ValueCache) {
  const size_t Token = blockIdx.x;
  const int Slot = Slots[Token];
  if (Slot < 0)
    return;
  for (int I = threadIdx.x; I < Row / 8; I += blockDim.x) {
    KeyCache[size_t(Slot) * (Row / 8) + I] = Keys[Token * (Row / 8) + I];
    ValueCache[size_t(Slot) * (Row / 8) + I] = Values[Token * (Row / 8) + I];
  }
}

int main() {
  const Half *Keys = input<Half>(Tokens * Row, 65536),
             *Values = input<Half>(Tokens * Row, 65521);
  std::vector<int> Where(Tokens);
  for (int I = 0; I < Tokens; ++I)
    Where[I] = I % 61 == 60 ? -1 : I / Page * 197 % Pages * Page + I % Page;
  const int *Slots = onDevice(Where);
  constexpr int N = Pages * Page * Row;
  Half *Expected[] = {output<Half>(N), output<Half>(N)},
       *Out[] = {output<Half>(N), output<Half>(N)};
  Pair P("paged-cache-append-by-eight");
  P.same(Expected[0], Out[0], N);
  P.same(Expected[1], Out[1], N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Tokens, 512>>>(Keys, Values, Slots, Expected[0], Expected[1]);
    else
      after<<<Tokens, 128>>>((const uint4 *)Keys, (const uint4 *)Values, Slots,
                             (uint4 *)Out[0], (uint4 *)Out[1]);
}
