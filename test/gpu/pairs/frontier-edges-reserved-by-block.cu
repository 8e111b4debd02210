// Rule: cuda-memory-atomic-contention
// Breadth-first search: the vertices of the frontier append their edges to a
// queue. Each thread reserves its places by an atomic on the tail, or the block
// sums degrees by a scan and reserves once. "Aggregate atomics" (NVIDIA blog)
// and Merrill, Garland, Grimshaw: Scalable GPU graph traversal.
#include "Pair.cuh"

constexpr int Vertices = 1 << 20, Frontier = 1 << 19, Block = 256;
constexpr unsigned QueueSize = 1 << 23; // a ring, more than all edges

__global__ void before(const int *__restrict__ Active,
                       const int *__restrict__ Offsets,
                       const int *__restrict__ Ends, unsigned *Tail,
                       int *__restrict__ Queue) {
  const int Vertex = Active[blockIdx.x * Block + threadIdx.x];
  const int First = Offsets[Vertex], Degree = Offsets[Vertex + 1] - First;
  const unsigned Place = atomicAdd(Tail, unsigned(Degree));
  for (int E = 0; E < Degree; ++E)
    Queue[(Place + E) % QueueSize] = Ends[First + E];
}

__global__ void after(const int *__restrict__ Active,
                      const int *__restrict__ Offsets,
                      const int *__restrict__ Ends, unsigned *Tail,
                      int *__restrict__ Queue) {
  __shared__ unsigned OfWarps[Block / 32], Start;
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  const int Vertex = Active[blockIdx.x * Block + threadIdx.x];
  const int First = Offsets[Vertex], Degree = Offsets[Vertex + 1] - First;
  unsigned Upto = Degree;
  for (int Off = 1; Off < 32; Off *= 2) {
    const unsigned Other = __shfl_up_sync(~0u, Upto, Off);
    if (Lane >= Off)
      Upto += Other;
  }
  if (Lane == 31)
    OfWarps[Warp] = Upto;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned Sum = 0;
    for (int W = 0; W < Block / 32; ++W) {
      const unsigned Own = OfWarps[W];
      OfWarps[W] = Sum;
      Sum += Own;
    }
    Start = atomicAdd(Tail, Sum);
  }
  __syncthreads();
  const unsigned Place = Start + OfWarps[Warp] + Upto - Degree;
  for (int E = 0; E < Degree; ++E)
    Queue[(Place + E) % QueueSize] = Ends[First + E];
}

int main() {
  std::vector<int> Offsets(Vertices + 1), Active(Frontier);
  for (int V = 0; V < Vertices; ++V)
    Offsets[V + 1] = Offsets[V] + 1 + mixed(V) % 8;
  for (int F = 0; F < Frontier; ++F)
    Active[F] = 2 * F + mixed(F + 7) % 2;
  std::vector<int> Ends(Offsets[Vertices]);
  for (size_t E = 0; E < Ends.size(); ++E)
    Ends[E] = mixed(E) % Vertices;
  const int *DeviceActive = onDevice(Active),
            *DeviceOffsets = onDevice(Offsets), *DeviceEnds = onDevice(Ends);
  unsigned *ExpectedTail = output<unsigned>(1), *Tail = output<unsigned>(1);
  int *Queue = output<int>(QueueSize);
  Pair P("frontier-edges-reserved-by-block");
  P.same(ExpectedTail, Tail, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frontier / Block, Block>>>(DeviceActive, DeviceOffsets,
                                          DeviceEnds, ExpectedTail, Queue);
    else
      after<<<Frontier / Block, Block>>>(DeviceActive, DeviceOffsets,
                                         DeviceEnds, Tail, Queue);
}
