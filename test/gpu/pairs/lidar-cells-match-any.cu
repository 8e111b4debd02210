// Rule: cuda-memory-atomic-contention
// Echoes are counted by cell of a map, where they come in any order: each lane
// adds for itself, or one of those of a warp that have the same cell.
// Options: --buffer=Cell=random,count=2097152,below=1048576
#include "Pair.cuh"

constexpr int N = 1 << 21, Cells = 1 << 20;

__global__ void before(const unsigned *Cell, unsigned *Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&Counts[Cell[I]], 1);
}

__global__ void after(const unsigned *Cell, unsigned *Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned Mine = Cell[I], Peers = __match_any_sync(~0u, Mine);
  if (__ffs(Peers) - 1 == threadIdx.x % 32)
    atomicAdd(&Counts[Mine], __popc(Peers));
}

int main() {
  const unsigned *Cell = input<unsigned>(N, Cells);
  unsigned *Expected = output<unsigned>(Cells), *Out = output<unsigned>(Cells);
  Pair P("lidar-cells-match-any");
  P.same(Expected, Out, Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Cell, Expected);
    else
      after<<<N / 256, 256>>>(Cell, Out);
}
