// Rule: ?
// A round of widest paths over four million edges: what reaches a vertex over an
// edge raises its width by an atomic maximum if it is more. An edge is a record
// of three words, or ends and capacities are arrays of their own.
// Options: --buffer=Link=random,count=12582912,below=262144
// Options: --buffer=From=random,count=4194304,below=262144
// Options: --buffer=To=random,count=4194304,below=262144
#include "Pair.cuh"

constexpr int Vertices = 1 << 18, Edges = 1 << 22;

struct Edge {
  int From, To, Capacity;
};

__global__ void before(const Edge *__restrict__ Link,
                       const int *__restrict__ Width, int *Reached) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const Edge Mine = Link[I];
  const int Through = min(Width[Mine.From], Mine.Capacity);
  if (Through == 0 || Mine.From == Mine.To)
    return;
  if (Through > Reached[Mine.To])
    atomicMax(&Reached[Mine.To], Through);
}

__global__ void after(const int *__restrict__ From, const int *__restrict__ To,
                      const int *__restrict__ Capacity,
                      const int *__restrict__ Width, int *Reached) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const int Source = From[I], Target = To[I];
  const int Through = min(Width[Source], Capacity[I]);
  if (Through == 0 || Source == Target)
    return;
  if (Through > Reached[Target])
    atomicMax(&Reached[Target], Through);
}

int main() {
  const int *Words = input<int>(3 * Edges, Vertices);
  const auto Column = [=](int Member) {
    return arranged(Words, 3 * Edges, Edges,
                    [=](size_t I) { return 3 * I + Member; });
  };
  const int *From = Column(0), *To = Column(1), *Capacity = Column(2);
  const int *Width = input<int>(Vertices, Vertices);
  int *Expected = output<int>(Vertices), *Out = output<int>(Vertices);
  Pair P("widest-paths-edges-in-columns");
  P.same(Expected, Out, Vertices);
  while (P.next())
    if (P.beforesTurn())
      before<<<Edges / 256, 256>>>((const Edge *)Words, Width, Expected);
    else
      after<<<Edges / 256, 256>>>(From, To, Capacity, Width, Out);
}
