// Rule: cuda-memory-local-array
// Fitch parsimony: the least number of changes of each site of an alignment on
// a tree whose nodes come in post-order. The stack of sets of states is an
// array of bytes, or nibbles of one 64-bit integer.
#include "Pair.cuh"

constexpr int Taxa = 96, Nodes = 2 * Taxa - 1, Sites = 1 << 18, Depth = 15;

__constant__ short Order[Nodes]; // A leaf's number, or -1 for a join.

__global__ void before(const uint8_t *__restrict__ States,
                       const uint8_t *__restrict__ Weights,
                       int *__restrict__ Changes) {
  const int Site = blockIdx.x * blockDim.x + threadIdx.x;
  if (Site >= Sites)
    return;
  uint8_t Stack[Depth + 1];
  int Top = 0, Count = 0;
  for (int I = 0; I < Nodes; ++I) {
    const int Leaf = Order[I];
    if (Leaf >= 0) {
      Stack[Top++] = 1 << States[size_t(Leaf) * Sites + Site];
    } else {
      const uint8_t A = Stack[--Top], B = Stack[Top - 1];
      const bool Disjoint = (A & B) == 0;
      Count += Disjoint;
      Stack[Top - 1] = Disjoint ? A | B : A & B;
    }
  }
  Changes[Site] = Count * Weights[Site] + Stack[0];
}

__global__ void after(const uint8_t *__restrict__ States,
                      const uint8_t *__restrict__ Weights,
                      int *__restrict__ Changes) {
  const int Site = blockIdx.x * blockDim.x + threadIdx.x;
  if (Site >= Sites)
    return;
  uint64_t Stack = 0;
  int Count = 0;
  for (int I = 0; I < Nodes; ++I) {
    const int Leaf = Order[I];
    if (Leaf >= 0) {
      Stack = Stack << 4 | 1u << States[size_t(Leaf) * Sites + Site];
    } else {
      const unsigned A = Stack & 15, B = Stack >> 4 & 15;
      const bool Disjoint = (A & B) == 0;
      Count += Disjoint;
      Stack = Stack >> 8 << 4 | (Disjoint ? A | B : A & B);
    }
  }
  Changes[Site] = Count * Weights[Site] + int(Stack & 15);
}

int main() {
  std::vector<short> Tree;
  for (int Leaf = 0, Open = 0; Leaf < Taxa || Open > 1;) {
    const bool Joins = Leaf == Taxa || Open == Depth ||
                       (Open > 1 && mixed(Tree.size()) % 9 < 4);
    Tree.push_back(Joins ? -1 : Leaf++);
    Open += Joins ? -1 : 1;
  }
  must(cudaMemcpyToSymbol(Order, Tree.data(), Nodes * sizeof(short)));
  const uint8_t *States = input<uint8_t>(size_t(Taxa) * Sites, 4);
  const uint8_t *Weights = input<uint8_t>(Sites, 20);
  int *Expected = output<int>(Sites), *Out = output<int>(Sites);
  Pair P("parsimony-stack-in-one-word");
  P.same(Expected, Out, Sites);
  while (P.next())
    if (P.beforesTurn())
      before<<<Sites / 256, 256>>>(States, Weights, Expected);
    else
      after<<<Sites / 256, 256>>>(States, Weights, Out);
}
