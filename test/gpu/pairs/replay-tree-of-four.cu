// Rule: cuda-memory-gather
// Prioritised replay: half a million draws walk down the tree of sums over a
// million priorities, a tree of two children a node or one of four, which come
// with a single load of 16 bytes.
#include "Pair.cuh"

constexpr int Draws = 1 << 19, Leaves = 1 << 20;

__global__ void before(const unsigned *__restrict__ Tree,
                       const unsigned *__restrict__ Masses,
                       int *__restrict__ Chosen) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Mass = Masses[I], Node = 1;
  while (Node < Leaves) {
    const unsigned Left = Tree[2 * Node];
    Node = 2 * Node;
    if (Mass >= Left) {
      Mass -= Left;
      ++Node;
    }
  }
  Chosen[I] = Node - Leaves;
}

__global__ void after(const uint4 *__restrict__ Tree,
                      const unsigned *__restrict__ Masses,
                      int *__restrict__ Chosen) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Mass = Masses[I], Node = 0, Level = 0;
  for (int Width = 1; Width < Leaves; Width *= 4) {
    const uint4 Child = Tree[Level + Node];
    Level = 4 * Level + 1;
    Node *= 4;
    if (Mass >= Child.x) {
      Mass -= Child.x;
      ++Node;
      if (Mass >= Child.y) {
        Mass -= Child.y;
        ++Node;
        if (Mass >= Child.z) {
          Mass -= Child.z;
          ++Node;
        }
      }
    }
  }
  Chosen[I] = Node;
}

int main() {
  std::vector<unsigned> Two(2 * Leaves), Masses(Draws);
  for (int I = 0; I < Leaves; ++I)
    Two[Leaves + I] = 1 + mixed(I) % 1000;
  for (int I = Leaves - 1; I > 0; --I)
    Two[I] = Two[2 * I] + Two[2 * I + 1];
  for (int I = 0; I < Draws; ++I)
    Masses[I] = mixed(Leaves + I) % Two[1];
  // The children of each node, level by level: every other level of the above.
  std::vector<uint4> Four;
  for (int Width = 1; Width < Leaves; Width *= 4)
    for (int Node = Width; Node < 2 * Width; ++Node)
      Four.push_back({Two[4 * Node], Two[4 * Node + 1], Two[4 * Node + 2],
                      Two[4 * Node + 3]});
  const unsigned *Binary = onDevice(Two), *Drawn = onDevice(Masses);
  const uint4 *Quaternary = onDevice(Four);
  int *Expected = output<int>(Draws), *Out = output<int>(Draws);
  Pair P("replay-tree-of-four");
  P.same(Expected, Out, Draws);
  while (P.next())
    if (P.beforesTurn())
      before<<<Draws / 256, 256>>>(Binary, Drawn, Expected);
    else
      after<<<Draws / 256, 256>>>(Quaternary, Drawn, Out);
}
