// Rule: cuda-memory-atomic-contention
// The highest of four million points of a scan over each of 65536 cells of the
// ground: by a loop of compare-and-swap, or by the maximum of integers, in
// whose order the bits of positive numbers are.
#include "Pair.cuh"

constexpr int Points = 1 << 22, Cells = 1 << 16, Block = 256;

__device__ void greaterBySwaps(float *Most, float Value) {
  auto *Bits = reinterpret_cast<int *>(Most);
  int Old = *Bits, Assumed;
  do {
    Assumed = Old;
    Old = atomicCAS(Bits, Assumed,
                    __float_as_int(fmaxf(__int_as_float(Assumed), Value)));
  } while (Old != Assumed);
}

__global__ void before(const float *__restrict__ Height,
                       const int *__restrict__ CellOf, float *Most) {
  const int I = blockIdx.x * Block + threadIdx.x;
  greaterBySwaps(Most + CellOf[I], Height[I]);
}

__global__ void after(const float *__restrict__ Height,
                      const int *__restrict__ CellOf, float *Most) {
  const int I = blockIdx.x * Block + threadIdx.x;
  atomicMax(reinterpret_cast<int *>(Most) + CellOf[I],
            __float_as_int(Height[I]));
}

int main() {
  const float *Height = input<float>(Points);
  const int *CellOf = input<int>(Points, Cells);
  float *Expected = output<float>(Cells), *Out = output<float>(Cells);
  Pair P("peaks-by-integer-maximum");
  P.same(Expected, Out, Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<Points / Block, Block>>>(Height, CellOf, Expected);
    else
      after<<<Points / Block, Block>>>(Height, CellOf, Out);
}
