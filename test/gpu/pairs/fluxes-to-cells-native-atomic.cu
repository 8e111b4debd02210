// Rule: cuda-memory-atomic-contention
// Fluxes through two million faces of a mesh go to the cells on both sides, of
// which there are a million: by loops of compare-and-swap, or by atomic
// additions. Hardly ever do two faces meet.
#include "Pair.cuh"

constexpr int Faces = 1 << 21, Cells = 1 << 20, Block = 256;

__device__ void addBySwaps(double *Sum, double Value) {
  auto *Bits = reinterpret_cast<unsigned long long *>(Sum);
  unsigned long long Old = *Bits, Assumed;
  do {
    Assumed = Old;
    Old = atomicCAS(
        Bits, Assumed,
        __double_as_longlong(Value + __longlong_as_double(Assumed)));
  } while (Assumed != Old);
}

__global__ void before(const int2 *__restrict__ Sides,
                       const float *__restrict__ Flux, double *Content) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const int2 Its = Sides[I];
  addBySwaps(Content + Its.x, Flux[I]);
  addBySwaps(Content + Its.y, -Flux[I]);
}

__global__ void after(const int2 *__restrict__ Sides,
                      const float *__restrict__ Flux, double *Content) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const int2 Its = Sides[I];
  atomicAdd(Content + Its.x, double(Flux[I]));
  atomicAdd(Content + Its.y, -double(Flux[I]));
}

int main() {
  const int2 *Sides = (const int2 *)input<int>(2 * Faces, Cells);
  const float *Flux = input<float>(Faces);
  double *Expected = output<double>(Cells), *Out = output<double>(Cells);
  Pair P("fluxes-to-cells-native-atomic");
  P.same(Expected, Out, Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<Faces / Block, Block>>>(Sides, Flux, Expected);
    else
      after<<<Faces / Block, Block>>>(Sides, Flux, Out);
}
