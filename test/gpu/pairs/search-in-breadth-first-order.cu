// Rule: cuda-memory-gather
// Random keys are looked up among four million: by halving a sorted array, or
// in the same keys in the order of a binary tree's levels, where those that
// are asked for first lie together.
#include "Pair.cuh"

constexpr int Levels = 22, Keys = (1 << Levels) - 1, Queries = 1 << 20;

__global__ void before(const uint32_t *__restrict__ Sorted,
                       const uint32_t *__restrict__ Wanted,
                       int *__restrict__ Smaller) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t Key = Wanted[I];
  int Low = 0;
  for (int Half = 1 << (Levels - 1); Half > 0; Half /= 2)
    if (Sorted[Low + Half - 1] < Key)
      Low += Half;
  Smaller[I] = Low;
}

__global__ void after(const uint32_t *__restrict__ Tree,
                      const uint32_t *__restrict__ Wanted,
                      int *__restrict__ Smaller) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t Key = Wanted[I];
  int Node = 1;
  for (int L = 0; L < Levels; ++L)
    Node = Node * 2 + (Tree[Node] < Key ? 1 : 0);
  Smaller[I] = Node - (1 << Levels);
}

int main() {
  std::vector<uint32_t> Host(Keys), Levelled(Keys + 1);
  for (int I = 0; I < Keys; ++I)
    Host[I] = I * 1000u + mixed(I) % 1000;
  for (int L = 0; L < Levels; ++L)
    for (int I = 0; I < 1 << L; ++I) {
      const int Step = 1 << (Levels - L);
      Levelled[(1 << L) + I] = Host[I * Step + Step / 2 - 1];
    }
  const uint32_t *Sorted = onDevice(Host), *Tree = onDevice(Levelled),
                 *Wanted = input<uint32_t>(Queries, ~0u);
  int *Expected = output<int>(Queries), *Out = output<int>(Queries);
  Pair P("search-in-breadth-first-order");
  P.same(Expected, Out, Queries);
  while (P.next())
    if (P.beforesTurn())
      before<<<Queries / 256, 256>>>(Sorted, Wanted, Expected);
    else
      after<<<Queries / 256, 256>>>(Tree, Wanted, Out);
}
