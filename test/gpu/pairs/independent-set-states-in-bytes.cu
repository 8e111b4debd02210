// Rule: cuda-memory-gather
// A round of Luby's maximal independent set: an undecided vertex joins if none
// of its neighbours has joined and no undecided one goes before it. The states,
// gathered by the neighbours' numbers, are ints or bytes.
#include "Pair.cuh"

constexpr int Vertices = 1 << 24, Degree = 6;

enum State { Undecided, Joined, Excluded };

__device__ inline uint32_t priority(uint32_t V, uint32_t Round) {
  V ^= Round * 0x9e3779b9u;
  V = (V ^ V >> 16) * 0x7feb352du;
  V = (V ^ V >> 15) * 0x846ca68bu;
  return V ^ V >> 16;
}

template <class T>
__device__ inline bool joins(const T *__restrict__ States,
                             const int *__restrict__ Neighbours, int V,
                             uint32_t Round) {
  if (States[V] != Undecided)
    return false;
  int Ids[Degree];
  T Theirs[Degree];
#pragma unroll
  for (int I = 0; I < Degree; ++I)
    Ids[I] = Neighbours[size_t(I) * Vertices + V];
#pragma unroll
  for (int I = 0; I < Degree; ++I)
    Theirs[I] = States[Ids[I]];
  const uint32_t Own = priority(V, Round);
  bool Joins = true;
#pragma unroll
  for (int I = 0; I < Degree; ++I)
    Joins &= Theirs[I] == Excluded ||
             (Theirs[I] == Undecided && priority(Ids[I], Round) <= Own);
  return Joins;
}

__global__ void before(const int *__restrict__ States,
                       const int *__restrict__ Neighbours,
                       uint8_t *__restrict__ Joins, uint32_t Round) {
  const int Stride = blockDim.x * gridDim.x;
  for (int V = blockIdx.x * blockDim.x + threadIdx.x; V < Vertices; V += Stride)
    Joins[V] = joins(States, Neighbours, V, Round);
}

__global__ void after(const uint8_t *__restrict__ States,
                      const int *__restrict__ Neighbours,
                      uint8_t *__restrict__ Joins, uint32_t Round) {
  const int Stride = blockDim.x * gridDim.x;
  for (int V = blockIdx.x * blockDim.x + threadIdx.x; V < Vertices; V += Stride)
    Joins[V] = joins(States, Neighbours, V, Round);
}

int main() {
  const int *Neighbours = input<int>(size_t(Degree) * Vertices, Vertices);
  const int *States = input<int>(Vertices, 3);
  const uint8_t *Narrow = input<uint8_t>(Vertices, 3);
  uint8_t *Expected = output<uint8_t>(Vertices);
  uint8_t *Out = output<uint8_t>(Vertices);
  Pair P("independent-set-states-in-bytes");
  P.same(Expected, Out, Vertices);
  while (P.next())
    if (P.beforesTurn())
      before<<<2112, 256>>>(States, Neighbours, Expected, 3);
    else
      after<<<2112, 256>>>(Narrow, Neighbours, Out, 3);
}
