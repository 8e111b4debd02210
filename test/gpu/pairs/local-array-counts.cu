// Rule: cuda-memory-local-array
// Votes of 16 neighbours for one of eight classes, counted in a private array
// by data or in the nibbles of a word.
#include "Pair.cuh"

constexpr int Threads = 1 << 19, Voters = 16, Classes = 8;

__global__ void before(const unsigned char *In, unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Votes[Classes] = {};
  for (int J = 0; J < Voters; ++J)
    ++Votes[In[J * Threads + I] % Classes];
  unsigned Best = 0;
  for (int C = 0; C < Classes; ++C)
    Best = max(Best, Votes[C] * Classes + C);
  Out[I] = Best;
}

__global__ void after(const unsigned char *In, unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long Votes = 0;
  for (int J = 0; J < Voters; ++J)
    Votes += 1ull << (In[J * Threads + I] % Classes * 8);
  unsigned Best = 0;
  for (int C = 0; C < Classes; ++C)
    Best = max(Best, unsigned(Votes >> (C * 8) & 255) * Classes + C);
  Out[I] = Best;
}

int main() {
  const unsigned char *In = input<unsigned char>(size_t(Threads) * Voters, 256);
  unsigned *Expected = output<unsigned>(Threads),
           *Out = output<unsigned>(Threads);
  Pair P("local-array-counts");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Out);
}
