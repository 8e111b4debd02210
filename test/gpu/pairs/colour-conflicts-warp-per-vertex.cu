// Rule: cuda-memory-gather
// After a round of parallel graph colouring, how many neighbours have the
// colour of each vertex, in a graph of some hubs and many vertices of few
// edges. A thread walks the edges of its vertex, or a warp does. "Warp-centric"
// traversal (Hong, Kim, Oguntebi, Olukotun, 2011).
#include "Pair.cuh"

constexpr int Vertices = 3 << 18, Block = 256;

__global__ void before(const int *__restrict__ Offsets,
                       const int *__restrict__ Ends,
                       const unsigned char *__restrict__ Colours,
                       int *__restrict__ Conflicts) {
  const int V = blockIdx.x * Block + threadIdx.x;
  const int Last = Offsets[V + 1];
  const unsigned char Mine = Colours[V];
  int Sum = 0;
  for (int E = Offsets[V]; E < Last; ++E)
    Sum += Colours[Ends[E]] == Mine;
  Conflicts[V] = Sum;
}

__global__ void after(const int *__restrict__ Offsets,
                      const int *__restrict__ Ends,
                      const unsigned char *__restrict__ Colours,
                      int *__restrict__ Conflicts) {
  const int V = (blockIdx.x * Block + threadIdx.x) / 32,
            Lane = threadIdx.x % 32;
  const int Last = Offsets[V + 1];
  const unsigned char Mine = Colours[V];
  int Sum = 0;
  for (int E = Offsets[V] + Lane; E < Last; E += 32)
    Sum += Colours[Ends[E]] == Mine;
  for (int Off = 16; Off > 0; Off /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Off);
  if (Lane == 0)
    Conflicts[V] = Sum;
}

int main() {
  std::vector<int> Offsets(Vertices + 1);
  for (int V = 0; V < Vertices; ++V) {
    // A power law, up to 3000.
    const double Noise = (mixed(V) + 1.0) / 4294967296.0;
    Offsets[V + 1] =
        Offsets[V] + std::min(3000, int(4 * std::pow(Noise, -0.6)));
  }
  std::vector<int> Ends(Offsets[Vertices]);
  for (int V = 0; V < Vertices; ++V)
    for (int E = Offsets[V]; E < Offsets[V + 1]; ++E)
      Ends[E] =
          E % 2 ? mixed(E) % Vertices : (V + mixed(E) % 1000 + 1) % Vertices;
  const int *DeviceOffsets = onDevice(Offsets), *DeviceEnds = onDevice(Ends);
  const unsigned char *Colours = input<unsigned char>(Vertices, 12);
  int *Expected = output<int>(Vertices), *Out = output<int>(Vertices);
  Pair P("colour-conflicts-warp-per-vertex");
  P.same(Expected, Out, Vertices);
  while (P.next())
    if (P.beforesTurn())
      before<<<Vertices / Block, Block>>>(DeviceOffsets, DeviceEnds, Colours,
                                          Expected);
    else
      after<<<Vertices / (Block / 32), Block>>>(DeviceOffsets, DeviceEnds,
                                                Colours, Out);
}
