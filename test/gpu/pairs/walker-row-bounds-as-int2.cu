// Rule: cuda-memory-split-gather
// Half a million random walks of 16 steps over a graph of a million vertices:
// where the neighbours of a vertex begin and end is read from two places of an
// array of offsets, or as one int2.
#include "Pair.cuh"

constexpr int Vertices = 1 << 20, Walks = 1 << 19, Steps = 16;

__device__ unsigned drawn(unsigned &State) {
  State = State * 1664525 + 1013904223;
  return State >> 8;
}

__global__ void before(const int *__restrict__ Offset,
                       const int *__restrict__ Neighbour,
                       int *__restrict__ End) {
  const int Walk = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned State = Walk * 2654435761u;
  int At = Walk;
  for (int S = 0; S < Steps; ++S) {
    const int Begin = Offset[At], Degree = Offset[At + 1] - Begin;
    At = Neighbour[Begin + drawn(State) % Degree];
  }
  End[Walk] = At;
}

__global__ void after(const int2 *__restrict__ Bounds,
                      const int *__restrict__ Neighbour,
                      int *__restrict__ End) {
  const int Walk = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned State = Walk * 2654435761u;
  int At = Walk;
  for (int S = 0; S < Steps; ++S) {
    const int2 B = Bounds[At];
    At = Neighbour[B.x + drawn(State) % (B.y - B.x)];
  }
  End[Walk] = At;
}

int main() {
  std::vector<int> Offsets(1, 0);
  std::vector<int2> Both;
  for (int V = 0; V < Vertices; ++V) {
    const int Begin = Offsets.back();
    Offsets.push_back(Begin + 4 + mixed(V) % 24);
    Both.push_back(make_int2(Begin, Offsets.back()));
  }
  const int *Offset = onDevice(Offsets),
            *Neighbour = input<int>(Offsets.back(), Vertices);
  const int2 *Bounds = onDevice(Both);
  int *Expected = output<int>(Walks), *Out = output<int>(Walks);
  Pair P("walker-row-bounds-as-int2");
  P.same(Expected, Out, Walks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Walks / 256, 256>>>(Offset, Neighbour, Expected);
    else
      after<<<Walks / 256, 256>>>(Bounds, Neighbour, Out);
}
