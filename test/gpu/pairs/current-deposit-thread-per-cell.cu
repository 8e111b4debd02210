// Rule: cuda-memory-atomic-contention
// Current of a plasma, deposited on the four corners of each particle's cell;
// the particles are sorted by cell. A thread per particle adds to the grid by
// atomics, or a thread per cell sums its particles up first.
#include "Pair.cuh"

constexpr int NX = 512, NY = 512, Cells = NX * NY, PerCell = 12;
constexpr int Pitch = NX + 1;

struct Particles {
  const float *X, *Y, *VX, *VY;
  const int *Cell;
};

__global__ void before(Particles P, int Count, float2 *J) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const int C = P.Cell[I];
  const float FX = P.X[I], FY = P.Y[I], VX = P.VX[I], VY = P.VY[I];
  float2 *Node = J + C / NX * Pitch + C % NX;
  for (int K = 0; K < 4; ++K) {
    const float W = (K & 1 ? FX : 1 - FX) * (K & 2 ? FY : 1 - FY);
    float2 *N = Node + (K >> 1) * Pitch + (K & 1);
    atomicAdd(&N->x, W * VX);
    atomicAdd(&N->y, W * VY);
  }
}

__global__ void after(Particles P, const int *First, float2 *J) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  if (C >= Cells)
    return;
  const int End = First[C + 1];
  float2 Sums[4] = {};
  for (int I = First[C]; I < End; ++I) {
    const float FX = P.X[I], FY = P.Y[I], VX = P.VX[I], VY = P.VY[I];
#pragma unroll
    for (int K = 0; K < 4; ++K) {
      const float W = (K & 1 ? FX : 1 - FX) * (K & 2 ? FY : 1 - FY);
      Sums[K].x += W * VX;
      Sums[K].y += W * VY;
    }
  }
  float2 *Node = J + C / NX * Pitch + C % NX;
#pragma unroll
  for (int K = 0; K < 4; ++K) {
    float2 *N = Node + (K >> 1) * Pitch + (K & 1);
    atomicAdd(&N->x, Sums[K].x);
    atomicAdd(&N->y, Sums[K].y);
  }
}

int main() {
  std::vector<int> First(Cells + 1), Cell;
  for (int C = 0; C < Cells; ++C) {
    First[C] = int(Cell.size());
    for (unsigned K = 0; K < PerCell - 4 + mixed(C) % 9; ++K)
      Cell.push_back(C);
  }
  const int Count = First[Cells] = int(Cell.size());
  Particles S;
  S.X = input<float>(Count);
  S.Y = input<float>(Count);
  S.VX = input<float>(Count);
  S.VY = input<float>(Count);
  S.Cell = onDevice(Cell);
  const int *Firsts = onDevice(First);
  constexpr size_t Nodes = size_t(Pitch) * (NY + 1);
  float2 *Expected = output<float2>(Nodes), *Out = output<float2>(Nodes);
  Pair P("current-deposit-thread-per-cell");
  P.same((float *)Expected, (float *)Out, 2 * Nodes);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Count + 255) / 256, 256>>>(S, Count, Expected);
    else
      after<<<(Cells + 127) / 128, 128>>>(S, Firsts, Out);
}
