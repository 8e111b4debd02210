// Rule: cuda-memory-gather
// Four lists followed by each of 8448 threads, 64 nodes along: one list after
// the other, or all four in step.
#include "Pair.cuh"

constexpr int Nodes = 1 << 22, Blocks = 132, Threads = 64, Lists = 4, Hops = 64;

__global__ void before(const int *__restrict__ Next, int *__restrict__ Ends) {
  const int T = blockIdx.x * Threads + threadIdx.x, All = gridDim.x * Threads;
  for (int L = 0; L < Lists; ++L) {
    int Node = (L * All + T) * 31;
    for (int Hop = 0; Hop < Hops; ++Hop)
      Node = Next[Node];
    Ends[L * All + T] = Node;
  }
}

__global__ void after(const int *__restrict__ Next, int *__restrict__ Ends) {
  const int T = blockIdx.x * Threads + threadIdx.x, All = gridDim.x * Threads;
  int Node[Lists];
#pragma unroll
  for (int L = 0; L < Lists; ++L)
    Node[L] = (L * All + T) * 31;
  for (int Hop = 0; Hop < Hops; ++Hop)
#pragma unroll
    for (int L = 0; L < Lists; ++L)
      Node[L] = Next[Node[L]];
#pragma unroll
  for (int L = 0; L < Lists; ++L)
    Ends[L * All + T] = Node[L];
}

int main() {
  const int *Next = input<int>(Nodes, Nodes);
  constexpr int Count = Blocks * Threads * Lists;
  int *Expected = output<int>(Count), *Out = output<int>(Count);
  Pair P("lists-followed-together");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Next, Expected);
    else
      after<<<Blocks, Threads>>>(Next, Out);
}
