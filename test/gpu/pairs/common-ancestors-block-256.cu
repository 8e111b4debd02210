// Rule: cuda-memory-small-block
// The last common ancestor of pairs of nodes of a tree, whose parents have
// smaller numbers: two chains of dependent loads a thread, in blocks of 32
// threads, of which an SM holds 32, or of 256.
#include "Pair.cuh"

constexpr int Nodes = 1 << 20, Queries = 1 << 20;

__device__ __forceinline__ int ancestor(const int *__restrict__ Parent, int A,
                                        int B) {
  while (A != B) {
    if (A > B)
      A = Parent[A];
    else
      B = Parent[B];
  }
  return A;
}

__global__ void before(const int *__restrict__ Parent,
                       const int2 *__restrict__ Query, int *__restrict__ Meet,
                       int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const int2 Ends = Query[I];
  Meet[I] = ancestor(Parent, Ends.x, Ends.y);
}

__global__ void after(const int *__restrict__ Parent,
                      const int2 *__restrict__ Query, int *__restrict__ Meet,
                      int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const int2 Ends = Query[I];
  Meet[I] = ancestor(Parent, Ends.x, Ends.y);
}

int main() {
  std::vector<int> Tree(Nodes);
  for (int I = 1; I < Nodes; ++I)
    Tree[I] = int(mixed(I) % unsigned(I));
  const int *Parent = onDevice(Tree);
  const int *Ends = input<int>(2 * Queries, Nodes);
  int *Expected = output<int>(Queries), *Out = output<int>(Queries);
  Pair P("common-ancestors-block-256");
  P.same(Expected, Out, Queries);
  while (P.next())
    if (P.beforesTurn())
      before<<<Queries / 32, 32>>>(
          Parent, reinterpret_cast<const int2 *>(Ends), Expected, Queries);
    else
      after<<<Queries / 256, 256>>>(
          Parent, reinterpret_cast<const int2 *>(Ends), Out, Queries);
}
