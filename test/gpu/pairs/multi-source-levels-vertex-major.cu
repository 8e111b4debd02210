// Rule: cuda-memory-gather
// A sweep of breadth-first search from 32 sources at once: levels are stored a
// source after another, or the 32 levels of a vertex side by side, so that
// those of a neighbour are fetched as one line.
#include "Pair.cuh"

constexpr int Vertices = 1 << 18, Degree = 8, Sources = 32;
constexpr int Levels = Vertices * Sources;

__global__ void before(const int *__restrict__ Neighbours,
                       const int *__restrict__ Level, int *__restrict__ Next) {
  const int V = blockIdx.x * 256 + threadIdx.x;
  const int *OfSource = Level + blockIdx.y * Vertices;
  int Least = OfSource[V];
  for (int K = 0; K < Degree; ++K)
    Least = min(Least, OfSource[Neighbours[K * Vertices + V]] + 1);
  Next[blockIdx.y * Vertices + V] = Least;
}

__global__ void after(const int *__restrict__ Neighbours,
                      const int *__restrict__ Level, int *__restrict__ Next) {
  const int Source = threadIdx.x, V = blockIdx.x * 8 + threadIdx.y;
  int Least = Level[V * Sources + Source];
  for (int K = 0; K < Degree; ++K) {
    const int Neighbour = Neighbours[K * Vertices + V];
    Least = min(Least, Level[Neighbour * Sources + Source] + 1);
  }
  Next[V * Sources + Source] = Least;
}

int main() {
  const int *Neighbours = input<int>(Vertices * Degree, Vertices),
            *Level = input<int>(Levels, 20);
  const int *VertexMajor = arranged(Level, Levels, Levels, [](size_t I) {
    return I % Sources * Vertices + I / Sources;
  });
  int *Expected = output<int>(Levels), *Out = output<int>(Levels);
  Pair P("multi-source-levels-vertex-major");
  P.same(Expected, Out, Levels, [](size_t I) {
    return I % Vertices * Sources + I / Vertices;
  });
  const dim3 BeforeGrid(Vertices / 256, Sources), AfterBlock(Sources, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<BeforeGrid, 256>>>(Neighbours, Level, Expected);
    else
      after<<<Vertices / 8, AfterBlock>>>(Neighbours, VertexMajor, Out);
}
