// Rule: cuda-memory-atomic-contention
// The vertices that a level of a breadth-first search reaches are marked in a
// bitmap: each edge's end by an atomic, or only if its bit is not set yet.
#include "Pair.cuh"

constexpr int Edges = 1 << 21, Vertices = 1 << 19;

__global__ void before(const uint32_t *Ends, uint32_t *Visited) {
  const uint32_t End = Ends[blockIdx.x * blockDim.x + threadIdx.x];
  atomicOr(Visited + End / 32, 1u << End % 32);
}

__global__ void after(const uint32_t *Ends, uint32_t *Visited) {
  const uint32_t End = Ends[blockIdx.x * blockDim.x + threadIdx.x];
  if (!(Visited[End / 32] >> End % 32 & 1))
    atomicOr(Visited + End / 32, 1u << End % 32);
}

int main() {
  const uint32_t *Ends = input<uint32_t>(Edges, Vertices);
  uint32_t *Expected = output<uint32_t>(Vertices / 32),
           *Out = output<uint32_t>(Vertices / 32);
  Pair P("visited-bits-tested-first");
  P.same(Expected, Out, Vertices / 32);
  while (P.next())
    if (P.beforesTurn())
      before<<<Edges / 256, 256>>>(Ends, Expected);
    else
      after<<<Edges / 256, 256>>>(Ends, Out);
}
